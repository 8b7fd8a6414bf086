'use strict';
// Wrong options and arguments of the classes, getters that throw, and huge values.
const stream = require('node:stream');
const { Duplex, PassThrough, Readable, Transform, Writable } = stream;
const attempts = {};
for (const Class of [Readable, Writable, Duplex, Transform, PassThrough]) {
  for (const highWaterMark of [-1, 1.5, NaN, 'x', {}, Infinity, 2 ** 31, 2 ** 53, null, undefined, 0]) {
    attempts[`${Class.name} mark ${String(highWaterMark)}`] = () => {
      const made = new Class({ highWaterMark });
      return [made.readableHighWaterMark, made.writableHighWaterMark];
    };
  }
  attempts[`${Class.name} null`] = () => new Class(null) instanceof Class;
  attempts[`${Class.name} number`] = () => new Class(5) instanceof Class;
  attempts[`${Class.name} string`] = () => new Class('x') instanceof Class;
  attempts[`${Class.name} getter`] = () => new Class({ get highWaterMark() { throw new Error('from getter'); } });
  attempts[`${Class.name} encoding`] = () => new Class({ encoding: 'nope' }) instanceof Class;
  attempts[`${Class.name} defaultEncoding`] = () => new Class({ defaultEncoding: 'nope' }) instanceof Class;
  attempts[`${Class.name} signal`] = () => new Class({ signal: 1 }) instanceof Class;
  attempts[`${Class.name} signal object`] = () => new Class({ signal: {} }) instanceof Class;
  attempts[`${Class.name} functions`] = () => Object.keys(new Class({ read: 1, write: 2, transform: 3, destroy: 4 })).includes('_read');
  attempts[`${Class.name} call`] = () => Class() instanceof Class;
}
for (const mark of [-1, 1.5, 'x']) {
  attempts[`Duplex readable mark ${mark}`] = () => new Duplex({ readableHighWaterMark: mark });
  attempts[`Duplex writable mark ${mark}`] = () => new Duplex({ writableHighWaterMark: mark });
}
Object.assign(attempts, {
  'read huge': () => new Readable({ read() {} }).read(2 ** 31),
  'read text': () => new Readable({ read() {} }).read('12'),
  'read NaN': () => new Readable({ read() {} }).read('x'),
  'read negative': () => new Readable({ read() {} }).read(-5),
  'setEncoding': () => new Readable().setEncoding('nope'),
  'setEncoding null': () => new Readable().setEncoding(null).readableEncoding,
  'pipe nothing': () => new Readable().pipe(),
  'pipe object': () => new Readable().pipe({}),
  'on not a function': () => new Readable().on('data', 1),
  'iterator': () => new Readable().iterator(5),
  'iterator null': () => new Readable().iterator(null),
  'uncork': () => new Writable().uncork(),
  'end number': () => new Writable().end(5),
  'destroy text': () => { const s = new Readable(); s.on('error', (error) => console.log('error', error)); return s.destroy('text').errored; },
  'destroyed set': () => { const s = new Readable(); s.destroyed = true; return s.destroyed; },
  'readable set': () => { const s = new Readable(); s.readable = false; return s.readable; },
  'writable set': () => { const s = new Writable(); s.writable = false; return s.writable; },
  'readableLength set': () => { new Readable().readableLength = 5; },
  'duplexPair': () => stream.duplexPair({ highWaterMark: -1 }),
  'duplexPair null': () => stream.duplexPair(null).length,
  'isReadable': () => [stream.isReadable(1), stream.isReadable(null), stream.isWritable('x'), stream.isErrored({}), stream.isDisturbed(undefined)],
  'destroy nothing': () => stream.destroy(),
  'destroy object': () => stream.destroy({}),
  '_uint8ArrayToBuffer': () => stream._uint8ArrayToBuffer(new Uint16Array([1, 2])),
});
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    console.log(name.padEnd(32), attempt());
  } catch (error) {
    console.log(name.padEnd(32), error.name, error.code, error.code || error.message === 'from getter' ? error.message : '');
  }
}
process.on('uncaughtException', (error) => console.log('uncaught', error.code));
