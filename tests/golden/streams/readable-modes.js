'use strict';
// Readable: flowing, paused, 'readable', read(n), unshift, encodings, and when events come.
const { Readable } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
const watch = (stream, name, events = ['data', 'readable', 'end', 'close', 'error', 'pause', 'resume']) => {
  for (const event of events) stream.on(event, (...args) => log(name, event, ...args.map((a) => (a instanceof Error ? a.message : String(a)))));
};

(async () => {
  const flowing = new Readable({ read() {} });
  watch(flowing, 'flow', ['data', 'end', 'close', 'pause', 'resume']);
  log(flowing.readableFlowing, flowing.push('a'), flowing.push(''), flowing.push('b'), flowing.readableLength);
  await tick();
  flowing.pause();
  log(flowing.isPaused(), flowing.readableFlowing);
  flowing.push('c');
  await tick();
  log(flowing.readableLength);
  flowing.resume();
  await tick();
  flowing.push(null);
  await tick();
  log(flowing.readableEnded, flowing.destroyed, flowing.closed, flowing.readable);

  const paused = new Readable({ read() {} });
  watch(paused, 'paused', ['readable', 'end', 'close']);
  paused.push('hello');
  paused.push('world');
  await tick();
  log(String(paused.read(3)), String(paused.read(4)), paused.read(100), paused.readableLength);
  paused.unshift('back');
  log(String(paused.read()), paused.read());
  paused.push(null);
  await tick();
  log(paused.read(), paused.readableEnded);
  await tick();

  // The mark: number of calls of _read() before the first read.
  for (const highWaterMark of [0, 1, 4, 10]) {
    let calls = 0;
    const stream = new Readable({ highWaterMark, read(n) { calls++; this.push(Buffer.alloc(3)); if (calls > 20) this.push(null); } });
    stream.on('readable', () => {});
    await tick();
    log('mark', highWaterMark, calls, stream.readableLength, stream.push(Buffer.alloc(1)));
    stream.destroy();
  }
  let size;
  const sized = new Readable({ highWaterMark: 4, read(n) { size = n; this.push('x'.repeat(n)); } });
  log(String(sized.read(9)), size, sized.readableHighWaterMark);

  // Text.
  const text = new Readable({ encoding: 'utf8', read() {} });
  watch(text, 'text', ['data', 'end']);
  for (const byte of Buffer.from('h\u20acy')) text.push(Buffer.of(byte));
  text.push(Buffer.from([0xe2]));
  text.push(null);
  await tick();
  const later = new Readable({ read() {} });
  later.push(Buffer.from('6162', 'hex'));
  later.push('6364', 'hex');
  later.setEncoding('base64');
  later.push(Buffer.from('z'));
  later.push(null);
  log(later.readableEncoding, later.read(), later.read());

  const cut = new Readable({ read() {} });
  cut.push(Buffer.from([0xf0, 0x9f]));
  cut.push(null);
  log(cut.setEncoding('utf8').read());

  // While a read is under way, unshift() does not ask for the next one.
  const asked = new Readable({ read() { log('asked'); } });
  asked.read(0);
  asked.unshift('a');
  process.nextTick(() => log('tick'));
  asked.push('');
  await tick();

  // Functions of a wrapped stream, the first one included.
  const old = { first() { return this === old; }, on() { return this; }, pause() {} };
  const wrapped = new Readable().wrap(old);
  log(wrapped.first(), wrapped.pause === Readable.prototype.pause);

  // Objects.
  const objects = new Readable({ objectMode: true, highWaterMark: 2, read() {} });
  watch(objects, 'object', ['data', 'end']);
  log(objects.push(1), objects.push({ a: 1 }), objects.push(''), objects.push(undefined), objects.push(null), objects.readableLength);
  await tick();

  // Both kinds of listeners, then one less.
  const both = new Readable({ read() {} });
  watch(both, 'both', ['data', 'readable', 'end']);
  both.push('1');
  await tick();
  log(both.readableFlowing, String(both.read()));
  both.removeAllListeners('readable');
  await tick();
  both.push('2');
  await tick();
  log(both.readableFlowing);
  both.destroy();

  // The errors of those who push too late, or wrongly.
  const late = new Readable({ read() {} });
  watch(late, 'late', ['error', 'close']);
  late.push(null);
  log(late.push('x'));
  await tick();
  const wrong = new Readable({ read() {} });
  watch(wrong, 'wrong', ['error']);
  log(wrong.push(1));
  await tick();
  const after = new Readable({ read() { this.push(null); }, autoDestroy: false });
  watch(after, 'after', ['error', 'end']);
  after.resume();
  await tick();
  log(after.unshift('x'));
  await tick();
  const missing = new Readable();
  watch(missing, 'missing', ['error']);
  missing.read();
  await tick();
  const thrown = new Readable({ read() { throw new Error('from read'); } });
  watch(thrown, 'thrown', ['error', 'close']);
  thrown.read();
  await tick();
  log(thrown.errored?.message, thrown.readableAborted, thrown.readableDidRead);
  for (const Type of [Uint8Array, Uint16Array, DataView]) {
    const view = new Readable({ read() {} });
    view.on('error', (error) => log(error.message));
    view.push(new Type(new ArrayBuffer(4)));
    log(Type.name, view.read());
    await tick();
  }
})();
