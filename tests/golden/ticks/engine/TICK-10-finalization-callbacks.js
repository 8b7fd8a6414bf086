'use strict';
// V8 posts the callbacks of a FinalizationRegistry as tasks. What throws is posted again, and so waits for the next poll.
const callbacks = new FinalizationRegistry((name) => {
  console.log('collected', name);
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
});
const throwing = new FinalizationRegistry((name) => {
  console.log('collected', name);
  process.nextTick(() => console.log('tick'));
  throw new Error('thrown');
});
process.on('uncaughtException', (error) => console.log('uncaughtException', error.message));
(() => {
  callbacks.register({}, 'object');
  callbacks.register({}, 'object');
})();
setTimeout(() => {
  gc();
  setImmediate(() => console.log('immediate'));
  setTimeout(() => {
    (() => {
      throwing.register({}, 'another');
      throwing.register({}, 'another');
    })();
    setImmediate(() => {
      gc();
      setImmediate(() => console.log('immediate'));
    });
  }, 5);
}, 5);
