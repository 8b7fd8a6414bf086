'use strict';
const burn = (ms) => { for (const end = Date.now() + ms; Date.now() < end;); };
function busy(name) {
  console.log(name);
  process.nextTick(() => {
    console.log(`${name} tick`);
    Promise.resolve().then(() => {
      console.log(`${name} tick promise`);
      process.nextTick(() => console.log(`${name} tick promise tick`));
    });
  });
  Promise.resolve().then(() => {
    console.log(`${name} promise`);
    process.nextTick(() => console.log(`${name} promise tick`));
    queueMicrotask(() => console.log(`${name} promise microtask`));
  });
}
setTimeout(busy, 1, 'timer one');
setTimeout(busy, 1, 'timer two');
setImmediate(busy, 'immediate one');
setImmediate(busy, 'immediate two');
busy('main');
burn(5);
