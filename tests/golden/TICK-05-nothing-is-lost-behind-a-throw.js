'use strict';
// Each kind of callback throws; the ticks and microtasks that stand behind it still run.
process.on('uncaughtException', (error) => console.log('caught', error.message));
function fail(name) {
  process.nextTick(() => console.log(name, 'tick'));
  Promise.resolve().then(() => console.log(name, 'promise'));
  throw new Error(name);
}
setImmediate(fail, 'immediate');
setImmediate(() => {
  console.log('immediate behind');
  setTimeout(fail, 1, 'timer');
  setTimeout(() => console.log('timer behind'), 1);
  // Both fall due before the loop gets to them.
  for (const end = Date.now() + 10; Date.now() < end;);
});
process.nextTick(fail, 'tick');
process.nextTick(() => console.log('tick behind'));
queueMicrotask(() => fail('microtask'));
queueMicrotask(() => console.log('microtask behind'));
// The timers are due when the loop starts, so they come before the immediates.
for (const end = Date.now() + 60; Date.now() < end;);
fail('main');
