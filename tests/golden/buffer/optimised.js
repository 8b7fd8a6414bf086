'use strict';
// Conversions after V8 has optimised them, with every kind of string and memory.
const names = ['utf8', 'latin1', 'ascii', 'ucs2', 'hex', 'base64', 'base64url'];
const long = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
const hex = Buffer.from(long).toString('hex');
const texts = {
  'empty': '',
  'short': 'abc',
  'flat': hex,
  'latin1': `${'x'.repeat(200)}\xe9\xff${'y'.repeat(200)}`,
  'two bytes': `${'x'.repeat(200)}\u4e2d\u{1f600}${'y'.repeat(200)}`,
  'half a pair': `${'x'.repeat(130)}\ud83d`,
  'joined': `${hex}${String(hex.length)}ab`,
  'part': hex.slice(17, 417),
  'large': hex.repeat(40),
  'not hex': `${'ab'.repeat(100)}zz${'cd'.repeat(100)}`,
  'base64 with strangers': `${'QUJD'.repeat(60)}\n==${'QUJD'.repeat(60)}`,
  'url': `${'-_-_'.repeat(50)}QQ`,
};
const sum = (bytes) => {
  let result = bytes.length;
  for (let i = 0; i < bytes.length; i++) result = (Math.imul(result, 31) + bytes[i]) | 0;
  return result;
};

function convert(text, name) {
  return Buffer.from(text, name);
}
for (const name of names) {
  for (let i = 0; i < 20000; i++) convert(hex, name);
  const line = [];
  for (const kind of Object.keys(texts)) {
    const bytes = convert(texts[kind], name);
    let isSame = true;
    for (let i = 0; i < 50; i++) isSame &&= convert(texts[kind], name).equals(bytes);
    line.push(isSame ? sum(bytes) : `${kind} differs`);
  }
  console.log(name, line.join(' '));
}

function show(bytes, name, start, end) {
  return bytes.toString(name, start, end);
}
const shared = Buffer.from(new SharedArrayBuffer(300)).fill('shared ');
const resizable = new ArrayBuffer(300, { maxByteLength: 600 });
const follows = Buffer.from(resizable).fill('resizable ');
const gone = Buffer.from(new ArrayBuffer(300)).fill('gone ');
const memories = { small: Buffer.alloc(5, 'small'), pooled: Buffer.from('pooled'), all: Buffer.from(long), odd: Buffer.from(long).subarray(3),
                   shared, follows, gone };
for (const name of names) {
  for (let i = 0; i < 20000; i++) show(memories.all, name);
  const line = [];
  for (const kind of Object.keys(memories)) {
    const bytes = memories[kind];
    line.push(sum(Buffer.from(show(bytes, name) + show(bytes, name, 1, 4) + show(bytes, name, 2.9, 1e9) + show(bytes, name, -1, '3'))));
  }
  console.log(name, line.join(' '));
}
structuredClone(gone.buffer, { transfer: [gone.buffer] });
resizable.resize(10);
for (const name of names) console.log(name, JSON.stringify([show(gone, name), show(follows, name), show(follows, name, 0, 300)]));

for (const name of ['hexSlice', 'base64Slice', 'utf8Slice', 'hexWrite']) {
  for (const bad of [undefined, null, {}, [], 'text', 5]) {
    try {
      Buffer.prototype[name].call(bad, 'x');
      console.log('no error');
    } catch (error) {
      console.log(name, error.name, error.code);
    }
  }
}

// The pool's memory is detached: new buffers come from another one.
const before = Buffer.from('before the pool is gone');
try {
  before.buffer.transfer();
} catch (error) {
  console.log(error.name);
}
for (let i = 0; i < 100; i++) convert(hex, 'hex');
console.log(before.length === 0 || before.toString() === 'before the pool is gone', show(convert(hex, 'hex'), 'utf8') === long);
