'use strict';
const show = require('./fixtures/test_runner/show');
show(['fixtures/test_runner/hooks.js']);
