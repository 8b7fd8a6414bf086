'use strict';
const fs = require('node:fs');

setTimeout(function timeout() {
  process.nextTick(function tickOfTimer() {});
  Promise.resolve().then(function promiseOfTimer() {});
}, 1);
setTimeout(function second() {}, 1);
setImmediate(function immediate() {
  setImmediate(function nested() {});
});
process.nextTick(function tick() {
  process.nextTick(function tickOfTick() {});
});
Promise.resolve().then(function promise() {
  process.nextTick(function tickOfPromise() {});
}).then(function then() {});
queueMicrotask(function microtask() {});
fs.stat(__filename, function afterStat() {
  setTimeout(function timeoutOfIo() {}, 0);
  setImmediate(function immediateOfIo() {});
});
