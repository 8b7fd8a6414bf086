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

// Files that lie about their size, grow, shrink, or are none.
const { execFileSync, spawn } = require('node:child_process');
console.log(fs.readFileSync('/proc/self/cmdline').length > 0, fs.statSync('/proc/self/cmdline').size);
console.log(fs.readFileSync('/dev/null', 'utf8').length, fs.readFileSync('/proc/version', 'utf8').startsWith('Linux'));
attempt('a directory', () => fs.readFileSync(dir, 'utf8'));
attempt('write to a directory', () => fs.writeFileSync(dir, 'x'));
attempt('open a directory', () => fs.closeSync(fs.openSync(dir)));
attempt('append to a directory', () => fs.appendFileSync(dir, 'x'));
// It shrinks between its opening and its reading.
fs.writeFileSync(at('shrinks'), 'x'.repeat(5000));
const fd = fs.openSync(at('shrinks'));
fs.truncateSync(at('shrinks'), 10);
console.log(fs.readFileSync(fd).length);
fs.closeSync(fd);
execFileSync('mkfifo', [at('fifo')]);
console.log(fs.statSync(at('fifo')).isFIFO());
let turns = 0;
const interval = setInterval(() => turns++, 1);
// No writer yet: the loop continues meanwhile, and the writer is not cut off.
fs.readFile(at('fifo'), 'utf8', (error, text) => {
  console.log(error, JSON.stringify(text), turns > 0);
  clearInterval(interval);
  fs.stat(at('fifo'), (e, s) => console.log(e, s.isFIFO()));
});
setTimeout(() => {
  spawn('/bin/sh', ['-c', 'exec 3> "$0"; printf first >&3; sleep 0.05; printf second >&3', at('fifo')]);
}, 20);
