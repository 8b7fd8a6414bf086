'use strict';
// Assertions that a program registers, expected failures, waiting, plans that wait, subtests that nobody awaits.
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=tap', 'fixtures/test_runner/additions.js']);
show(['--test-skip-pattern=expected', '--test-name-pattern=/plan/', '--test-reporter=spec', 'fixtures/test_runner/additions.js']);
