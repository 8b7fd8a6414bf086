'use strict';
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => {
  console.log('tick');
  process.exit();
});
process.nextTick(() => console.log('never'));
Promise.resolve().then(() => console.log('never'));
process.exitCode = 6;
