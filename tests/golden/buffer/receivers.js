// Methods of Buffer on what is no buffer, and on buffers that lie about their length. Nothing may crash; what exactly
// is said is not the point.
'use strict';
const skipped = new Set(['constructor', 'parent', 'offset', 'inspect', 'toJSON']);
const liar = (length) => Object.defineProperty(Buffer.from('0123456789abcdef'), 'length', { value: length });
const receivers = {
  'undefined': undefined,
  'null': null,
  'number': 5,
  'object': {},
  'function': () => {},
  'Buffer.prototype': Buffer.prototype,
  'in disguise': Object.create(Buffer.prototype),
};
const argumentLists = [[], ['ab'], ['ab', 0, 2], [0, 4], [Buffer.from('x')], [Buffer.from('x'), 0, 1, 0, 1], [1, 0, 2]];
for (const [title, receiver] of Object.entries(receivers)) {
  const quiet = [];
  for (const name of Object.getOwnPropertyNames(Buffer.prototype)) {
    if (skipped.has(name)) continue;
    for (const list of argumentLists) {
      try {
        Buffer.prototype[name].apply(receiver, list);
        if (!quiet.includes(name)) quiet.push(name);
      } catch (error) {
        if (!(error instanceof Error)) console.log(name, error);
      }
    }
  }
  console.log(title, quiet.length < 12);
}
for (const length of [-1, NaN, Infinity, 1e20, 'abc', 2 ** 33, 17, 1.5, undefined, null, {}]) {
  for (const name of Object.getOwnPropertyNames(Buffer.prototype)) {
    if (skipped.has(name) || name.startsWith('swap')) continue;
    for (const list of argumentLists) {
      try {
        liar(length)[name](...list);
      } catch (error) {
        if (!(error instanceof Error)) console.log(name, error);
      }
    }
  }
  for (const make of ['from', 'concat', 'compare', 'byteLength', 'copyBytesFrom']) {
    try {
      Buffer[make](make === 'concat' ? [liar(length)] : liar(length), liar(length));
    } catch (error) {
      if (!(error instanceof Error)) console.log(make, error);
    }
  }
}
console.log('still here');
