'use strict';
// pipeline(), finished() and compose(), with everything that they take.
const stream = require('node:stream');
const { Duplex, PassThrough, Readable, Transform, Writable, addAbortSignal, compose, finished, pipeline } = stream;
const promises = require('node:stream/promises');
const { promisify } = require('node:util');
const log = console.log;
const tick = () => new Promise(setImmediate);
const attempt = async (name, f) => { try { log(name, await f()); } catch (error) { log(name, error.name, error.code, error.message); } };
const collect = (chunks) => new Writable({ objectMode: true, write(chunk, e, callback) { chunks.push(String(chunk)); callback(); } });
const upper = () => new Transform({ transform(chunk, e, callback) { callback(null, String(chunk).toUpperCase()); } });
const run = (...args) => new Promise((resolve) => pipeline(...args, (error, value) => resolve([error?.message, value])));

(async () => {
  const chunks = [];
  log(await run(Readable.from(['a', 'b']), upper(), collect(chunks)), chunks);
  log(await run(['x', 'y'], async function*(source) { for await (const item of source) yield item + '1'; }, collect(chunks)), chunks);
  log(await run(Readable.from(['1', '2']), async (source) => { let all = ''; for await (const item of source) all += item; return all; }));
  log(await run(async function*() { yield 'g'; yield 'h'; }, collect(chunks)), chunks);
  log(await run(Readable.from(['p']), new PassThrough(), async function*(source) { yield* source; }, new PassThrough().resume()));

  // Errors destroy all of them.
  for (const place of ['first', 'second', 'third', 'function']) {
    const streams = [
      place === 'first' ? new Readable({ read() { this.destroy(new Error('first')); } }) : new Readable({ read() { this.push('x'); } }),
      place === 'second' ? new Transform({ transform(c, e, callback) { callback(new Error('second')); } }) : new PassThrough(),
      place === 'function' ? async (source) => { for await (const item of source) throw new Error(`function ${item}`); } :
        new Writable({ write(c, e, callback) { if (place === 'third') callback(new Error('third')); } }),
    ];
    log(place, await run(...streams), streams.map((s) => s.destroyed));
  }
  // Closing too early is an error.
  const early = new Readable({ read() { this.push('x'); this.destroy(); } });
  log(await run(early, new PassThrough().resume()));
  const closing = new Writable({ write(c, e, callback) { this.destroy(); callback(); } });
  log(await run(Readable.from(['a', 'b']), closing));

  // Signals and `end`.
  const controller = new AbortController();
  const waiting = promises.pipeline(new Readable({ read() {} }), new PassThrough(), { signal: controller.signal });
  controller.abort();
  await attempt('aborted', () => waiting);
  await attempt('aborted before', () => promises.pipeline(new Readable({ read() {} }), new PassThrough(), { signal: AbortSignal.abort() }));
  const open = new PassThrough();
  await promises.pipeline(Readable.from(['kept']), open, { end: false });
  log(open.writableEnded, String(open.read()));
  await attempt('promisify', () => promisify(pipeline)(Readable.from(['a']), collect(chunks)));
  await attempt('no streams', () => pipeline(() => {}));
  await attempt('one stream', () => pipeline(new PassThrough(), () => {}));
  await attempt('no callback', () => pipeline(new PassThrough(), new PassThrough()));
  await attempt('wrong', () => promises.pipeline(1, new PassThrough()));
  await attempt('wrong last', () => promises.pipeline(new PassThrough(), 1));
  await attempt('not iterable', () => promises.pipeline(Readable.from(['a']), () => 5, new PassThrough()));
  await attempt('signal', () => promises.pipeline(Readable.from(['a']), new PassThrough(), { signal: 1 }));

  // finished()
  const ends = async (name, s, options) => new Promise((resolve) => finished(s, options ?? {}, (error) => { log(name, error?.code ?? error?.message ?? error); resolve(); }));
  const read = Readable.from(['a']);
  const readEnds = ends('read', read.resume());
  await readEnds;
  await ends('read before', read);
  const destroyed = new Readable({ read() {} });
  destroyed.destroy();
  await ends('destroyed', destroyed);
  const failed = new Readable({ read() {} });
  failed.on('error', () => {});
  failed.destroy(new Error('gone'));
  await ends('failed', failed);
  const written = new Writable({ write(c, e, callback) { callback(); } });
  written.end('x');
  await ends('written', written);
  const duplex = new PassThrough();
  duplex.end();
  await ends('only writable', duplex, { readable: false });
  duplex.resume();
  await ends('both', duplex);
  const signal = new AbortController();
  const never = ends('signal', new PassThrough(), { signal: signal.signal });
  signal.abort();
  await never;
  const cleaned = new PassThrough();
  const cleanup = finished(cleaned, () => log('never'));
  cleanup();
  cleaned.resume().end();
  await tick();
  await attempt('promise', () => promises.finished(Readable.from(['x']).resume()));
  await attempt('promise cleanup', async () => { const s = Readable.from(['x']).resume(); await promises.finished(s, { cleanup: true }); return s.listenerCount('end'); });
  await attempt('no stream', () => finished(1, () => {}));
  await attempt('no function', () => finished(new PassThrough()));
  await attempt('wrong options', () => finished(new PassThrough(), 1, () => {}));

  // compose() and addAbortSignal()
  const composed = compose(upper(), async function*(source) { for await (const chunk of source) yield `${chunk}!`; });
  composed.end('abc');
  await attempt('composed', async () => (await composed.toArray()).map(String));
  const sinkOnly = compose(async function(source) { for await (const chunk of source) log('sink', String(chunk)); });
  sinkOnly.end('into');
  await attempt('sink', () => promises.finished(sinkOnly));
  await attempt('compose nothing', () => compose());
  await attempt('compose wrong', () => compose(1, 2));
  await attempt('abort signal', () => addAbortSignal(1, new PassThrough()));
  await attempt('abort stream', () => addAbortSignal(new AbortController().signal, {}));

  // Duplex.from()
  await attempt('from generator', async () => (await Duplex.from(async function*(source) { for await (const c of source) yield String(c).toUpperCase(); }).end('q').toArray()).map(String));
  await attempt('from iterable', () => Duplex.from(['a', 'b']).toArray());
  await attempt('from promise', () => Duplex.from(Promise.resolve('later')).toArray());
  await attempt('from pair', async () => {
    const out = [];
    const d = Duplex.from({ readable: Readable.from(['r']), writable: collect(out) });
    d.end('w');
    return [await d.toArray(), out];
  });
  await attempt('from wrong', () => Duplex.from(1));
  await attempt('from readable', async () => [Duplex.from(Readable.from(['s'])).writable, Duplex.from(collect([])).readable]);
  log([Readable.from([]), new Writable(), new PassThrough(), null, {}].map((s) => [stream.isReadable(s), stream.isWritable?.(s), stream.isErrored(s), stream.isDisturbed(s)].join()).join(' '));
  log(stream.getDefaultHighWaterMark(false), stream.getDefaultHighWaterMark(true));
  stream.setDefaultHighWaterMark(false, 100);
  log(new Readable().readableHighWaterMark, new Writable().writableHighWaterMark, new PassThrough().readableHighWaterMark);
  stream.setDefaultHighWaterMark(false, 16384);
  await attempt('mark', () => stream.setDefaultHighWaterMark(false, -1));
  await attempt('mark text', () => stream.setDefaultHighWaterMark(true, 'x'));
  const [left, right] = stream.duplexPair();
  left.end('ping');
  right.on('data', (chunk) => log('right', String(chunk)));
  right.on('end', () => right.end('pong'));
  await attempt('pair', async () => String(await (await left.toArray())[0]));
})();
