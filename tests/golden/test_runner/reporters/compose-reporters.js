'use strict';
const show = require('../fixtures/show');
for (const args of [['tap'], ['spec'], ['spec', 'new'], ['dot'], ['junit']]) {
  show(['../fixtures/compose.mjs', ...args]);
}
