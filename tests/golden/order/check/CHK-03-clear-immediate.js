'use strict';
const first = setImmediate(() => {
  console.log('first clears second and third');
  clearImmediate(second);
  process.nextTick(() => clearImmediate(third));
  clearImmediate(first);
});
const second = setImmediate(() => console.log('never'));
const third = setImmediate(() => console.log('never'));
setImmediate(() => {
  console.log('fourth');
  const inner = setImmediate(() => console.log('never'));
  clearImmediate(inner);
  clearImmediate(inner);
});
const before = setImmediate(() => console.log('never'));
clearImmediate(before);
const all = [];
for (let i = 0; i < 100; i++) all.push(setImmediate(() => i % 10 || console.log('many', i)));
for (let i = 0; i < 100; i += 20) clearImmediate(all[i]);
