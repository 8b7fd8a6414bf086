'use strict';
const show = require('../fixtures/show');
show(['--test-reporter=dot', '../fixtures/kinds.js']);
show(['--test-reporter=dot', '../fixtures/only.js']);
