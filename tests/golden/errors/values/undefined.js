'use strict';
throw undefined;
