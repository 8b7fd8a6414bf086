// Modified prototypes. Node fails here: it relies on some of them.
const { inspect, format } = require('util');

const value = { a: [1, , 3], m: new Map([[1, new Set([2])]]), s: 'it\'s', d: new Date(0), r: /x/g, e: Object.assign(new Error('e'), { stack: 'Error: e\n    at f (g)' }), f() {}, u: new Uint8Array(2), n: -0, [Symbol('y')]: 1n };
const before = inspect(value, { depth: 9, colors: true }) + format('%s %d %i %f %j %o %O %c %%', 'a', 1, '2', '3', { j: 1 }, [1], { b: 2 }, 'css', 'rest', value.e);
const broken = () => { throw new Error('patched'); };
const patches = [
  [Array.prototype, ['push', 'pop', 'join', 'slice', 'sort', 'includes', 'indexOf', 'map', 'filter', 'splice', 'unshift', Symbol.iterator]],
  [String.prototype, ['slice', 'split', 'indexOf', 'includes', 'replace', 'replaceAll', 'repeat', 'padStart', 'startsWith', 'charCodeAt', 'codePointAt', 'normalize', 'toString']],
  [RegExp.prototype, ['exec', 'test', 'toString', Symbol.replace, Symbol.split, Symbol.match]],
  [Map.prototype, ['get', 'set', 'has', 'entries', 'forEach']], [Set.prototype, ['has', 'add', 'values', 'forEach']], [Date.prototype, ['toISOString', 'getTime', 'toString']],
  [Object, ['keys', 'getOwnPropertyDescriptor', 'getOwnPropertyNames', 'getPrototypeOf', 'assign', 'defineProperty']], [Object.prototype, ['hasOwnProperty', 'propertyIsEnumerable']],
  [Number.prototype, ['toString']], [Symbol.prototype, ['toString']], [Function.prototype, ['call', 'apply', 'bind', 'toString']], [JSON, ['stringify']], [Math, ['min', 'max', 'floor', 'sqrt', 'round']],
];
const saved = [];
for (const [object, names] of patches) {
  for (const name of names) {
    saved.push([object, name, Object.getOwnPropertyDescriptor(object, name)]);
  }
}
for (let i = 0; i < saved.length; i++) saved[i][0][saved[i][1]] = broken;
let after;
try {
  after = inspect(value, { depth: 9, colors: true }) + format('%s %d %i %f %j %o %O %c %%', 'a', 1, '2', '3', { j: 1 }, [1], { b: 2 }, 'css', 'rest', value.e);
} catch (error) {
  after = error;
}
for (let i = 0; i < saved.length; i++) Reflect.defineProperty(saved[i][0], saved[i][1], saved[i][2]);
console.log(after === before ? 'the same' : after);
