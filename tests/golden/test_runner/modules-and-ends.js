'use strict';
const show = require('./fixtures/show');
show(['--test-reporter=tap', 'fixtures/after.js']);
show(['--test-force-exit', '--test-reporter=dot', 'fixtures/nested.js']);
show(['--test-reporter=./fixtures/reporter.mjs', 'fixtures/nested.js']);
show(['--test-reporter=./fixtures/class_reporter.js', 'fixtures/nested.js']);
show(['--test-reporter=dot', '--test-reporter-destination=stdout', '--test-reporter=tap', '--test-reporter-destination=stderr',
      'fixtures/nested.js']);
