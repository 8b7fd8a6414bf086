'use strict';
// In which order things happen when a stream ends, fails or is destroyed.
const { Duplex, Readable, Transform, Writable, destroy } = require('node:stream');
const tick = () => new Promise(setImmediate);
const log = (...args) => console.log(...args);
function watch(stream, name) {
  for (const event of ['end', 'finish', 'error', 'close', 'prefinish']) {
    stream.on(event, (error) => log(name, event, error?.message ?? error?.code ?? ''));
  }
  return stream;
}

(async () => {
  const make = {
    readable: (options) => new Readable({ read() {}, ...options }),
    writable: (options) => new Writable({ write(c, e, cb) { cb(); }, ...options }),
    duplex: (options) => new Duplex({ read() {}, write(c, e, cb) { cb(); }, ...options }),
    transform: (options) => new Transform({ transform(c, e, cb) { cb(null, c); }, ...options }),
  };
  for (const [kind, create] of Object.entries(make)) {
    log('==', kind, 'destroy');
    const plain = watch(create(), kind);
    log(plain.destroy() === plain, plain.destroyed, plain.closed);
    process.nextTick(log, 'tick');
    await tick();
    log(plain.closed, plain.destroy(new Error('ignored')).errored);

    log('==', kind, 'destroy with error, twice');
    const failed = watch(create(), kind);
    failed.destroy(new Error('first'));
    failed.destroy(new Error('second'));
    await tick();

    log('==', kind, 'own _destroy');
    const own = watch(create({ destroy(error, callback) { log('_destroy', error?.message); setImmediate(() => callback(new Error('from _destroy'))); } }), kind);
    own.destroy();
    await tick();
    await tick();

    log('==', kind, 'throwing _destroy');
    const throwing = watch(create({ destroy() { throw new Error('thrown'); } }), kind);
    try { throwing.destroy(); } catch (error) { log('out', error.message); }
    await tick();

    log('==', kind, 'no close event, no autoDestroy');
    const silent = watch(create({ emitClose: false, autoDestroy: false }), kind);
    if (silent.end) silent.end();
    if (silent.resume) { silent.push?.(null); silent.resume(); }
    await tick();
    log(silent.destroyed);
    silent.destroy(new Error('now'));
    await tick();

    log('==', kind, 'construct');
    const built = watch(create({ construct(callback) { log('construct'); setImmediate(() => { log('constructed'); callback(); }); } }), kind);
    if (built.end) built.end('x', () => log('end callback'));
    if (built.resume) { if (kind !== 'transform') built.push(null); built.resume(); }
    await tick();
    await tick();
    await tick();

    log('==', kind, 'construct fails');
    watch(create({ construct(callback) { callback(new Error('no construct')); } }), kind);
    await tick();

    log('==', kind, 'construct destroyed');
    const early = watch(create({ construct(callback) { setImmediate(callback); }, destroy(error, callback) { log('_destroy', error?.message); callback(error); } }), kind);
    early.destroy(new Error('early'));
    await tick();
    await tick();
    await tick();

    log('==', kind, 'signal');
    const controller = new AbortController();
    const signalled = watch(create({ signal: controller.signal }), kind);
    controller.abort();
    await tick();
    log(signalled.destroyed, signalled.errored?.name);
    const aborted = watch(create({ signal: AbortSignal.abort('r') }), kind);
    await tick();
    log(aborted.errored?.cause);

    log('==', kind, 'ends by itself');
    const natural = watch(create(), kind);
    if (natural.end) natural.end();
    if (natural.resume) { natural.push(null); natural.resume(); }
    await tick();
    log(natural.destroyed, natural.errored);
  }

  log('== half open');
  for (const allowHalfOpen of [true, false]) {
    const half = watch(new Duplex({ allowHalfOpen, read() { this.push(null); }, write(c, e, cb) { cb(); } }), `half ${allowHalfOpen}`);
    half.resume();
    await tick();
    log(half.writableEnded, half.destroyed, half.allowHalfOpen);
    half.end();
    await tick();
    log(half.destroyed);
  }
  const oneWay = watch(new Duplex({ readable: false, write(c, e, cb) { cb(); } }), 'writes only');
  log(oneWay.readable, oneWay.writable);
  oneWay.end();
  await tick();
  log(oneWay.destroyed);
  const other = watch(new Duplex({ writable: false, read() { this.push(null); } }), 'reads only');
  other.resume();
  await tick();
  log(other.destroyed, other.writable, other.readable);
  log('== destroy()');
  const target = watch(new Readable({ read() {} }), 'function');
  destroy(target, new Error('by function'));
  const bare = watch(new Readable({ read() {} }), 'no reason');
  destroy(bare);
  await tick();
  for (const method of ['resume', 'on']) {
    const disposed = watch(new Readable({ read() {} }), 'disposed');
    if (method === 'on') disposed.push(null), disposed.resume(), await tick();
    await disposed[Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]?.();
    log(disposed.destroyed, disposed.errored?.name);
  }
})();
