'use strict';
// Writable: backpressure, corking, writev, final, encodings, and when callbacks and events come.
const { Writable } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
const watch = (stream, name, events = ['drain', 'finish', 'prefinish', 'close', 'error', 'pipe', 'unpipe']) => {
  for (const event of events) stream.on(event, (...args) => log(name, event, ...args.map((a) => a?.message ?? a)));
};

(async () => {
  // At once.
  const sync = new Writable({ highWaterMark: 4, write(chunk, encoding, callback) { log('write', String(chunk), encoding); callback(); } });
  watch(sync, 'sync');
  log(sync.write('ab', (error) => log('cb ab', error)), sync.write('cdef', (error) => log('cb cdef', error)), sync.writableNeedDrain, sync.writableLength);
  await tick();
  log(sync.write('g'), sync.writableNeedDrain);
  sync.end('h', () => log('end cb'));
  log(sync.writableEnded, sync.writableFinished, sync.writable);
  await tick();
  log(sync.writableFinished, sync.destroyed, sync.closed);

  // Later, one by one.
  const slow = new Writable({ highWaterMark: 3, write(chunk, encoding, callback) { log('slow', String(chunk)); setImmediate(callback); } });
  watch(slow, 'slow');
  for (const text of ['a', 'b', 'c', 'd']) log(slow.write(text, () => log('cb', text)), slow.writableLength, slow.writableBuffer.length);
  slow.end();
  for (let i = 0; i < 8; i++) await tick();

  // Corked: together, where the stream can.
  const many = new Writable({
    writev(chunks, callback) { log('writev', chunks.map(({ chunk, encoding }) => [String(chunk), encoding])); callback(); },
    decodeStrings: false,
  });
  watch(many, 'many', ['finish', 'drain']);
  many.cork();
  many.cork();
  many.write('a', 'latin1', (error) => log('cb a', error));
  many.write(Buffer.from('b'));
  many.uncork();
  log('still corked', many.writableCorked);
  many.uncork();
  many.write('c');
  many.cork();
  many.write('d');
  many.end('e');
  await tick();

  // Encodings.
  const encoded = new Writable({ write(chunk, encoding, callback) { log(chunk, encoding); callback(); } });
  encoded.write('6869', 'hex');
  encoded.setDefaultEncoding('base64');
  encoded.write('aGk=');
  encoded.write(new Uint8Array([1, 2]));
  const kept = new Writable({ decodeStrings: false, defaultEncoding: 'latin1', write(chunk, encoding, callback) { log(chunk, encoding); callback(); } });
  kept.write('text');
  kept.write('hex!', 'hex');
  const objects = new Writable({ objectMode: true, write(chunk, encoding, callback) { log(chunk, encoding); callback(); } });
  objects.write({ a: 1 });
  objects.write(0);
  objects.write(undefined);
  log(objects.writableHighWaterMark, objects.writableObjectMode);

  // final, and errors in it.
  const final = new Writable({ write(c, e, callback) { callback(); }, final(callback) { log('final'); setImmediate(callback); } });
  watch(final, 'final', ['prefinish', 'finish', 'close']);
  final.end('x', () => log('ended'));
  await tick();
  await tick();
  const failing = new Writable({ write(c, e, callback) { callback(); }, final(callback) { callback(new Error('final failed')); } });
  watch(failing, 'failing', ['finish', 'error', 'close']);
  failing.end((error) => log('end cb', error?.message));
  await tick();

  // Errors while writing: order of the callbacks.
  const broken = new Writable({ write(chunk, encoding, callback) { setImmediate(callback, new Error('broken')); } });
  watch(broken, 'broken');
  broken.write('a', (error) => log('cb a', error?.message));
  broken.write('b', (error) => log('cb b', error?.message));
  broken.end((error) => log('cb end', error?.message));
  await tick();
  await tick();
  log(broken.errored?.message, broken.writableAborted, broken.write('c', (error) => log('cb c', error?.code)));
  await tick();
  const ended = new Writable({ write(c, e, callback) { callback(); } });
  watch(ended, 'ended', ['error']);
  ended.end();
  log(ended.write('late', (error) => log('cb late', error?.code)));
  await tick();
  ended.end((error) => log('second end', error?.code));
  ended.end('more', (error) => log('third end', error?.code));
  await tick();
  const destroyed = new Writable({ write() {} });
  watch(destroyed, 'destroyed', ['error', 'close']);
  destroyed.write('pending', (error) => log('cb pending', error?.code));
  destroyed.write('queued', (error) => log('cb queued', error?.code));
  destroyed.destroy();
  destroyed.write('after', (error) => log('cb after', error?.code));
  await tick();
  const twice = new Writable({ write(c, e, callback) { callback(); callback(); } });
  watch(twice, 'twice', ['error']);
  twice.write('x');
  await tick();
  const thrown = new Writable({ write() { throw new Error('from write'); } });
  try { thrown.write('x'); } catch (error) { log('thrown', error.message); }

  for (const attempt of [
    () => new Writable().write(), () => new Writable().write(null), () => new Writable().write(1), () => new Writable().write({}),
    () => new Writable().write('x', 'nope'), () => new Writable().write('x', 'buffer'), () => new Writable().write(Buffer.of(1), 'nope'),
    () => new Writable({ decodeStrings: false }).end('x', 'buffer'), () => new Writable().setDefaultEncoding('nope'), () => new Writable({ defaultEncoding: 'nope' }),
    () => new Writable({ highWaterMark: 'x' }), () => new Writable({ highWaterMark: 1.5 }), () => new Writable({ highWaterMark: NaN }),
  ]) {
    try { log(typeof attempt()); } catch (error) { log(error.name, error.code, error.message); }
  }
  const unwritable = new Writable();
  watch(unwritable, 'unwritable', ['error']);
  try { unwritable.write('x'); } catch (error) { log(error.code, error.message); }
  unwritable.pipe(new Writable());
  await tick();
  for (const Type of [Uint8Array, Uint16Array, DataView]) {
    const view = new Writable({ write(chunk, encoding, callback) { log(Type.name, chunk, encoding); callback(); } });
    try { view.write(new Type(new ArrayBuffer(4))); } catch (error) { log(error.message); }
  }
})();
