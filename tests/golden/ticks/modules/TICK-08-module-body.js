// The body of an ES module runs as a microtask: promise callbacks come before ticks.
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask'));
console.log('body');
await null;
console.log('after await');
process.nextTick(() => console.log('second tick'));
await new Promise((resolve) => setTimeout(resolve, 1));
console.log('after timer');
export {};
