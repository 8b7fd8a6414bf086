'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
process.on('exit', (code) => {
  console.log('exit', code);
  throw new Error('from the listener');
});
process.on('exit', () => console.log('second'));
