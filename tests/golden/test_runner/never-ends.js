'use strict';
// Tests that nothing can end any more are reported, and the process ends.
const show = require('./fixtures/show');
show(['--test-reporter=tap', 'fixtures/pending.mjs']);
