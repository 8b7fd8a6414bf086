'use strict';
// From the callback of a file, whichever way it was read, and however long the callback takes: the immediate first.
const fs = require('node:fs');
function late() {
  for (const end = Date.now() + 3; Date.now() < end;);
}
function both(name, next) {
  setTimeout(() => {
    console.log(name, 'timeout');
    next();
  }, 0);
  setImmediate(() => console.log(name, 'immediate'));
  late();
}
const fd = fs.openSync(__filename);
const ways = {
  'readFile': (done) => fs.readFile(__filename, done),
  'large': (done) => fs.readFile(process.execPath, done),
  'read': (done) => fs.read(fd, Buffer.alloc(10), 0, 10, 0, done),
  'stat': (done) => fs.stat(__filename, done),
  'error': (done) => fs.readFile('/nowhere/at/all', done),
  'readdir': (done) => fs.readdir('.', done),
  'promises': (done) => fs.promises.readFile(__filename).then(done),
  'close': (done) => fs.close(fd, done),
};
(function next([name, ...rest]) {
  if (name === undefined) return;
  ways[name](() => both(name, () => next(rest)));
})(Object.keys(ways));
