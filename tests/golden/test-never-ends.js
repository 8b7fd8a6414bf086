'use strict';
// Tests that nothing can end any more are reported, and the process ends.
const show = require('./fixtures/test_runner/show');
show(['--test-reporter=tap', 'fixtures/test_runner/pending.mjs']);
