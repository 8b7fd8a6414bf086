'use strict';
setTimeout(() => console.log('timer'), 1);
process.nextTick(() => console.log('tick, before the microtasks'));
const end = Date.now() + 30;
let rounds = 0;
(function again() {
  if (rounds++ === 5) process.nextTick(() => console.log('tick, after the microtasks'));
  if (Date.now() < end || rounds < 1000) Promise.resolve().then(again);
  else console.log('microtasks are over, more than 100:', rounds > 100);
})();
