'use strict';
Promise.resolve().then(() => console.log('promise 1'));
process.nextTick(() => console.log('tick 1'));
queueMicrotask(() => {
  console.log('microtask');
  process.nextTick(() => console.log('tick of the microtask'));
  Promise.resolve().then(() => console.log('promise of the microtask'));
});
process.nextTick(() => {
  console.log('tick 2');
  Promise.resolve().then(() => console.log('promise of tick 2'));
  process.nextTick(() => console.log('tick of tick 2'));
});
(async () => {
  console.log('async function, at once');
  await null;
  console.log('after await');
})();
console.log('main');
