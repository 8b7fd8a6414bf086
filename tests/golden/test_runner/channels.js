'use strict';
// Messages that tests publish to diagnostics_channel, and --test-timeout.
const { spawnSync } = require('child_process');
const show = require('./fixtures/show');
const file = 'fixtures/channels.js';
console.log(spawnSync(process.execPath, ['--test-reporter=dot', file], { encoding: 'utf8' }).stderr);
show(['--test-reporter=tap', file]);
show(['--test-reporter=tap', '--test-timeout=20', 'fixtures/limit.js']);
