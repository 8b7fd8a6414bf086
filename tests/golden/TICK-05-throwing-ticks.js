'use strict';
process.on('uncaughtException', (error) => console.log('caught', error.message));
for (let i = 0; i < 4; i++) {
  process.nextTick(() => {
    console.log('tick', i);
    queueMicrotask(() => console.log('microtask of', i));
    throw new Error(`tick ${i}`);
  });
}
for (let i = 0; i < 3; i++) {
  queueMicrotask(() => {
    console.log('microtask', i);
    process.nextTick(() => console.log('tick of microtask', i));
    throw new Error(`microtask ${i}`);
  });
}
setImmediate(() => console.log('immediate'));
