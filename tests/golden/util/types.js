// util.types: brands that cannot be forged.
const util = require('util');
const { types } = util;

const values = {
  'undefined': undefined, 'null': null, 'number': 1, 'string': 's', 'object': {}, 'array': [], 'function': () => {}, 'async': async () => {}, 'generator function': function*() {},
  'async generator function': async function*() {}, 'generator': (function*() {})(), 'arguments': (function() { return arguments; })(), 'date': new Date(0), 'regexp': /x/, 'error': new Error('e'),
  'subclass of error': new (class E extends TypeError {})('e'), 'fake error': Object.create(Error.prototype), 'promise': Promise.resolve(), 'thenable': { then() {} }, 'map': new Map(), 'set': new Set(),
  'map iterator': new Map().keys(), 'set iterator': new Set().values(), 'array iterator': [].values(), 'weak map': new WeakMap(), 'weak set': new WeakSet(), 'weak ref': new WeakRef({}),
  'array buffer': new ArrayBuffer(1), 'shared': new SharedArrayBuffer(1), 'data view': new DataView(new ArrayBuffer(1)), 'proxy': new Proxy({}, {}), 'proxy of date': new Proxy(new Date(0), {}),
  'Number': new Number(1), 'String': new String('s'), 'Boolean': new Boolean(true), 'BigInt': Object(1n), 'Symbol': Object(Symbol('s')), 'tagged': { [Symbol.toStringTag]: 'Uint8Array' },
  'fake date': Object.create(Date.prototype), 'date without prototype': Object.setPrototypeOf(new Date(0), null), 'fake typed': Object.create(Uint8Array.prototype),
};
for (const T of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) values[T.name] = new T(1);
values['typed without prototype'] = Object.setPrototypeOf(new Uint8Array(1), null);
for (const [name, test] of Object.entries(types)) {
  console.log(name, typeof test, Object.keys(values).filter((key) => test(values[key]) === true).join(', '), test());
}
console.log(require('util/types') === types, require('node:util/types') === types);
import('data:text/javascript,export default 1').then((namespace) => {
  console.log(types.isModuleNamespaceObject(namespace), types.isModuleNamespaceObject({}), namespace);
}, (error) => console.log(error.message));

// Many times over, as optimised code does it, also with too few arguments.
let count = 0;
for (let i = 0; i < 100000; i++) {
  if (types.isDate(i % 2 ? values.date : values.map)) count++;
  if (types.isMap()) count++;
  if (types.isBoxedPrimitive(i % 3 ? values.String : 's', 1)) count++;
  if (types.isTypedArray(i % 4 ? values.Int8Array : [])) count++;
}
console.log(count);
