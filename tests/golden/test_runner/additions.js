'use strict';
// Assertions that a program registers, expected failures, waiting, plans that wait, subtests that are not awaited.
const show = require('./fixtures/show');
show(['--test-reporter=tap', 'fixtures/additions.js']);
show(['--test-skip-pattern=expected', '--test-name-pattern=/plan/', '--test-reporter=spec', 'fixtures/additions.js']);
