'use strict';
for (const name of ['one', 'two']) {
  setImmediate(() => {
    console.log('immediate', name);
    process.nextTick(() => console.log('tick', name));
    Promise.resolve().then(() => console.log('promise', name));
  });
}
