'use strict';
throw Symbol('thrown');
