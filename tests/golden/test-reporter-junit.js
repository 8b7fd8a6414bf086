'use strict';
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=junit', 'fixtures/test_runner/nested.js']);
