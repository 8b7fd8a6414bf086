'use strict';
const { setTimeout: sleep, setImmediate: immediate, setInterval: every, scheduler } = require('timers/promises');
(async () => {
  console.log(await sleep(1), await sleep(1, 'value'), await immediate('now'));
  let count = 0;
  for await (const value of every(1, 'tick')) {
    console.log(value);
    if (++count === 3) break;
  }
  await scheduler.wait(1);
  await scheduler.yield();
  const controller = new AbortController();
  const waiting = sleep(100000, undefined, { signal: controller.signal });
  controller.abort();
  await waiting.catch((error) => console.log(error.name, error.code, error.message));
  for (const wait of [sleep, immediate]) {
    await wait(1, undefined, { signal: AbortSignal.abort('why') }).catch?.((error) => console.log(error.name, error.cause));
  }
  await immediate(undefined, { signal: AbortSignal.abort() }).catch((error) => console.log(error.name));
  for (const bad of [() => sleep(1, 1, { signal: 1 }), () => sleep(1, 1, { ref: 1 }), () => sleep(1, 1, 'x'), () => immediate(1, 'x')]) {
    await bad().catch((error) => console.log(error.code, error.message));
  }
  sleep(100000, undefined, { ref: false });
  console.log('end');
})();
