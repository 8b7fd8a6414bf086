'use strict';
// Streams and iterators: for await, Readable.from, and the operators.
const { Readable, PassThrough } = require('node:stream');
const log = console.log;
const tick = () => new Promise(setImmediate);
const list = async (stream) => { const items = []; for await (const item of stream) items.push(item); return items; };
const attempt = async (name, f) => { try { log(name, await f()); } catch (error) { log(name, error.name, error.code, error.message); } };

(async () => {
  const left = new Readable({ objectMode: true, read() { this.push(1); } });
  for await (const item of left) { log(item); break; }
  log(left.destroyed);
  const kept = Readable.from([1, 2, 3]);
  for await (const item of kept.iterator({ destroyOnReturn: false })) { log(item); break; }
  log(kept.destroyed, await list(kept));
  const failing = new Readable({ read() { this.destroy(new Error('read failed')); } });
  await attempt('failing', () => list(failing));
  const thrower = Readable.from([1, 2]);
  await attempt('thrown', async () => { for await (const item of thrower) throw new Error(`at ${item}`); });
  log(thrower.destroyed);
  const premature = new Readable({ read() {} });
  setImmediate(() => premature.destroy());
  await attempt('premature', () => list(premature));
  await attempt('options', () => list(Readable.from([]).iterator(1)));

  // from()
  log(await list(Readable.from('text')), await list(Readable.from(Buffer.from('ab'))));
  log(await list(Readable.from(new Set([1, 2]))), await list(Readable.from((function*() { yield 'a'; yield Promise.resolve('b'); })())));
  log(await list(Readable.from(Promise.resolve([1]).then(() => []).constructor === Promise ? [Promise.resolve(5)] : [])));
  const closing = (async function*() { try { yield 1; yield 2; } finally { log('generator closed'); } })();
  for await (const item of Readable.from(closing)) { log(item); break; }
  const rejecting = (async function*() { yield 1; throw new Error('generator failed'); })();
  await attempt('rejecting', () => list(Readable.from(rejecting)));
  for (const value of [1, null, undefined, {}, () => {}]) await attempt(`from ${String(value)}`, () => list(Readable.from(value)));
  await attempt('null item', () => list(Readable.from([1, null])));
  log(Readable.from([], { objectMode: false }).readableObjectMode, Readable.from([]).readableHighWaterMark);

  // Operators.
  const numbers = () => Readable.from([1, 2, 3, 4, 5]);
  log(await numbers().map((x) => x * 2).filter((x) => x > 4).toArray());
  log(await numbers().map(async (x) => { await tick(); return x; }, { concurrency: 2 }).toArray());
  log(await numbers().take(2).toArray(), await numbers().drop(3).toArray(), await numbers().drop(1).take(1).toArray());
  log(await numbers().flatMap((x) => [x, x]).take(3).toArray(), typeof numbers().asIndexedPairs);
  log(await numbers().reduce((a, b) => a + b), await numbers().reduce((a, b) => a + b, 10), await Readable.from([]).reduce(() => {}, 'none'));
  log(await numbers().some((x) => x > 4), await numbers().every((x) => x > 4), await numbers().find((x) => x > 2), await numbers().find((x) => x > 9));
  await numbers().forEach((x) => log('each', x));
  await attempt('reduce empty', () => Readable.from([]).reduce((a, b) => a + b));
  await attempt('map fails', () => numbers().map((x) => { throw new Error(`map ${x}`); }).toArray());
  await attempt('not a function', () => numbers().map(1));
  await attempt('filter not a function', () => numbers().filter());
  await attempt('take negative', () => numbers().take(-1));
  await attempt('take NaN', () => numbers().take('x').toArray());
  await attempt('concurrency', () => numbers().map((x) => x, { concurrency: 0 }).toArray());
  await attempt('options', () => numbers().map((x) => x, 1));
  await attempt('signal', () => numbers().map((x) => x, { signal: 1 }));
  await attempt('reduce not a function', () => numbers().reduce(1));
  const controller = new AbortController();
  const aborted = numbers().map(async (x, { signal }) => { if (x === 2) controller.abort(); return x; }, { signal: controller.signal }).toArray();
  await attempt('aborted', () => aborted);
  await attempt('aborted before', () => numbers().toArray({ signal: AbortSignal.abort() }));
  log(Object.getOwnPropertyNames(Readable.prototype).filter((name) => /map|filter|take|drop|some|every|find|reduce|each|toArray|compose|Pairs/i.test(name)).sort().join());
  await attempt('compose', () => numbers().compose(async function*(source) { for await (const x of source) yield x + 1; }).toArray());
  await attempt('compose stream', async () => (await Readable.from(['a', 'b']).compose(new PassThrough({ objectMode: true })).toArray()));

  // Others that iterate.
  const events = require('node:events');
  const once = new PassThrough();
  setImmediate(() => once.end('z'));
  log(String((await events.once(once, 'data'))[0]));
  const on = new PassThrough();
  on.write('1');
  setImmediate(() => on.write('2'));
  let count = 0;
  for await (const [chunk] of events.on(on, 'data')) { log(String(chunk)); if (++count === 2) break; }
})();
