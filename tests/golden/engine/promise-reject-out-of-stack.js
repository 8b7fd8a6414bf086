'use strict';
// A rejection that cannot be noted, as the stack is exhausted, is reported on stderr; the program goes on.
const { spawnSync } = require('node:child_process');
const program = `
  async function deeper() { await deeper(); }
  (async () => {
    try { await deeper(); } catch (error) { console.log(String(error)); }
  })().then(() => console.log('done'));
`;
const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
console.log(status, stdout);
console.log(stderr.split('\n')[0]);
console.log(stderr.includes('\nRangeError: Maximum call stack size exceeded\n'));
