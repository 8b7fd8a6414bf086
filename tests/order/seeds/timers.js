'use strict';
// Timers, immediates, ticks and promises together.
const { setTimeout: sleep } = require('timers/promises');
const order = [];
const log = (name) => order.push(name);
setTimeout(log, 1, 'timeout 1');
setTimeout(log, 0, 'timeout 0');
setImmediate(() => {
  log('immediate');
  setTimeout(log, 1, 'timeout of an immediate');
  setImmediate(log, 'immediate of an immediate');
  process.nextTick(log, 'tick of an immediate');
});
process.nextTick(log, 'tick');
Promise.resolve().then(() => log('promise'));
queueMicrotask(() => log('microtask'));
(async () => {
  for (let i = 0; i < 5; i++) {
    await sleep(i);
    log(`slept ${i}`);
    await new Promise(setImmediate);
    log(`after immediate ${i}`);
  }
})();
const interval = setInterval(log, 2, 'interval');
setTimeout(() => clearInterval(interval), 9);
process.on('exit', () => console.log(order.join(', ')));
