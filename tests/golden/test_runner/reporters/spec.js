'use strict';
const show = require('../fixtures/show');
show(['--test-reporter=spec', '../fixtures/kinds.js']);
