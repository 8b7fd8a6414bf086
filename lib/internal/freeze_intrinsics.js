'use strict';

// --frozen-intrinsics: freezes the objects of the language, so that a package cannot change them for the others.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  FunctionPrototype,
  Map,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ReflectOwnKeys,
  SafeSet,
  Set,
  SymbolAsyncIterator,
  SymbolIterator,
  TypeError,
  globalThis,
} = primordials;

const namesOfGlobals = [
  'eval', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'decodeURI', 'decodeURIComponent', 'encodeURI',
  'encodeURIComponent', 'escape', 'unescape',
  'Object', 'Function', 'Boolean', 'Symbol',
  'Error', 'AggregateError', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError',
  'Number', 'BigInt', 'Math', 'Date', 'String', 'RegExp', 'Array',
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
  'Map', 'Set', 'WeakMap', 'WeakSet', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics', 'JSON',
  'WeakRef', 'FinalizationRegistry', 'Iterator', 'Promise', 'Reflect', 'Proxy', 'WebAssembly', 'Intl', 'Temporal',
  'clearImmediate', 'clearInterval', 'clearTimeout', 'setImmediate', 'setInterval', 'setTimeout', 'console',
];
// Namespaces whose classes have prototypes of their own.
const namespaces = ['WebAssembly', 'Intl', 'Temporal'];

// Objects that no global variable refers to directly.
function hiddenPrototypes() {
  const prototypes = [];
  const iterators = [[], '', new Map(), new Set()];
  for (let i = 0; i < iterators.length; i++) {
    ArrayPrototypePush(prototypes, ObjectGetPrototypeOf(iterators[i][SymbolIterator]()));
  }
  const functions = [function* () {}, async function* () {}, async function() {}];
  for (let i = 0; i < functions.length; i++) {
    const prototype = ObjectGetPrototypeOf(functions[i]);
    ArrayPrototypePush(prototypes, prototype);
    if (prototype.prototype !== undefined) ArrayPrototypePush(prototypes, prototype.prototype);
  }
  const asyncGenerator = ObjectGetPrototypeOf(functions[1].prototype);
  let holder = asyncGenerator;
  while (!ObjectPrototypeHasOwnProperty(holder, SymbolAsyncIterator)) holder = ObjectGetPrototypeOf(holder);
  ArrayPrototypePush(prototypes, holder, ObjectGetPrototypeOf(globalThis.Uint8Array.prototype));
  return prototypes;
}

// Replaces the properties of a prototype by accessors. An assignment to an object that inherits from it would fail if
// the prototype's property were read-only.
function allowOverrides(prototype) {
  const keys = ReflectOwnKeys(prototype);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const { configurable, enumerable, value, get, set } = ObjectGetOwnPropertyDescriptor(prototype, key);
    if (!configurable || get !== undefined || set !== undefined) continue;
    const getter = () => value;
    getter.value = value; // Found by freeze().
    ObjectDefineProperty(prototype, key, {
      __proto__: null,
      get: getter,
      set(newValue) {
        if (prototype === this) {
          throw new TypeError(`Cannot assign to read only property '${key}' of object '${prototype}'`);
        }
        if (ObjectPrototypeHasOwnProperty(this, key)) {
          this[key] = newValue;
          return;
        }
        ObjectDefineProperty(this, key, {
          __proto__: null, value: newValue, writable: true, enumerable: true, configurable: true,
        });
      },
      enumerable,
      configurable,
    });
  }
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// Freezes the objects and everything that can be reached from them.
function freeze(roots) {
  const found = new SafeSet();
  const add = (value) => { if (isObject(value)) found.add(value); };
  for (let i = 0; i < roots.length; i++) add(roots[i]);
  // The set grows during the iteration, which then visits the new objects.
  for (const object of found) {
    ObjectFreeze(object);
    add(ObjectGetPrototypeOf(object));
    const keys = ReflectOwnKeys(object);
    for (let i = 0; i < keys.length; i++) {
      const { value, get, set } = ObjectGetOwnPropertyDescriptor(object, keys[i]);
      add(value);
      add(get);
      add(set);
    }
  }
}

function prototypesOf(holder, names) {
  const prototypes = [];
  for (let i = 0; i < names.length; i++) {
    const value = holder[names[i]];
    if (typeof value === 'function' && isObject(value.prototype)) ArrayPrototypePush(prototypes, value.prototype);
  }
  return prototypes;
}

module.exports = function freezeIntrinsics() {
  const prototypes = [
    ...hiddenPrototypes(),
    ...prototypesOf(globalThis, namesOfGlobals),
    require('internal/console/constructor').Console.prototype,
  ];
  for (let i = 0; i < namespaces.length; i++) {
    const holder = globalThis[namespaces[i]];
    const found = holder === undefined ? [] : prototypesOf(holder, ReflectOwnKeys(holder));
    for (let j = 0; j < found.length; j++) ArrayPrototypePush(prototypes, found[j]);
  }
  for (let i = 0; i < prototypes.length; i++) allowOverrides(prototypes[i]);
  const roots = ArrayPrototypeSlice(prototypes);
  ArrayPrototypePush(roots, ObjectGetOwnPropertyDescriptor(FunctionPrototype, 'caller').get);
  for (let i = 0; i < namesOfGlobals.length; i++) ArrayPrototypePush(roots, globalThis[namesOfGlobals[i]]);
  freeze(roots);
  ObjectDefineProperty(globalThis, 'globalThis', {
    __proto__: null, configurable: false, writable: false, value: globalThis,
  });
};
