'use strict';
process.on('beforeExit', () => console.log('never'));
process.on('exit', (code) => {
  console.log('exit', code);
  process.exit(9);
});
setTimeout(() => console.log('never'), 1);
process.nextTick(() => console.log('never'));
process.exit(7);
console.log('never');
