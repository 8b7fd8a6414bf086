'use strict';
process.on('uncaughtException', (error, origin) => console.log('uncaughtException', error.message, origin));
Promise.resolve().then(() => { throw new Error('in then'); });
(async () => {
  await null;
  throw new Error('in an async function');
})();
Promise.resolve({ then() { throw new Error('in a thenable'); } });
new Promise((resolve) => {
  resolve();
  throw new Error('after resolve: swallowed');
});
Promise.resolve({ then(resolve) {
  resolve();
  throw new Error('after resolve in a thenable: swallowed');
} });
setTimeout(() => console.log('timer'), 1);
