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

// Memory that an operation uses lives as long as it needs it, whatever the program does to the buffer meanwhile.
// Operations end in any order.
const lines = [];
const say = (...words) => lines.push(words.map((word) => (typeof word === 'string' ? word : require('node:util').inspect(word))).join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
fs.writeFileSync(at('file'), 'x'.repeat(300000));
const fd = fs.openSync(at('file'), 'r+');
process.on('exit', () => fs.closeSync(fd));
let buffer = Buffer.alloc(300000);
const { buffer: memory } = buffer;
fs.read(fd, buffer, 0, 300000, 0, (error, size, same) => say(error, size, same.length));
structuredClone(memory, { transfer: [memory] });
say(buffer.length);
buffer = null;
let parts = Array.from({ length: 40 }, () => new Uint8Array(1000));
fs.readv(fd, parts, 0, (error, size) => say(error, size));
parts.length = 0;
parts = null;
const small = new Uint8Array(3); // Lives in the heap of the engine at first.
fs.read(fd, small, 0, 3, 0, (error, size) => say(error, size, small));
const shared = new Uint8Array(new SharedArrayBuffer(4));
fs.read(fd, shared, 0, 4, 0, (error, size) => say(error, size, shared));
// Behind everything that the short reads return: operations on one descriptor run in parallel.
fs.write(fd, new DataView(new ArrayBuffer(5)), 0, 5, 200000, (error, size) => say(error, size));
