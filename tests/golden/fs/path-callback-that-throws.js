'use strict';
// Operations that answer with a path: an exception in their callback is reported like any other.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));

const operations = {
  mkdtemp: (done) => fs.mkdtemp(path.join(dir, 'x-'), done),
  mkdir: (done) => fs.mkdir(path.join(dir, 'a/b'), { recursive: true }, done),
  readlink: (done) => fs.readlink('/proc/self/exe', done),
  realpath: (done) => fs.realpath.native(dir, done),
};
process.on('uncaughtException', (error) => console.log('caught', error.message));
const names = Object.keys(operations);
function next() {
  const name = names.shift();
  if (name === undefined) return;
  operations[name](() => {
    setImmediate(next);
    throw new Error(name);
  });
}
next();
