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

// Operations end in any order.
const lines = [];
const say = (...words) => lines.push(words.map((word) => (typeof word === 'string' ? word : require('node:util').inspect(word))).join(' '));
process.on('exit', () => console.log(lines.sort().join('\n')));
fs.writeFileSync(at('file'), 'content');
process.on('uncaughtException', (error) => say('caught', error.message));
let left = 4;
for (let i = 0; i < 4; i++) {
  fs.readFile(at('file'), () => {
    process.nextTick(() => {
      if (--left === 0) say('every tick ran');
    });
    throw new Error('from a callback');
  });
}
fs.stat(at('file'), () => { throw new Error('from stat'); });
fs.close(987654);
