// The module body itself runs as a microtask, so microtasks come before ticks here.
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask'));
setImmediate(() => {
  process.nextTick(() => console.log('tick of an immediate'));
  Promise.resolve().then(() => console.log('promise of an immediate'));
});
console.log('module');
