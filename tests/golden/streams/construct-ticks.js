'use strict';
// The ticks between _construct()'s callback and the first _read(), _write() and _final().
const { Duplex, Readable, Writable } = require('stream');

function count(ticks, name) {
  if (ticks === 0) return;
  process.nextTick(() => {
    console.log(`  tick of ${name}`);
    count(ticks - 1, name);
  });
}

const construct = {
  construct(callback) {
    console.log('construct');
    setImmediate(() => {
      console.log('constructed');
      callback();
      count(4, 'construct()');
    });
  },
  read() { console.log('read'); this.push(null); },
  write(chunk, encoding, callback) { console.log('write'); callback(); },
  final(callback) { console.log('final'); callback(); },
};

function run(Type, next) {
  console.log(Type.name);
  const stream = new Type(construct);
  count(2, 'the constructor');
  for (const event of ['end', 'finish', 'close']) stream.on(event, () => console.log(event));
  if (Type !== Writable) stream.resume();
  if (Type !== Readable) stream.end('text');
  stream.on('close', () => setImmediate(next));
}

run(Readable, () => run(Writable, () => run(Duplex, () => console.log('end'))));
