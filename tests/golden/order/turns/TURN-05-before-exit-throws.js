'use strict';
// A listener that throws has 'beforeExit' emitted again, as handling the exception sets an immediate.
let count = 0;
process.on('uncaughtException', (error) => console.log('caught', error));
process.on('beforeExit', () => {
  console.log('beforeExit', ++count);
  process.nextTick(() => console.log('tick', count));
  if (count < 3) throw count;
  if (count === 3) process.nextTick(() => { throw 'tick'; });
  process.nextTick(() => console.log('last tick', count));
});
process.on('exit', () => console.log('exit'));
