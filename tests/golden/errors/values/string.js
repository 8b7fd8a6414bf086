'use strict';
throw 'only text';
