'use strict';
const show = require('./fixtures/test_runner/show');
for (const args of [['tap'], ['spec'], ['spec', 'new'], ['dot'], ['junit']]) {
  show(['fixtures/test_runner/compose.mjs', ...args]);
}
