'use strict';
// Messages as V8 writes them.
const { fork } = require('child_process');
const { inspect } = require('util');

if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    if (message === 'end') process.disconnect();
    else process.send(message);
  });
} else {
  const child = fork(__filename, ['child'], { serialization: 'advanced' });
  const circular = { name: 'circular' };
  circular.self = circular;
  class Point { constructor() { this.x = 1; } }
  const messages = [
    'text é€😀', 1, -0, 1.5, NaN, true, null, { n: 12345678901234567890n }, [1, , 3], { a: undefined },
    new Map([[1, new Set(['two'])]]), new Date(0), new Date(NaN), /a+/gi, new RangeError('out of it'),
    Buffer.from('bytes'), new Uint8Array([1, 2]), new Uint8ClampedArray([3]), new Int16Array([-4]), new Uint16Array([5]),
    new Int32Array([-6]), new Uint32Array([7]), new Float32Array([8.5]), new Float64Array([9.5]), new BigInt64Array([-10n]),
    new BigUint64Array([11n]), new Int8Array([-12]), new ArrayBuffer(4), circular, new Point(), Object(1), Object('s'),
    { nested: { buffer: Buffer.alloc(3, 'z') } }, 'x'.repeat(300000),
  ];
  let count = 0;
  child.on('message', (message) => {
    const shown = message instanceof Error ? [message.name, message.message] : message;
    console.log(count, typeof shown === 'string' && shown.length > 100 ? shown.length : inspect(shown), Buffer.isBuffer(message));
    if (++count === messages.length) child.send('end');
  });
  for (const message of messages) child.send(message);
  for (const wrong of [{ f() {} }, { s: Symbol('s') }, new WeakMap(), Promise.resolve()]) {
    try {
      child.send(wrong);
      console.log('sent');
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  child.on('close', (...args) => console.log('close', args));
}
