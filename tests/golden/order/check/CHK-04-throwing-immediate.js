'use strict';
process.on('uncaughtException', (error, origin) => console.log('handled', error.message, origin));
for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    process.nextTick(() => console.log('tick of', i));
    if (i % 2 === 1) throw new Error(`from ${i}`);
  });
}
