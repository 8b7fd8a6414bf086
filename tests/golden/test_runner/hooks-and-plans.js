'use strict';
const show = require('./fixtures/show');
show(['--test-reporter=tap', 'fixtures/hooks.js']);
