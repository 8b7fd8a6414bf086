'use strict';
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=tap', 'fixtures/test_runner/hooks.js']);
