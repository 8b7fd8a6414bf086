'use strict';
const show = require('../fixtures/show');
show(['--test-reporter=junit', '../fixtures/nested.js']);
