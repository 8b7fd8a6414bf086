'use strict';
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=spec', 'fixtures/test_runner/kinds.js']);
