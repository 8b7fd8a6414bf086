'use strict';
process.on('exit', (code) => console.log('exit', code));
process.nextTick(() => console.log('never'));
Promise.resolve().then(() => console.log('never'));
setTimeout(() => console.log('never'), 1);
function broken() {
  throw new TypeError('broken in main');
}
broken();
