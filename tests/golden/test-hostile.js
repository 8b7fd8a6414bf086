'use strict';
const show = require('./fixtures/test_runner/show');
show(['--no-warnings', '--test-reporter=tap', 'fixtures/test_runner/hostile.js']);
