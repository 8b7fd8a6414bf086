'use strict';
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=dot', 'fixtures/test_runner/kinds.js']);
show(['--test-reporter=dot', 'fixtures/test_runner/only.js']);
