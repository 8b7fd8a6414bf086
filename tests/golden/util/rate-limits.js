'use strict';
const util = require('node:util');
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};
for (const args of [[], [() => {}, -1], [() => {}, 1, 5], [() => {}, 1, { leading: 1 }], [() => {}, 1, { signal: AbortSignal.abort() }]]) {
  console.log(attempt(() => util.debounce(...args)));
}
for (const args of [[() => {}, 0, 1], [() => {}, 1, -1], [() => {}, 1, 1, { overflow: 'x' }], [() => {}, 1, 1, { concurrency: 0 }]]) {
  console.log(attempt(() => util.throttle(...args)));
}
(async () => {
  const add = util.debounce(function add(a, b) { return a + b; }, 5);
  console.log(add.name, add.length, Object.keys(add), add.pending, add.pendingCount);
  const results = Promise.all([add(1, 2), add(3, 4), add(5, 6)]);
  console.log(add.pendingCount, await results, add.pendingCount);
  const first = util.debounce((value) => value, 5, { leading: true });
  console.log(await Promise.all([first('now'), first('later')]));
  const late = add(7, 8);
  add.flush();
  console.log(await late);
  const cancelled = add(9, 9);
  add.cancel('why');
  await cancelled.catch((error) => console.log(error.name, error.cause));
  const superseding = util.debounce((value) => value, 5, { rejectOnCancel: true });
  const old = superseding(1);
  old.catch((error) => console.log(error.name, error.message));
  console.log(await superseding(2));
  const failing = util.debounce(() => { throw new RangeError('no'); }, 1);
  await failing().catch((error) => console.log(error.message));

  const calls = [];
  const slow = util.throttle((value) => { calls.push(value); return value; }, 2, 400);
  console.log(slow.hasImmediateCapacity(), Object.keys(slow), slow.activeCount);
  const all = [slow(1), slow(2), slow(3), slow(4)];
  console.log(calls, slow.pendingCount, slow.hasImmediateCapacity(), await Promise.all(all), calls);
  const dropping = util.throttle((value) => value, 1, 1000, { overflow: 'drop' });
  console.log(await dropping(1), await dropping(2).catch((error) => error.code));
  const controller = new AbortController();
  const aborted = util.throttle((value) => value, 1, 1000, { signal: controller.signal });
  aborted(1);
  const waiting = aborted(2);
  controller.abort('enough');
  await waiting.catch((error) => console.log(error.name, error.cause));
  await aborted(3).catch((error) => console.log(error.name));
  util.markPromiseAsHandled(Promise.reject(new Error('nobody looks')));
  console.log(attempt(() => util.markPromiseAsHandled(5)), util.MIMEType.parse('nope'), String(util.MIMEType.parse('text/plain')));
  let text = '';
  for await (const part of new Blob(['hé', 'llo']).textStream()) text += part;
  console.log(text);
})();
