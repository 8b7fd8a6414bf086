'use strict';
// A script that does not exist and is named almost like a command of rondo.
const { spawnSync } = require('child_process');

for (const name of ['tarce', 'explroe', 'tset', 'application', 'tarce.js']) {
  const { status, stderr } = spawnSync(process.execPath, [name], { encoding: 'utf8' });
  console.log(name, status, stderr.split('\n').filter((line) => line.startsWith('rondo: ')));
}
