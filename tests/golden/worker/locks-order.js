// The order in which callbacks of locks run: at once if the lock is free, and in the release of the one before.
'use strict';
const { locks } = navigator;
const { AsyncLocalStorage } = require('async_hooks');
const log = (...a) => console.log(...a);
async function main() {
  log('1');
  const p = locks.request('a', () => { log('callback'); return 5; });
  log('2');
  p.then((v) => log('settled', v));
  let t = 0; (function tick() { if (t++ < 12) { log('tick', t); queueMicrotask(tick); } })();
  locks.request('s', { signal: new AbortController().signal }, () => { log('signal cb'); return 6; }).then((v) => log('signal settled', v));
  log('3');
  await new Promise(setImmediate);
  // queue
  const als = new AsyncLocalStorage();
  const q = [];
  q.push(locks.request('q', async () => { log('q1'); await null; log('q1 end'); return 'q1'; }).then(log));
  q.push(locks.request('q', { mode: 'shared' }, () => { log('q2'); locks.request('z', () => log('z in q2')); }).then(() => log('q2 settled')));
  q.push(als.run(7, () => locks.request('q', { mode: 'shared' }, () => { log('q3'); })).then(() => log('q3 settled')));
  q.push(locks.request('q', { ifAvailable: true }, (l) => { log('q4', l); }).then(() => log('q4 settled')));
  q.push(locks.request('q', async () => { log('q5'); }).then(() => log('q5 settled')));
  log('asked');
  await Promise.all(q);
  const first = locks.request('steal', () => new Promise(() => {})).catch((e) => log('lost', e.name));
  locks.request('steal', { steal: true }, () => { log('stole'); }).then(() => log('steal settled'));
  log('after steal');
  await first;
  const c = new AbortController();
  locks.request('ab', () => new Promise((r) => setImmediate(r))).then(() => log('ab1 settled'));
  const ab = locks.request('ab', { signal: c.signal }, () => log('never')).catch((e) => log(e.name));
  c.abort(); log('aborted'); await ab;
  const t2 = locks.request('th', { ifAvailable: true }, () => ({ then(r) { r('thenable'); } }));
  log(await t2);
  log(await locks.request('n', () => locks.request('n', { ifAvailable: true }, (l) => `inner ${l}`)));
  locks.request('x', { signal: new AbortController().signal }, async () => { throw new Error('mine'); }).catch((e) => log(e.message));
  log(await locks.request('x', { mode: 'shared', signal: new AbortController().signal }, async () => 'two'));
}
main();
