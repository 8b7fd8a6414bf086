'use strict';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.message, origin));
process.on('unhandledRejection', (reason) => {
  console.log('listener', reason.message);
  throw new Error(`thrown for ${reason.message}`);
});
Promise.reject(new Error('one'));
Promise.reject(new Error('two'));
setImmediate(() => console.log('immediate'));
