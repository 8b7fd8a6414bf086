'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
const plain = (text) => String(text).split(dir).join('DIR');
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
function attempt(name, fn) {
  try {
    const value = fn();
    console.log(name, '->', typeof value === 'string' ? plain(value) : value);
  } catch (error) {
    console.log(name, error.name, error.code, plain(error.message));
  }
}

// As many descriptors as there may be: the error has Node's name, and all of them come back.
const { execFileSync } = require('node:child_process');
const program = `
  const fs = require('fs');
  const open = [];
  let code;
  for (;;) {
    try { open.push(fs.openSync('/dev/null')); } catch (error) { code = error.message; break; }
  }
  console.log(open.length > 10, code);
  let left = 3;
  const next = (name) => (error) => {
    console.log(name, error.code, error.syscall);
    if (--left > 0) return;
    for (const fd of open) fs.closeSync(fd);
    fs.readFile('/dev/null', (failure, data) => console.log(failure, data.length));
  };
  fs.readFile('${__filename}', (error) => {
    next('readFile')(error);
    fs.readdir('/', (e) => {
      next('readdir')(e);
      fs.writeFile('/dev/null', 'x', next('writeFile'));
    });
  });
`;
process.stdout.write(execFileSync('/bin/sh', ['-c', 'ulimit -n 64; exec "$0" -e "$1"', process.execPath, program], { encoding: 'utf8' }));
