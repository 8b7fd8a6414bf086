'use strict';
process.on('unhandledRejection', (reason, promise) => {
  console.log('unhandledRejection', String(reason), promise instanceof Promise);
  process.nextTick(() => console.log('tick of the listener'));
});
process.on('rejectionHandled', (promise) => console.log('rejectionHandled', promise === late));
Promise.reject(new Error('nobody cares'));
const soon = Promise.reject(new Error('handled in a tick'));
process.nextTick(() => soon.catch((error) => console.log('caught', error.message)));
const inMicrotask = Promise.reject(new Error('handled in a microtask'));
queueMicrotask(() => inMicrotask.catch((error) => console.log('caught', error.message)));
const late = Promise.reject(new Error('handled late'));
setImmediate(() => late.catch((error) => console.log('caught', error.message)));
(async () => { throw 'a string'; })();
Promise.reject();
new Promise(() => { throw new Error('in the executor'); });
