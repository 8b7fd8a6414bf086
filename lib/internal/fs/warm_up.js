'use strict';

// Runs while the snapshot is created. Functions that have run once are in the snapshot with their bytecode, and nearly
// every program uses fs. There is no loop yet and no file may be accessed, so the functions are called with invalid
// paths.

const { Float64Array } = primordials;

const fs = require('fs');
const { statsFromNumbers } = require('internal/fs/stats');

const nothing = () => {};

function refused(fn, ...args) {
  try {
    fn(...args);
  } catch {
    return;
  }
  throw new TypeError('It was to be refused');
}

for (const fn of [
  fs.accessSync, fs.lstatSync, fs.mkdirSync, fs.openSync, fs.readFileSync, fs.readdirSync, fs.statSync, fs.unlinkSync,
]) {
  refused(fn, null);
}
for (const fn of [fs.closeSync, fs.fstatSync]) refused(fn, null);
refused(fs.readSync, null, null);
refused(fs.writeSync, null, 'text');
refused(fs.writeFileSync, null, 'text');
for (const fn of [fs.access, fs.readFile, fs.readdir, fs.stat, fs.lstat, fs.unlink, fs.mkdir]) {
  refused(fn, null, nothing);
}
refused(fs.open, null, 'r', nothing);
refused(fs.writeFile, null, 'text', nothing);
fs.existsSync('\u0000');
statsFromNumbers(new Float64Array(18)).isFile();
