// Numbers, strings, symbols: alone, in an array, in an object, and below that, with the options that concern them.
const { inspect } = require('util');

const values = [
  undefined, null, true, false, 0, -0, 1, -1, 1.5, 1e21, NaN, Infinity, -Infinity, 123456789.123456789, -1234.5678, 0.25,
  10n, -123456789012345678901234567890n, 0n, 1234n,
  Symbol('a'), Symbol(), Symbol('with\nnewline'), Symbol.iterator,
  '', 'abc', "it's", 'say "hi"', `it's "both"`, "all '\"` three", "it's \"${y}\"", "'", '"', '`', '\\', '\\n',
  'a\nb', 'tab\t\x00\x01\x07\b\v\f\r\x1b\x7f\x80\x9f\xa0\u2028\u2029\ufeff', '\ud800', 'x\udc00y', '\ud83d\ude00', '\ude00\ud83d',
  'line one\nline two is longer than the first\nline three\n'.repeat(3), '\n'.repeat(20), 'short\nlines',
  'a'.repeat(17) + '\n' + 'b'.repeat(70), '\u4e2d\u6587\u5b57\u7b26\u4e32', 'e\u0301'.repeat(40), 'x'.repeat(200),
];
const options = [
  undefined, { colors: true }, { compact: true }, { compact: false }, { breakLength: 40 }, { breakLength: 20, compact: 1 },
  { numericSeparator: true }, { maxStringLength: 5 }, { maxStringLength: 0 }, { maxStringLength: 1 }, { maxStringLength: null },
];
for (const option of options) {
  console.log('--', JSON.stringify(option));
  for (const value of values) {
    console.log(inspect(value, option));
    console.log(inspect([value], option));
    console.log(inspect({ key: value, a: { b: value } }, option));
  }
}

console.log(inspect('x'.repeat(10001)).slice(-40));
console.log(inspect('x'.repeat(10002)).slice(-40));
console.log(inspect('x'.repeat(20000), { maxStringLength: Infinity }).length);

// Keys: which are quoted, which are escaped.
console.log(inspect({
  a: 1, a1: 2, _a: 3, $a: 4, 'a-b': 5, 'a b': 6, '': 7, 1: 8, '1a': 9, '\u00e9': 10, 'a\nb': 11, "it's": 12, '\x7f': 13,
  ['__proto__']: 14, [Symbol('s')]: 15, [Symbol('s\ns')]: 16, [Symbol()]: 17, 'constructor': 18,
}));
console.log(inspect(Object.defineProperties({}, {
  plain: { value: 1 }, 'with space': { value: 2 }, 'new\nline': { value: 3 }, [Symbol('hidden')]: { value: 4 },
}), { showHidden: true }));
