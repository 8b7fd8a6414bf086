'use strict';
// An operation is under way when its call has returned: it happens although the thread is blocked, and its callback comes
// in the next poll, before immediates.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { waitUntilIdle } = require('../../fixtures/idle.js');

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fs-04-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true }));
const at = (name) => path.join(dir, name);
fs.writeFileSync(at('file'), 'x'.repeat(300000));
const fd = fs.openSync(at('file'), 'r+');
process.on('exit', () => fs.closeSync(fd));

function start(title, operation) {
  const came = [];
  operation(() => came.push('callback'));
  waitUntilIdle();
  setImmediate(() => console.log(`${title}: ${came.join() || 'nothing'} before the immediate`));
}

const buffer = Buffer.alloc(200000);
const operations = [
  ['stat', (done) => fs.stat(at('file'), done)],
  ['read', (done) => fs.read(fd, buffer, 0, 10, 0, done)],
  ['read 100,000 bytes', (done) => fs.read(fd, buffer, 0, 100000, 0, done)],
  ['readv', (done) => fs.readv(fd, [buffer], 0, done)],
  ['fsync', (done) => fs.fsync(fd, done)],
  ['mkdir', (done) => fs.mkdir(at('made'), done)],
  ['rename', (done) => fs.rename(at('made'), at('moved'), done)],
  ['write', (done) => fs.write(fd, 'changed', 0, done)],
  ['close', (done) => fs.close(fs.openSync(at('file')), done)],
  ['promise', (done) => fs.promises.stat(at('file')).then(done)],
];

function next() {
  const operation = operations.shift();
  if (operation === undefined) return;
  start(...operation);
  if (operation[0] === 'mkdir') console.log('is there:', fs.existsSync(at('made')));
  if (operation[0] === 'rename') console.log('is there:', fs.existsSync(at('moved')));
  if (operation[0] === 'write') console.log('reads:', fs.readFileSync(at('file'), 'utf8').slice(0, 9));
  setTimeout(next, 20);
}
next();
