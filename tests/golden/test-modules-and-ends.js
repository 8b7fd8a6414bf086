'use strict';
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=tap', 'fixtures/test_runner/after.js']);
show(['--test-force-exit', '--test-reporter=dot', 'fixtures/test_runner/nested.js']);
show(['--test-reporter=./fixtures/test_runner/reporter.mjs', 'fixtures/test_runner/nested.js']);
show(['--test-reporter=./fixtures/test_runner/class_reporter.js', 'fixtures/test_runner/nested.js']);
show(['--test-reporter=dot', '--test-reporter-destination=stdout', '--test-reporter=tap', '--test-reporter-destination=stderr',
      'fixtures/test_runner/nested.js']);
