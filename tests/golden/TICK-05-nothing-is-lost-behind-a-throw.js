'use strict';
// Each kind of callback throws; the ticks and microtasks that stand behind it still run.
process.on('uncaughtException', (error) => console.log('caught', error.message));
function fail(name) {
  process.nextTick(() => console.log(name, 'tick'));
  Promise.resolve().then(() => console.log(name, 'promise'));
  throw new Error(name);
}
setImmediate(fail, 'immediate');
setImmediate(() => console.log('immediate behind'));
setTimeout(fail, 50, 'timer');
setTimeout(() => console.log('timer behind'), 50);
process.nextTick(fail, 'tick');
process.nextTick(() => console.log('tick behind'));
queueMicrotask(() => fail('microtask'));
queueMicrotask(() => console.log('microtask behind'));
fail('main');
