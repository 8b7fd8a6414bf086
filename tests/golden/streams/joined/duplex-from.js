'use strict';
// Duplex.from() of anything, and compose().
const { Duplex, PassThrough, Readable, Stream, Transform, Writable, compose, pipeline } = require('node:stream');
const { finished } = require('node:stream/promises');
const log = console.log;
const tick = () => new Promise(setImmediate);
const settle = async () => { for (let i = 0; i < 4; i++) await tick(); };
const describe = (error) => (error ? `${error.name} ${error.code} ${error.message}` : error);
const watch = (name, stream) => {
  for (const event of ['data', 'end', 'finish', 'error', 'close', 'drain']) {
    stream.on(event, (value) => log(name, event, value instanceof Error ? describe(value) : value === undefined ? '' : String(value)));
  }
  return stream;
};
const show = (stream) => log(
  stream.constructor.name, stream.readable, stream.writable, stream.readableObjectMode, stream.writableObjectMode, stream.allowHalfOpen);
const attempt = (name, fn) => { try { log(name, typeof fn()); } catch (error) { log(name, describe(error)); } };

(async () => {
  const sources = {
    text: 'text',
    list: ['a', 'b'],
    generator: (function*() { yield 'x'; yield 'y'; })(),
    promise: Promise.resolve('value'),
    nothing: Promise.resolve(),
    rejected: Promise.reject(new Error('rejected')),
    blob: new Blob(['blob']),
    readable: Readable.from(['r']),
    web: new ReadableStream({ start(c) { c.enqueue('w'); c.close(); } }),
    pair: { readable: Readable.from(['p']), writable: new PassThrough() },
    thenable: { get then() { log('then'); return (resolve) => resolve('t'); } },
  };
  sources.rejected.catch(() => {});
  for (const [name, source] of Object.entries(sources)) {
    const stream = watch(name, Duplex.from(source));
    show(stream);
    await settle();
    stream.on('error', () => {}).destroy();
    await settle();
  }
  const same = new PassThrough();
  log(Duplex.from(same) === same, Duplex.from(() => same) === same);
  for (const wrong of [undefined, null, 1, {}, Symbol.iterator, { readable: 1, writable: {} }, () => 1, () => {}]) {
    attempt('wrong', () => Duplex.from(wrong));
  }

  // Functions.
  const upper = watch('upper', Duplex.from(async function*(source) { for await (const chunk of source) yield String(chunk).toUpperCase(); }));
  show(upper);
  upper.write('a', () => log('written'));
  upper.end('b');
  await settle();
  const sink = watch('sink', Duplex.from(async (source) => { for await (const chunk of source) log('took', String(chunk)); }));
  show(sink);
  sink.write('1');
  sink.end('2', (error) => log('ended', describe(error)));
  await settle();
  const returning = watch('returning', Duplex.from(async (source) => { for await (const chunk of source) return String(chunk); }));
  returning.end('x');
  await settle();
  const early = watch('early', Duplex.from(async (source) => { for await (const chunk of source) { log('first', String(chunk)); break; } }));
  early.write('1', (error) => log('write', describe(error)));
  early.write('2', (error) => log('write', describe(error)));
  await settle();
  const throwing = watch('throwing', Duplex.from(async (source) => { for await (const chunk of source) throw new Error(`at ${chunk}`); }));
  throwing.write('1');
  await settle();
  let signal;
  const aborted = watch('aborted', Duplex.from(async function*(source, options) {
    signal = options.signal;
    try { for await (const chunk of source) yield chunk; } catch (error) { log('in generator', describe(error)); throw error; } finally { log('left'); }
  }));
  aborted.write('1');
  await settle();
  aborted.destroy(new Error('stop'));
  log(signal.aborted, signal.reason?.message);
  await settle();
  pipeline(Readable.from(['a', 'b', 'c']), async (source) => { for await (const chunk of source) return chunk; }, (error, value) => log('pipeline', describe(error), value));
  await settle();

  // Pairs: back-pressure, ends and errors.
  const left = new Readable({ read() {} });
  const right = new Writable({ highWaterMark: 2, write(chunk, encoding, callback) { log('right', String(chunk)); setImmediate(callback); } });
  const pair = watch('pair', Duplex.from({ readable: left, writable: right }));
  log(pair.write('abc'), pair.write('d'));
  left.push('from the left');
  left.push(null);
  await settle();
  pair.end();
  await settle();
  log(pair.destroyed, left.destroyed, right.destroyed);
  for (const side of ['readable', 'writable', 'duplex']) {
    const parts = { readable: new Readable({ read() {} }), writable: new Writable({ write() {} }) };
    parts.readable.on('error', (error) => log('readable', describe(error)));
    parts.writable.on('error', (error) => log('writable', describe(error)));
    const duplex = watch(`${side} fails`, Duplex.from(parts));
    (side === 'duplex' ? duplex : parts[side]).destroy(new Error(side));
    await settle();
    log(duplex.destroyed, parts.readable.destroyed, parts.writable.destroyed);
  }
  const quiet = watch('quiet', Duplex.from({ readable: new Readable({ read() {} }) }));
  quiet.destroy();
  await settle();
  const old = new Stream();
  old.pause = old.resume = () => {};
  const wrapped = watch('old', Duplex.from(Object.assign(old, { readable: true })));
  old.emit('data', Buffer.from('o'));
  old.emit('end');
  await settle();
  log(wrapped.readableEnded);

  // compose()
  const double = () => new Transform({ objectMode: true, transform(chunk, encoding, callback) { callback(null, chunk * 2); } });
  const composed = watch('composed', compose(double(), async function*(source) { for await (const chunk of source) yield chunk + 1; }, double()));
  show(composed);
  composed.write(1);
  composed.end(2);
  await settle();
  await settle();
  const onlyRead = watch('only read', compose(Readable.from([1, 2]), double()));
  show(onlyRead);
  await settle();
  const onlyWrite = watch('only write', compose(double(), async (source) => { for await (const chunk of source) log('swallowed', chunk); }));
  show(onlyWrite);
  onlyWrite.end(4);
  await settle();
  const web = watch('web', compose(new TransformStream({ transform(chunk, controller) { controller.enqueue(`${chunk}!`); } }), new PassThrough()));
  show(web);
  web.end('hey');
  await settle();
  await settle();
  const failing = watch('failing', compose(new PassThrough(), new Transform({ transform(chunk, encoding, callback) { callback(new Error('composed')); } })));
  failing.write('x');
  await settle();
  const stopped = watch('stopped', compose(new PassThrough(), new PassThrough()));
  stopped.destroy();
  await settle();
  attempt('none', () => compose());
  attempt('one', () => compose([1]));
  attempt('not readable', () => compose(new Writable(), new PassThrough()));
  attempt('not writable', () => compose(new PassThrough(), Readable.from([])));
  attempt('not a stream', () => compose(1, 2));
  await finished(new PassThrough().compose(new PassThrough()).resume().end('z'));
  attempt('signal', () => new PassThrough().compose(new PassThrough(), { signal: 1 }));
  watch('with signal', Readable.from(['s']).compose(new PassThrough({ objectMode: true }), { signal: AbortSignal.abort('reason') }));
  await settle();
  log('end');
})();
process.on('unhandledRejection', (error) => log('unhandled', describe(error)));
