'use strict';
// A program that has used up its descriptors: children cannot be run, and it goes on.
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');

if (process.argv[2] !== 'child') {
  const { status, signal, stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, __filename, 'child'], { encoding: 'utf8' });
  console.log(status, signal, stdout, stderr);
} else {
  const held = [];
  try {
    for (;;) held.push(fs.openSync('/dev/null', 'r'));
  } catch (error) {
    console.log(error.code);
  }
  fs.closeSync(held.pop());
  const child = spawn('true');
  console.log(child.pid, child.stdin, child.stdout, child.stdio);
  child.on('error', (error) => {
    console.log(error.message, error.code, error.syscall, child.exitCode);
    const { error: problem, pid } = spawnSync('true');
    console.log(problem.code, pid);
    for (const fd of held) fs.closeSync(fd);
    spawn('true').on('close', (code) => console.log('again', code));
  });
  child.on('close', (...args) => console.log('close', args));
}
