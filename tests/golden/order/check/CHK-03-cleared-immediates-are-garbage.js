'use strict';
// Cleared immediates can be collected, also if none is left for the check phase to run.
const { setTimeout: sleep } = require('node:timers/promises');

(async () => {
  const cleared = [];
  for (let i = 0; i < 1000; i++) {
    const immediate = setImmediate(() => console.log('never'));
    cleared.push(new WeakRef(immediate));
    clearImmediate(immediate);
  }
  await sleep(1);
  gc();
  console.log(cleared.filter((ref) => ref.deref() !== undefined).length < 10);
  setImmediate(() => console.log('one'));
  const two = setImmediate(() => console.log('never'));
  setImmediate(() => console.log('three'));
  clearImmediate(two);
})();
