'use strict';
// With a pool of one, operations that are one job each call back in the order in which they were started, whatever they do
// and wherever they are started, other work of the pool included.
process.env.UV_THREADPOOL_SIZE = '1';
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { waitUntilIdle } = require('../../fixtures/idle.js');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-01-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const file = path.join(dir, 'file');
fs.writeFileSync(file, 'x'.repeat(100000));
const fd = fs.openSync(file, 'r+');
process.on('exit', () => fs.closeSync(fd));

const operations = {
  stat: (done) => fs.stat(file, done),
  pbkdf2: (done) => crypto.pbkdf2('a', 'b', 20000, 16, 'sha512', done),
  read: (done) => fs.read(fd, Buffer.alloc(10), 0, 10, 0, done),
  readMore: (done) => fs.read(fd, Buffer.alloc(90000), 0, 90000, 0, done),
  lstat: (done) => fs.lstat(path.join(dir, 'none'), done),
  fsync: (done) => fs.fsync(fd, done),
  access: (done) => fs.access(file, done),
  write: (done) => fs.write(fd, 'abc', 0, done),
  randomBytes: (done) => crypto.randomBytes(8, done),
  open: (done) => fs.open(file, (error, opened) => {
    done();
    fs.closeSync(opened);
  }),
  readv: (done) => fs.readv(fd, [Buffer.alloc(3), Buffer.alloc(4)], 0, done),
  readdir: (done) => fs.readdir(dir, { withFileTypes: true }, done),
  mkdir: (done) => fs.mkdir(path.join(dir, 'made'), done),
  native: (done) => fs.realpath.native(file, done),
  promise: (done) => fs.promises.stat(file).then(done),
  rmdir: (done) => fs.rmdir(path.join(dir, 'made'), done),
  fstat: (done) => fs.fstat(fd, done),
  opendir: (done) => fs.opendir(dir, (error, opened) => {
    done();
    opened.closeSync();
  }),
  exists: (done) => fs.exists(file, done),
  last: (done) => fs.stat(file, done),
};
const names = Object.keys(operations);

function round(title, order, next) {
  const came = [];
  for (const name of order) {
    operations[name](() => {
      came.push(name);
      if (came.length < order.length) return;
      const isInOrder = came.join() === order.join();
      console.log(title, isInOrder ? 'in order' : came.join(' '));
      next();
    });
  }
}

round('in one tick:', names, () => {
  round('from a callback, the other way round:', names.filter((name) => !/dir/.test(name)).reverse(), () => {
    setImmediate(() => {
      const order = ['read', 'stat', 'pbkdf2', 'stat', 'read', 'access', 'readMore', 'read', 'stat'];
      round('while the thread was blocked:', order, () => {
        console.log('end');
      });
      waitUntilIdle();
    });
  });
});
