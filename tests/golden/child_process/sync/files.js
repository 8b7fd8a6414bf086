'use strict';
// Files as standard streams of a child that is waited for.
const cp = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

function show(label, { error, status, output }) {
  console.log(label, error && error.message, status, output && output.map((part) => part && part.toString()));
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-'));
const file = path.join(folder, 'out');
const fd = fs.openSync(file, 'w');
show('a file', cp.spawnSync('sh', ['-c', 'echo out; echo err >&2'], { stdio: ['ignore', fd, fd] }));
fs.closeSync(fd);
console.log(fs.readFileSync(file, 'utf8'));
const input = fs.openSync(file, 'r');
show('from a file', cp.spawnSync('cat', { stdio: [input, 'pipe', 'pipe'] }));
fs.closeSync(input);
fs.rmSync(folder, { recursive: true });
