'use strict';
const timer = setTimeout(() => console.log('never'), 1);
console.log(timer.close() === timer, timer.close() === timer);
const interval = setInterval(() => {
  console.log('once');
  interval.close();
}, 1);
console.log(typeof setImmediate(() => {}).close);
