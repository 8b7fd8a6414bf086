'use strict';
const show = require('../fixtures/show');
show(['--test-reporter=tap', '../fixtures/kinds.js']);
