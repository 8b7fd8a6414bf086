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
const fd = fs.openSync(at('file'), 'w+');
console.log(fs.writeSync(fd, 'hello world'), fs.writeSync(fd, Buffer.from('HELLO'), 0, 3, 0), fs.writeSync(fd, '!!', 20));
console.log(fs.writeSync(fd, Buffer.from('abcdef'), 2), fs.writeSync(fd, Buffer.from('abcdef'), { offset: 1, length: 2, position: 6 }));
console.log(fs.writeSync(fd, '7a7a', 3, 'hex'), fs.writeSync(fd, 'q', 1, 'klingon'), fs.writeSync(fd, '', 0), fs.writeSync(fd, Buffer.alloc(0)));
const buffer = Buffer.alloc(12, '.');
for (const args of [[0, 5, 0], [2, 4, 3], [0, 12, 15], [0, 12, 100], [{ position: 1, length: 2 }], [{ offset: 10 }], [], [1, 2, 4n]]) {
  buffer.fill('.');
  console.log(fs.readSync(fd, buffer, ...args), JSON.stringify(buffer.toString()));
}
console.log(fs.readvSync(fd, [Buffer.alloc(2), Buffer.alloc(3)], 0), fs.writevSync(fd, [Buffer.from('xy'), new Uint8Array(2)], 30));
fs.ftruncateSync(fd, 4);
console.log(fs.readFileSync(at('file'), 'latin1'));
fs.ftruncateSync(fd, 6);
fs.ftruncateSync(fd, -5);
console.log(fs.fstatSync(fd).size);
fs.writeSync(fd, 'async part', 0);
const steps = [
  (done) => fs.read(fd, buffer, 0, 4, 0, done),
  (done) => fs.read(fd, buffer, { position: 2, length: 3 }, done),
  (done) => fs.read(fd, { buffer: Buffer.alloc(3), position: 0 }, done),
  (done) => fs.read(fd, Buffer.alloc(4), done),
  (done) => fs.read(fd, buffer, 0, 0, 0, done),
  (done) => fs.read(fd, (error, count, target) => done(error, count, target.length)),
  (done) => fs.read(fd, buffer, null, 2, 1n, done),
  (done) => fs.readv(fd, [Buffer.alloc(2), Buffer.alloc(2)], 0, done),
  (done) => fs.readv(fd, [Buffer.alloc(2)], done),
  (done) => fs.write(fd, 'text', done),
  (done) => fs.write(fd, 'text', 2, done),
  (done) => fs.write(fd, '3132', 0, 'hex', done),
  (done) => fs.write(fd, Buffer.from('bytes'), done),
  (done) => fs.write(fd, Buffer.from('bytes'), 1, done),
  (done) => fs.write(fd, Buffer.from('bytes'), 1, 2, done),
  (done) => fs.write(fd, Buffer.from('bytes'), 1, 2, 0, done),
  (done) => fs.write(fd, Buffer.from('bytes'), { offset: 4 }, done),
  (done) => fs.writev(fd, [Buffer.from('a'), Buffer.from('b')], done),
  (done) => fs.writev(fd, [], done),
  (done) => fs.fsync(fd, done),
  (done) => fs.fdatasync(fd, done),
  (done) => fs.ftruncate(fd, 3, done),
  (done) => fs.truncate(at('file'), 2, done),
  (done) => fs.truncate(at('file'), done),
  (done) => fs.close(fd, done),
  (done) => fs.read(fd, Buffer.alloc(1), 0, 1, 0, (error, ...rest) => done(error.message, ...rest)),
];
(function next() {
  const step = steps.shift();
  if (step === undefined) return;
  step((...result) => {
    console.log(result.length, ...result);
    next();
  });
})();
