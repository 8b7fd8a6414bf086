'use strict';
const show = require('./fixtures/show');
const file = 'fixtures/features.js';
show(['--no-warnings', '--test-reporter=tap', file]);
show(['--no-warnings', file]);
show(['--no-warnings', '--test-reporter=dot', file]);
show(['--no-warnings', '--test-reporter=junit', file]);
show(['--no-warnings', '--experimental-test-tag-filter=slow', '--experimental-test-tag-filter=DB', file]);
show(['--no-warnings', '--test-skip-pattern=a', '--test-name-pattern=/^plans/', file]);
