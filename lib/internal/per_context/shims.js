'use strict';
// Library functions that Node 20 programs use and this V8 lacks. Each is installed only if it is
// missing, as the specification describes it, and cannot be told from a native one by its
// properties. core-js has them all, too; its two hundred files would cost every start more than
// these functions are worth.
const {
  Array,
  ArrayPrototypeSort,
  Map,
  MapPrototypeGet,
  MapPrototypeSet,
  MathMax,
  MathMin,
  MathTrunc,
  NumberMAX_SAFE_INTEGER,
  Object,
  ObjectDefineProperty,
  Promise,
  RangeError,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  SymbolAsyncIterator,
  SymbolIterator,
  TypeError,
  TypedArray,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeGetSymbolToStringTag,
  TypedArrayPrototypeSort,
  globalThis,
} = primordials;

// Methods of an object literal have no prototype and cannot be constructed: as native functions.
function install(target, methods, length) {
  for (const name in methods) {
    if (target[name] !== undefined) continue;
    ObjectDefineProperty(target, name, {
      __proto__: null, value: methods[name], writable: true, enumerable: false, configurable: true,
    });
    const count = length[name];
    if (count !== undefined) {
      ObjectDefineProperty(methods[name], 'length', {
        __proto__: null, value: count, writable: false, enumerable: false, configurable: true,
      });
    }
  }
}

function toObject(value) {
  if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(value);
}

function toInteger(value) {
  const number = +value;
  return number !== number ? 0 : MathTrunc(number);
}

function toLength(value) {
  return MathMin(MathMax(toInteger(value), 0), NumberMAX_SAFE_INTEGER);
}

function relative(value, length) {
  const index = toInteger(value);
  return index < 0 ? MathMax(length + index, 0) : MathMin(index, length);
}

function checkArrayLength(length) {
  if (length > 2 ** 32 - 1) throw new RangeError('Invalid array length');
}

function checkComparator(compare) {
  if (compare !== undefined && typeof compare !== 'function') {
    throw new TypeError('The comparison function must be either a function or undefined');
  }
}

install(Array.prototype, {
  toReversed() {
    const source = toObject(this);
    const length = toLength(source.length);
    checkArrayLength(length);
    const result = new Array(length);
    for (let i = 0; i < length; i++) result[i] = source[length - 1 - i];
    return result;
  },
  toSorted(compare) {
    checkComparator(compare);
    const source = toObject(this);
    const length = toLength(source.length);
    checkArrayLength(length);
    const result = new Array(length);
    for (let i = 0; i < length; i++) result[i] = source[i];
    return ArrayPrototypeSort(result, compare);
  },
  toSpliced(start, deleteCount, ...items) {
    const source = toObject(this);
    const length = toLength(source.length);
    const begin = relative(start, length);
    let skipped = 0;
    if (arguments.length === 1) skipped = length - begin;
    else if (arguments.length > 1) skipped = MathMin(MathMax(toInteger(deleteCount), 0), length - begin);
    const newLength = length + items.length - skipped;
    if (newLength > NumberMAX_SAFE_INTEGER) throw new TypeError('Invalid array length');
    checkArrayLength(newLength);
    const result = new Array(newLength);
    let to = 0;
    for (let i = 0; i < begin; i++) result[to++] = source[i];
    for (let i = 0; i < items.length; i++) result[to++] = items[i];
    for (let i = begin + skipped; i < length; i++) result[to++] = source[i];
    return result;
  },
  with(index, value) {
    const source = toObject(this);
    const length = toLength(source.length);
    const integer = toInteger(index);
    const actual = integer < 0 ? length + integer : integer;
    if (actual >= length || actual < 0) throw new RangeError('Invalid index : ' + index);
    checkArrayLength(length);
    const result = new Array(length);
    for (let i = 0; i < length; i++) result[i] = i === actual ? value : source[i];
    return result;
  },
}, { __proto__: null, toSpliced: 2 });

// Throws for what is no typed array, as their native methods do.
function checkTyped(value) {
  if (TypedArrayPrototypeGetSymbolToStringTag(value) === undefined) {
    throw new TypeError('this is not a typed array.');
  }
  return value;
}

function copyTyped(source) {
  const name = TypedArrayPrototypeGetSymbolToStringTag(source);
  return new globals[name](source);
}
const globals = { __proto__: null };
for (const name of [
  'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array',
  'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array',
]) {
  globals[name] = globalThis[name];
}

install(TypedArray.prototype, {
  toReversed() {
    const source = checkTyped(this);
    const length = TypedArrayPrototypeGetLength(source);
    const result = copyTyped(source);
    for (let i = 0; i < length; i++) result[i] = source[length - 1 - i];
    return result;
  },
  toSorted(compare) {
    checkComparator(compare);
    return TypedArrayPrototypeSort(copyTyped(checkTyped(this)), compare);
  },
  with(index, value) {
    const source = checkTyped(this);
    const length = TypedArrayPrototypeGetLength(source);
    const integer = toInteger(index);
    const actual = integer < 0 ? length + integer : integer;
    const name = TypedArrayPrototypeGetSymbolToStringTag(source);
    const converted = name === 'BigInt64Array' || name === 'BigUint64Array' ? globalThis.BigInt.asIntN(64, value) : +value;
    if (actual >= TypedArrayPrototypeGetLength(source) || actual < 0) throw new RangeError('Invalid typed array index');
    const result = copyTyped(source);
    result[actual] = converted;
    return result;
  },
}, { __proto__: null });

// The index of the first surrogate without its partner, or -1.
function findLoneSurrogate(text, from) {
  for (let i = from; i < text.length; i++) {
    const unit = StringPrototypeCharCodeAt(text, i);
    if ((unit & 0xf800) !== 0xd800) continue;
    const next = i + 1 < text.length ? StringPrototypeCharCodeAt(text, i + 1) : 0;
    if (unit >= 0xdc00 || (next & 0xfc00) !== 0xdc00) return i;
    i++;
  }
  return -1;
}

function thisString(value, name) {
  if (value === undefined || value === null) {
    throw new TypeError(`String.prototype.${name} called on null or undefined`);
  }
  return `${value}`;
}

install(globalThis.String.prototype, {
  isWellFormed() {
    return findLoneSurrogate(thisString(this, 'isWellFormed'), 0) === -1;
  },
  toWellFormed() {
    const text = thisString(this, 'toWellFormed');
    let result = '';
    let from = 0;
    for (let lone; (lone = findLoneSurrogate(text, from)) !== -1; from = lone + 1) {
      result += StringPrototypeSlice(text, from, lone) + '\ufffd';
    }
    return from === 0 ? text : result + StringPrototypeSlice(text, from);
  },
}, { __proto__: null });

function groupInto(items, callback, add) {
  if (items === undefined || items === null) throw new TypeError(`${items} is not iterable`);
  if (typeof callback !== 'function') throw new TypeError(`${typeof callback} is not a function`);
  let index = 0;
  for (const item of items) add(callback(item, index++), item);
}

install(Object, {
  groupBy(items, callback) {
    const groups = { __proto__: null };
    groupInto(items, callback, (key, item) => {
      const name = typeof key === 'symbol' ? key : `${key}`;
      const group = groups[name];
      if (group === undefined) groups[name] = [item];
      else group[group.length] = item;
    });
    return groups;
  },
}, { __proto__: null });

install(Map, {
  groupBy(items, callback) {
    const groups = new Map();
    groupInto(items, callback, (key, item) => {
      const group = MapPrototypeGet(groups, key);
      if (group === undefined) MapPrototypeSet(groups, key, [item]);
      else group[group.length] = item;
    });
    return groups;
  },
}, { __proto__: null });

install(Promise, {
  withResolvers() {
    let resolve;
    let reject;
    const promise = new this((resolvePromise, rejectPromise) => {
      resolve = resolvePromise;
      reject = rejectPromise;
    });
    return { promise, resolve, reject };
  },
}, { __proto__: null });

function isConstructor(value) {
  if (typeof value !== 'function') return false;
  try {
    // Does not run it: only asks whether it could be new.target.
    globalThis.Reflect.construct(Object, [], value);
    return true;
  } catch {
    return false;
  }
}

install(Array, {
  async fromAsync(items, map, thisArgument) {
    if (map !== undefined && typeof map !== 'function') throw new TypeError(`${typeof map} is not a function`);
    const Constructor = isConstructor(this) ? this : Array;
    let index = 0;
    if (items?.[SymbolAsyncIterator] || items?.[SymbolIterator]) {
      const result = new Constructor();
      for await (const item of items) {
        const value = map === undefined ? item : await map.call(thisArgument, item, index);
        define(result, index++, value);
      }
      result.length = index;
      return result;
    }
    const source = toObject(items);
    const length = toLength(source.length);
    const result = new Constructor(length);
    for (; index < length; index++) {
      const item = await source[index];
      define(result, index, map === undefined ? item : await map.call(thisArgument, item, index));
    }
    result.length = length;
    return result;
  },
}, { __proto__: null, fromAsync: 1 });

function define(target, index, value) {
  ObjectDefineProperty(target, index, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}
