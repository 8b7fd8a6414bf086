'use strict';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error, origin));
process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
process.on('rejectionHandled', () => {
  console.log('handled');
  throw 'listener';
});
const promises = [Promise.reject(1), Promise.reject(2)];
setImmediate(() => promises.forEach((promise, i) => promise.catch(() => console.log('caught', i + 1))));
setTimeout(() => console.log('timer'), 100);
