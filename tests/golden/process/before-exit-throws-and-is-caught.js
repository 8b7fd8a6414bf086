'use strict';
let times = 0;
process.on('uncaughtException', (error) => console.log('caught', error.message));
process.on('beforeExit', () => {
  console.log('beforeExit', ++times);
  if (times === 1) {
    setImmediate(() => console.log('immediate'));
    throw new Error('from beforeExit');
  }
});
process.on('exit', (code) => console.log('exit', code));
