'use strict';
// Clearing what is no timer does nothing, and never throws.
const ran = [];
process.on('exit', () => console.log(ran.sort().join('\n')));
const immediate = setImmediate(() => ran.push('immediate ran: clearTimeout does not know it'));
const things = [undefined, null, 0, -1, NaN, Infinity, 12345678, '', 'x', '12345678', true, false, {}, [], () => {}, 5n,
  Symbol('s'), /x/, new Date(0), { _onTimeout: 1 }, immediate];
for (const clear of [clearTimeout, clearInterval]) {
  for (const thing of things) {
    const result = clear(thing);
    if (result !== undefined) console.log('result', result);
  }
  clear();
}
setTimeout(() => ran.push('timer ran'), 40);
for (const thing of [undefined, null, 0, NaN, '', false, {}, [], () => {}, /x/]) {
  if (clearImmediate(thing) !== undefined) console.log('result');
}
clearImmediate();
const twice = setTimeout(() => console.log('never'), 1);
clearTimeout(twice);
clearTimeout(twice);
// Far apart, so that the order is always the same.
const late = setTimeout(() => setImmediate(() => {
  clearTimeout(late);
  ran.push('cleared after it ran');
}), 60);
