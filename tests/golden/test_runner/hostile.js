'use strict';
const show = require('./fixtures/show');
show(['--no-warnings', '--test-reporter=tap', 'fixtures/hostile.js']);
