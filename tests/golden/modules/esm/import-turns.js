'use strict';
// The turns of the microtask queue that import() takes are part of the order that programs see.
async function turns(specifier) {
  let count = 0;
  let isDone = false;
  const done = (what) => () => {
    isDone = true;
    console.log(specifier, what, count);
  };
  import(specifier).then(done('imported'), done('refused'));
  while (!isDone && count < 100) {
    await null;
    count++;
  }
  if (!isDone) console.log(specifier, 'not yet');
  while (!isDone) await new Promise((resolve) => setTimeout(resolve, 1));
}
(async () => {
  for (let i = 0; i < 2; i++) {
    for (const specifier of [
      'node:events', '../fixtures/dynamic.mjs', '../fixtures/esm/named.cjs', './nothing.mjs', 'nothing',
    ]) await turns(specifier);
  }
})();
