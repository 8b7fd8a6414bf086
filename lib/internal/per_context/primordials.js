'use strict';

// The built-in objects of the language as they were before any user code ran. This file fills an empty `primordials`
// object, which every other file of lib receives as its fifth parameter.
//
// Names are composed of the path: `Array.isArray` is `ArrayIsArray`, `Array.prototype.push` is
// `ArrayPrototypePush(array, item)`, the getter of `Map.prototype.size` is `MapPrototypeGetSize(map)`, and
// `RegExp.prototype[Symbol.replace]` is `RegExpPrototypeSymbolReplace(re, ...)`.

const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, freeze } = Object;
const { apply, ownKeys } = Reflect;
const { bind, call } = Function.prototype;

// uncurryThis(f)(self, a) is f.call(self, a), and applyBind(f)(self, list) is f.apply(self, list), without a look-up of
// `call` or `apply` that a program could have replaced.
const uncurryThis = bind.bind(call);
const applyBind = bind.bind(Function.prototype.apply);
primordials.uncurryThis = uncurryThis;
primordials.applyBind = applyBind;

// Variadic functions, which also have a form with the suffix `Apply` that takes the items as an array.
const variadic = {
  __proto__: null,
  ArrayOf: true,
  ArrayPrototypePush: true,
  ArrayPrototypeUnshift: true,
  MathHypot: true,
  MathMax: true,
  MathMin: true,
  StringFromCharCode: true,
  StringFromCodePoint: true,
  StringPrototypeConcat: true,
  TypedArrayOf: true,
};

function capitalised(key) {
  if (typeof key === 'symbol') {
    // The description of a well-known symbol is `Symbol.iterator`; its name here is `SymbolIterator`.
    const name = key.description.slice('Symbol.'.length);
    return `Symbol${name[0].toUpperCase()}${name.slice(1)}`;
  }
  return `${key[0].toUpperCase()}${key.slice(1)}`;
}

function publish(name, value) {
  defineProperty(primordials, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}

function publishAccessors(prefix, name, descriptor, convert) {
  publish(`${prefix}Get${name}`, convert(descriptor.get));
  if (descriptor.set !== undefined) publish(`${prefix}Set${name}`, convert(descriptor.set));
}

// Copies static members. Functions are copied unchanged, or bound to `receiver` if it is given.
function publishStatics(source, prefix, receiver) {
  for (const key of ownKeys(source)) {
    const descriptor = getOwnPropertyDescriptor(source, key);
    const name = capitalised(key);
    if ('get' in descriptor) {
      publishAccessors(prefix, name, descriptor, (f) => uncurryThis(f));
      continue;
    }
    const { value } = descriptor;
    const full = `${prefix}${name}`;
    const isFunction = typeof value === 'function';
    publish(full, isFunction && receiver !== undefined ? bind.call(value, receiver) : value);
    if (variadic[full]) publish(`${full}Apply`, bind.call(Function.prototype.apply, value, source));
  }
}

function publishPrototype(prototype, prefix) {
  for (const key of ownKeys(prototype)) {
    const descriptor = getOwnPropertyDescriptor(prototype, key);
    const name = capitalised(key);
    if ('get' in descriptor) {
      publishAccessors(prefix, name, descriptor, uncurryThis);
      continue;
    }
    const { value } = descriptor;
    const full = `${prefix}${name}`;
    publish(full, typeof value === 'function' ? uncurryThis(value) : value);
    if (variadic[full]) publish(`${full}Apply`, applyBind(value));
  }
}

// The engine has no explicit resource management yet. These symbols are defined as in Node, because libraries use them.
for (const name of ['dispose', 'asyncDispose']) {
  if (Symbol[name] !== undefined) continue;
  defineProperty(Symbol, name, {
    __proto__: null,
    value: Symbol.for(`nodejs.${name}`),
    writable: false,
    enumerable: false,
    configurable: false,
  });
}

for (const name of ['Proxy', 'globalThis']) publish(name, globalThis[name]);
for (const f of [decodeURI, decodeURIComponent, encodeURI, encodeURIComponent, escape, unescape]) publish(f.name, f);

for (const name of ['JSON', 'Math', 'Proxy', 'Reflect']) publishStatics(globalThis[name], name);

// V8 adds shared memory when it starts from the snapshot, not while a snapshot is created. Its functions are therefore
// looked up when they are called, and SharedArrayBuffer is read from globalThis by the few files that need it.
for (const name of ['add', 'compareExchange', 'load', 'notify', 'store', 'wait']) {
  publish(`Atomics${name[0].toUpperCase()}${name.slice(1)}`, (...args) => globalThis.Atomics[name](...args));
}

const constructors = [
  'AggregateError', 'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date',
  'Error', 'EvalError', 'FinalizationRegistry', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array',
  'Int8Array', 'Map', 'Number', 'Object', 'RangeError', 'ReferenceError', 'RegExp', 'Set', 'SharedArrayBuffer',
  'String', 'Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap', 'WeakRef', 'WeakSet',
];
for (const name of constructors) {
  const constructor = globalThis[name];
  if (constructor === undefined) continue; // SharedArrayBuffer: see below.
  publish(name, constructor);
  publishStatics(constructor, name);
  publishPrototype(constructor.prototype, `${name}Prototype`);
}

// The static functions of Promise use `this`, so they are bound.
publish('Promise', Promise);
publishStatics(Promise, 'Promise', Promise);
publishPrototype(Promise.prototype, 'PromisePrototype');

const arrayIteratorPrototype = getPrototypeOf([][Symbol.iterator]());
const hidden = [
  { name: 'TypedArray', statics: getPrototypeOf(Uint8Array) },
  { name: 'ArrayIterator', prototype: arrayIteratorPrototype },
  { name: 'StringIterator', prototype: getPrototypeOf(''[Symbol.iterator]()) },
  { name: 'MapIterator', prototype: getPrototypeOf(new Map()[Symbol.iterator]()) },
  { name: 'SetIterator', prototype: getPrototypeOf(new Set()[Symbol.iterator]()) },
];
for (const { name, statics, prototype } of hidden) {
  if (statics !== undefined) {
    publish(name, statics);
    publishStatics(statics, name);
    publishPrototype(statics.prototype, `${name}Prototype`);
  } else {
    publish(`${name}Prototype`, prototype);
    publishPrototype(prototype, `${name}Prototype`);
  }
}
publish('IteratorPrototype', getPrototypeOf(arrayIteratorPrototype));
publish('AsyncIteratorPrototype', getPrototypeOf(getPrototypeOf(async function* () {}).prototype));
publish('AsyncFunctionPrototype', getPrototypeOf(async () => {}));
publish('GeneratorFunctionPrototype', getPrototypeOf(function* () {}));

// V8 installs its newest functions only when a snapshot is loaded, so they do not exist while this file runs. These
// replacements support the arguments that lib passes.
function itemAt(list, index) {
  const position = primordials.MathTrunc(index) || 0;
  return list[position < 0 ? list.length + position : position];
}
function findLastIndex(list, predicate, self) {
  for (let i = list.length - 1; i >= 0; i--) {
    if (apply(predicate, self, [list[i], i, list])) return i;
  }
  return -1;
}
function findLast(list, predicate, self) {
  const index = findLastIndex(list, predicate, self);
  return index === -1 ? undefined : list[index];
}
const youngest = {
  __proto__: null,
  ArrayPrototypeAt: itemAt,
  ArrayPrototypeFindLast: findLast,
  ArrayPrototypeFindLastIndex: findLastIndex,
  ObjectHasOwn: primordials.ObjectPrototypeHasOwnProperty,
  StringPrototypeAt: itemAt,
  TypedArrayPrototypeAt: itemAt,
  TypedArrayPrototypeFindLast: findLast,
  TypedArrayPrototypeFindLastIndex: findLastIndex,
};
for (const name of ownKeys(youngest)) {
  if (primordials[name] === undefined) publish(name, youngest[name]);
}

const {
  ArrayPrototypeSymbolIterator,
  FinalizationRegistry: NativeFinalizationRegistry,
  Map: NativeMap,
  Promise: NativePromise,
  PromisePrototypeThen,
  PromiseResolve,
  RegExp: NativeRegExp,
  RegExpPrototypeExec,
  RegExpPrototypeGetDotAll,
  RegExpPrototypeGetFlags,
  RegExpPrototypeGetGlobal,
  RegExpPrototypeGetHasIndices,
  RegExpPrototypeGetIgnoreCase,
  RegExpPrototypeGetMultiline,
  RegExpPrototypeGetSource,
  RegExpPrototypeGetSticky,
  RegExpPrototypeGetUnicode,
  Set: NativeSet,
  StringPrototypeSymbolIterator,
  SymbolIterator,
  SymbolMatch,
  SymbolMatchAll,
  SymbolReplace,
  SymbolSearch,
  SymbolSpecies,
  SymbolSplit,
  WeakMap: NativeWeakMap,
  WeakRef: NativeWeakRef,
  WeakSet: NativeWeakSet,
} = primordials;

// Creates iterators that programs cannot patch: `next` is read once, here, and programs cannot reach the prototype.
function createSafeIterator(start, step) {
  class SafeIterator {
    constructor(iterable) {
      this._iterator = start(iterable);
    }

    next() {
      return step(this._iterator);
    }

    [SymbolIterator]() {
      return this;
    }
  }
  setPrototypeOf(SafeIterator.prototype, null);
  freeze(SafeIterator.prototype);
  freeze(SafeIterator);
  return SafeIterator;
}
primordials.SafeArrayIterator =
  createSafeIterator(ArrayPrototypeSymbolIterator, primordials.ArrayIteratorPrototypeNext);
primordials.SafeStringIterator =
  createSafeIterator(StringPrototypeSymbolIterator, primordials.StringIteratorPrototypeNext);

function copyMembers(from, to) {
  for (const key of ownKeys(from)) {
    if (getOwnPropertyDescriptor(to, key) !== undefined) continue;
    defineProperty(to, key, { __proto__: null, ...getOwnPropertyDescriptor(from, key) });
  }
}

// Gives `safe`, a subclass of `unsafe`, its own copies of all members, so that it is not affected by a later patch of
// `unsafe.prototype` or of an iterator's `next`.
function makeSafe(unsafe, safe) {
  const { prototype } = unsafe;
  if (SymbolIterator in prototype) {
    const sample = new unsafe();
    for (const key of ownKeys(prototype)) {
      if (getOwnPropertyDescriptor(safe.prototype, key) !== undefined) continue;
      const descriptor = getOwnPropertyDescriptor(prototype, key);
      const { value } = descriptor;
      if (typeof value === 'function' && value.length === 0) {
        const first = key === 'constructor' ? undefined : call.call(value, sample);
        if (first !== null && typeof first === 'object' && SymbolIterator in first) {
          const start = uncurryThis(value);
          const Iterator = createSafeIterator(start, uncurryThis(first.next));
          descriptor.value = function() {
            return new Iterator(this);
          };
        }
      }
      defineProperty(safe.prototype, key, { __proto__: null, ...descriptor });
    }
  } else {
    copyMembers(prototype, safe.prototype);
  }
  copyMembers(unsafe, safe);
  setPrototypeOf(safe.prototype, null);
  freeze(safe.prototype);
  freeze(safe);
  return safe;
}
primordials.makeSafe = makeSafe;

// An explicit constructor, because the default one would spread its arguments with an iterator that programs can patch.
primordials.SafeMap = makeSafe(NativeMap, class SafeMap extends NativeMap {
  constructor(iterable) {
    super(iterable);
  }
});
primordials.SafeSet = makeSafe(NativeSet, class SafeSet extends NativeSet {
  constructor(iterable) {
    super(iterable);
  }
});
primordials.SafeWeakMap = makeSafe(NativeWeakMap, class SafeWeakMap extends NativeWeakMap {
  constructor(iterable) {
    super(iterable);
  }
});
primordials.SafeWeakSet = makeSafe(NativeWeakSet, class SafeWeakSet extends NativeWeakSet {
  constructor(iterable) {
    super(iterable);
  }
});
primordials.SafeWeakRef = makeSafe(NativeWeakRef, class SafeWeakRef extends NativeWeakRef {
  constructor(target) {
    super(target);
  }
});
primordials.SafeFinalizationRegistry = makeSafe(
  NativeFinalizationRegistry,
  class SafeFinalizationRegistry extends NativeFinalizationRegistry {
    constructor(cleanup) {
      super(cleanup);
    }
  },
);
const SafePromise = makeSafe(NativePromise, class SafePromise extends NativePromise {
  constructor(executor) {
    super(executor);
  }
});

primordials.PromisePrototypeCatch = (promise, onRejected) => PromisePrototypeThen(promise, undefined, onRejected);

// Returns an ordinary promise that settles like `safePromise`, which user code cannot interfere with.
function viaNative(safePromise) {
  return new NativePromise((resolve, reject) => PromisePrototypeThen(safePromise, resolve, reject));
}

primordials.SafePromisePrototypeFinally = (promise, onFinally) =>
  viaNative(new SafePromise((resolve, reject) => PromisePrototypeThen(promise, resolve, reject)).finally(onFinally));

// Returns an array of safe promises: each has its own `then`, so that Promise.all does not use Promise.prototype.
function toSafePromises(values, map) {
  const list = new primordials.Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const item = map === undefined ? values[i] : map(values[i], i);
    list[i] = new SafePromise((resolve, reject) => PromisePrototypeThen(PromiseResolve(item), resolve, reject));
  }
  return list;
}

function safeCombinator(combine) {
  const run = bind.call(call, combine);
  return (values, map) => {
    const iterable = new primordials.SafeArrayIterator(toSafePromises(values, map));
    return viaNative(run(SafePromise, iterable));
  };
}
primordials.SafePromiseAll = safeCombinator(NativePromise.all);
primordials.SafePromiseAllSettled = safeCombinator(NativePromise.allSettled);
primordials.SafePromiseAny = safeCombinator(NativePromise.any);
primordials.SafePromiseRace = safeCombinator(NativePromise.race);

// Like SafePromiseAll, but with a single counter. The result is an array for internal use only.
primordials.SafePromiseAllReturnArrayLike = (values, map) =>
  new NativePromise((resolve, reject) => {
    const { length } = values;
    const results = new primordials.Array(length);
    if (length === 0) resolve(results);
    let pending = length;
    for (let i = 0; i < length; i++) {
      const item = map === undefined ? values[i] : map(values[i], i);
      PromisePrototypeThen(PromiseResolve(item), (value) => {
        results[i] = value;
        if (--pending === 0) resolve(results);
      }, reject);
    }
  });

primordials.SafePromiseAllReturnVoid = (values, map) =>
  new NativePromise((resolve, reject) => {
    let pending = values.length;
    if (pending === 0) resolve();
    const onFulfilled = () => {
      if (--pending === 0) resolve();
    };
    for (let i = 0; i < values.length; i++) {
      const item = map === undefined ? values[i] : map(values[i], i);
      PromisePrototypeThen(PromiseResolve(item), onFulfilled, reject);
    }
  });

primordials.SafePromiseAllSettledReturnVoid = (values, map) =>
  new NativePromise((resolve) => {
    let pending = values.length;
    if (pending === 0) resolve();
    const onSettled = () => {
      if (--pending === 0) resolve();
    };
    for (let i = 0; i < values.length; i++) {
      const item = map === undefined ? values[i] : map(values[i], i);
      PromisePrototypeThen(PromiseResolve(item), onSettled, onSettled);
    }
  });

// Regular expressions look up `exec` and `flags` on each use. A hardened one has its own copies, so that a patched
// RegExp.prototype is not used.
const ownMembers = {
  __proto__: null,
  [SymbolMatch]: primordials.RegExpPrototypeSymbolMatch,
  [SymbolMatchAll]: primordials.RegExpPrototypeSymbolMatchAll,
  [SymbolReplace]: primordials.RegExpPrototypeSymbolReplace,
  [SymbolSearch]: primordials.RegExpPrototypeSymbolSearch,
  [SymbolSplit]: primordials.RegExpPrototypeSymbolSplit,
};
class RegExpSpecies {
  constructor(pattern, flags) {
    return hardenRegExp(new NativeRegExp(RegExpPrototypeGetSource(pattern), flags));
  }

  static get [SymbolSpecies]() {
    return RegExpSpecies;
  }
}
function defineConstant(object, key, value) {
  defineProperty(object, key, { __proto__: null, value, writable: false, enumerable: false, configurable: false });
}
function hardenRegExp(pattern) {
  for (const key of [SymbolMatch, SymbolMatchAll, SymbolReplace, SymbolSearch, SymbolSplit]) {
    const member = ownMembers[key];
    defineConstant(pattern, key, function(string, argument) {
      return member(this, string, argument);
    });
  }
  defineConstant(pattern, 'constructor', RegExpSpecies);
  defineConstant(pattern, 'exec', function exec(string) {
    return RegExpPrototypeExec(this, string);
  });
  defineConstant(pattern, 'dotAll', RegExpPrototypeGetDotAll(pattern));
  defineConstant(pattern, 'global', RegExpPrototypeGetGlobal(pattern));
  defineConstant(pattern, 'hasIndices', RegExpPrototypeGetHasIndices(pattern));
  defineConstant(pattern, 'ignoreCase', RegExpPrototypeGetIgnoreCase(pattern));
  defineConstant(pattern, 'multiline', RegExpPrototypeGetMultiline(pattern));
  defineConstant(pattern, 'source', RegExpPrototypeGetSource(pattern));
  defineConstant(pattern, 'sticky', RegExpPrototypeGetSticky(pattern));
  defineConstant(pattern, 'unicode', RegExpPrototypeGetUnicode(pattern));
  // Last, because the flags are computed from the properties above.
  defineConstant(pattern, 'flags', RegExpPrototypeGetFlags(pattern));
  return pattern;
}
primordials.hardenRegExp = hardenRegExp;

// String.prototype.search with exec only: returns the index of the first match, or -1.
primordials.SafeStringPrototypeSearch = (string, pattern) => {
  pattern.lastIndex = 0;
  const match = RegExpPrototypeExec(pattern, string);
  return match === null ? -1 : match.index;
};

setPrototypeOf(primordials, null);
freeze(primordials);
