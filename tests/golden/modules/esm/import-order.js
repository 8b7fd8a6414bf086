'use strict';
// import() runs nothing before its caller has returned.
console.log('start');
import('../fixtures/esm/order-a.mjs').then(() => {
  console.log('imported');
  process.nextTick(() => console.log('tick'));
  import('../fixtures/esm/order-a.mjs').then(() => console.log('imported again'));
  Promise.resolve().then(() => console.log('promise'));
});
process.nextTick(() => console.log('first tick'));
Promise.resolve().then(() => console.log('first promise'));
console.log('end');
