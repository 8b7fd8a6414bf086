'use strict';
// Snapshots that are missing, stored, compared, and different.
const fs = require('fs');
const os = require('os');
const path = require('path');
const show = require('./fixtures/show');
const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'golden-'));
const options = (change) => ({ env: { SNAPSHOT_FOLDER: folder, SNAPSHOT_CHANGE: change }, hide: folder });
const file = 'fixtures/snapshots.js';
show(['--test-reporter=tap', file], options());
show(['--test-reporter=dot', '--test-update-snapshots', file], options());
for (const name of ['snapshots.js.snapshot', 'deep/own.txt', 'deep/own.txt.2']) {
  console.log(name, JSON.stringify(fs.readFileSync(path.join(folder, name), 'utf8')));
}
show(['--test-reporter=dot', file], options());
show(['--test-reporter=tap', file], options('changed'));
fs.writeFileSync(path.join(folder, 'snapshots.js.snapshot'), 'exports[`suite > values 1`] = `x');
show(['--test-reporter=tap', '--test-name-pattern=values', file], options());
fs.rmSync(folder, { recursive: true });
