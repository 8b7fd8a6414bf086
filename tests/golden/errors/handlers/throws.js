'use strict';
process.on('uncaughtException', (error) => {
  console.log('caught', error.message);
  throw new Error('from the handler');
});
process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never'), 10);
throw new Error('first');
