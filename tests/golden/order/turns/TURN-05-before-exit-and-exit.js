'use strict';
// 'beforeExit' comes again after each time it scheduled work; 'exit' once, and synchronously.
let rounds = 0;
process.on('beforeExit', (code) => {
  console.log('beforeExit', code, rounds);
  if (rounds === 0) setImmediate(() => console.log('immediate from beforeExit'));
  if (rounds === 1) setTimeout(() => console.log('timer from beforeExit'), 1);
  if (rounds === 2) process.nextTick(() => console.log('tick from beforeExit does not keep us alive'));
  rounds++;
});
process.on('exit', (code) => {
  console.log('exit', code);
  setTimeout(() => console.log('never'), 0);
  setImmediate(() => console.log('never'));
  process.nextTick(() => console.log('never'));
  Promise.resolve().then(() => console.log('a promise still reacts'));
});
process.on('exit', () => console.log('exit, second listener'));
console.log('main');
