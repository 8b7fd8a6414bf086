'use strict';

// Deep equality for assert and util. Loose mode compares primitives by ==, and ignores prototypes and symbols; strict
// mode compares by Object.is and requires the same prototypes. Partial mode is strict about the members of the second
// value, and ignores further members of the first.

const {
  ArrayIsArray,
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  ArrayPrototypePush,
  DatePrototypeGetTime,
  Error,
  NumberIsNaN,
  ObjectGetOwnPropertySymbols,
  ObjectGetPrototypeOf,
  ObjectIs,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  ObjectPrototypePropertyIsEnumerable,
  ObjectPrototypeToString,
  SafeSet,
  TypedArrayPrototypeGetSymbolToStringTag,
  Uint8Array,
} = primordials;

const { sameBoxed } = require('internal/util/boxed');
const types = require('internal/util/types');
const { getOwnNonIndexProperties } = internalBinding('util');

// Filters of getOwnNonIndexProperties.
const kEnumerable = 2;
const kEnumerableStrings = 2 | 16;

// Modes of comparison; `strict` is one of these, and true for all but the loose one.
const kLoose = 0;
const kStrict = 1;
const kStrictWithoutPrototypes = 2;
const kPartial = 3;

// Contents that are compared in addition to the properties.
const kPlain = 0;
const kArray = 1;
const kSet = 2;
const kMap = 3;

const isObject = (value) => typeof value === 'object' && value !== null;

function sameLoosePrimitive(a, b) {
  // eslint-disable-next-line eqeqeq
  return a == b || (NumberIsNaN(a) && NumberIsNaN(b));
}

// `seen` holds the pairs whose comparison is in progress, to detect cycles; null if cycles are not checked.
function compare(a, b, strict, seen) {
  if (a === b) return a !== 0 || !strict || ObjectIs(a, b);
  if (strict) {
    if (typeof a !== 'object') return typeof a === 'number' && NumberIsNaN(a) && NumberIsNaN(b);
    if (!isObject(a) || !isObject(b)) return false;
    if (strict === kStrict && !sameClass(a, b)) return false;
  } else {
    if (!isObject(a)) return !isObject(b) && typeof b !== 'function' ? sameLoosePrimitive(a, b) : sameFunction(a, b);
    if (!isObject(b)) return false;
  }
  const tag = ObjectPrototypeToString(a);
  return tag === ObjectPrototypeToString(b) && compareObjects(a, b, tag, strict, seen);
}

// Compares constructors if `a` inherits its constructor or has a built-in one, and prototypes otherwise.
function sameClass(a, b) {
  const { constructor } = a;
  if (constructor !== undefined && (!ObjectPrototypeHasOwnProperty(a, 'constructor') || isWellKnown(constructor))) {
    return constructor === b.constructor;
  }
  return ObjectGetPrototypeOf(a) === ObjectGetPrototypeOf(b);
}

let wellKnown;
function isWellKnown(constructor) {
  if (wellKnown === undefined) {
    wellKnown = new SafeSet();
    for (let i = 0; i < wellKnownNames.length; i++) {
      if (primordials[wellKnownNames[i]] !== undefined) wellKnown.add(primordials[wellKnownNames[i]]);
    }
    wellKnown.add(require('buffer').Buffer);
  }
  return wellKnown.has(constructor);
}

const wellKnownNames = [
  'Array', 'ArrayBuffer', 'BigInt', 'BigInt64Array', 'BigUint64Array', 'Boolean', 'DataView', 'Date', 'Error',
  'Float16Array', 'Float32Array', 'Float64Array', 'Function', 'Int16Array', 'Int32Array', 'Int8Array', 'Map', 'Number',
  'Object', 'Promise', 'RegExp', 'Set', 'String', 'Symbol', 'Uint16Array', 'Uint32Array', 'Uint8Array',
  'Uint8ClampedArray', 'WeakMap', 'WeakSet',
];

// True if containers of these sizes can be equal. For partial equality the first one may be larger.
function fits(a, b, strict) {
  return a === b || (strict === kPartial && a > b);
}

// A primitive against a function, or a function against anything: equal only where == says so.
function sameFunction(a, b) {
  // eslint-disable-next-line eqeqeq
  return !isObject(b) && a == b;
}

function compareObjects(a, b, tag, strict, seen) {
  if (ArrayIsArray(a)) {
    if (!ArrayIsArray(b) || !fits(a.length, b.length, strict)) return false;
    const keys = namedKeys(a, b, strict);
    if (keys === undefined) return false;
    return compareProperties(a, b, strict, seen, kArray, keys);
  }
  if (ArrayIsArray(b)) return false;
  if (tag === '[object Object]') return compareProperties(a, b, strict, seen, kPlain, undefined);

  if (types.isDate(a)) {
    if (!types.isDate(b) || !sameTime(DatePrototypeGetTime(a), DatePrototypeGetTime(b))) return false;
  } else if (types.isRegExp(a)) {
    if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false;
  } else if (types.isArrayBufferView(a)) {
    return compareViews(a, b, strict, seen);
  } else if (types.isSet(a)) {
    if (!types.isSet(b) || !fits(a.size, b.size, strict)) return false;
    return compareProperties(a, b, strict, seen, kSet, undefined);
  } else if (types.isMap(a)) {
    if (!types.isMap(b) || !fits(a.size, b.size, strict)) return false;
    return compareProperties(a, b, strict, seen, kMap, undefined);
  } else if (types.isAnyArrayBuffer(a)) {
    if (!types.isAnyArrayBuffer(b) || !sameBytes(new Uint8Array(a), new Uint8Array(b), strict)) return false;
  } else if (types.isBoxedPrimitive(a)) {
    if (!sameBoxed(a, b)) return false;
  } else if (types.isNativeError(a) || a instanceof Error) {
    if (!(types.isNativeError(b) || b instanceof Error) || !sameErrors(a, b, strict, seen)) return false;
  } else if (isOtherKind(b)) {
    return false;
  } else if (!sameUrls(a, b) || !sameKeys(a, b)) {
    return false;
  } else if (types.isPromise(a) || types.isWeakMap(a) || types.isWeakSet(a)) {
    // Their contents cannot be inspected.
    return false;
  }
  return compareProperties(a, b, strict, seen, kPlain, undefined);
}

// True if `b` has a type that is compared specially. Called once `a` is known to have none.
function isOtherKind(b) {
  return types.isArrayBufferView(b) || types.isSet(b) || types.isMap(b) || types.isDate(b) || types.isRegExp(b) ||
    types.isAnyArrayBuffer(b) || types.isBoxedPrimitive(b) || types.isNativeError(b) || b instanceof Error;
}

let urlModule;
function isUrl(value) {
  // Without the module there are no URLs; `href` and `protocol` are the first test of isURL() anyway.
  if (value.href === undefined || value.protocol === undefined) return false;
  urlModule ??= require('internal/url');
  return urlModule.isURL(value);
}

function sameUrls(a, b) {
  const first = isUrl(a);
  return first === isUrl(b) && (!first || a.href === b.href);
}

const sameTime = (a, b) => a === b || (NumberIsNaN(a) && NumberIsNaN(b));

// Keys of crypto, which have no properties.
function sameKeys(a, b) {
  if (types.isKeyObject(a)) return types.isKeyObject(b) && require('internal/crypto/keys').equalKeys(a, b);
  if (!types.isCryptoKey(a)) return true;
  return types.isCryptoKey(b) && require('internal/crypto/web_key').sameCryptoKeys(a, b, isDeepStrictEqual);
}

// The message and the name count even though they are not enumerable, and so do the cause and the collected errors.
function sameErrors(a, b, strict, seen) {
  const inner = seen === undefined ? [] : seen;
  if (!sameHidden(a, b, 'message', strict, inner) || !sameHidden(a, b, 'name', strict, inner) ||
      !sameHidden(a, b, 'cause', strict, inner) || !sameHidden(a, b, 'errors', strict, inner)) return false;
  const hasCause = ObjectPrototypeHasOwnProperty(b, 'cause');
  return hasCause === ObjectPrototypeHasOwnProperty(a, 'cause') || (strict === kPartial && !hasCause);
}

function sameHidden(a, b, key, strict, seen) {
  // Those that are enumerable are compared with the other properties.
  if (ObjectPrototypePropertyIsEnumerable(b, key)) return true;
  if (strict === kPartial && (b[key] === undefined || (key === 'message' && b[key] === ''))) return true;
  return compare(a[key], b[key], strict, seen);
}

function sameBytes(a, b, strict) {
  const { length } = a;
  if (length !== b.length) return strict === kPartial && partial().hasBytesInOrder(a, b);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return false;
  }
  return true;
}

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function compareViews(a, b, strict, seen) {
  const kind = TypedArrayPrototypeGetSymbolToStringTag(a);
  if (kind !== TypedArrayPrototypeGetSymbolToStringTag(b) || !types.isArrayBufferView(b)) return false;
  // Loosely, 0 and -0 are the same.
  if (!strict && (kind === 'Float16Array' || kind === 'Float32Array' || kind === 'Float64Array')) {
    if (!sameBytes(a, b, strict)) return false;
  } else if (!sameBytes(bytesOf(a), bytesOf(b), strict)) {
    return false;
  }
  const keys = namedKeys(a, b, strict);
  if (keys === undefined) return false;
  return compareProperties(a, b, strict, seen, kPlain, keys);
}

// The keys of arrays that are no indices, or undefined if the two do not have as many.
function namedKeys(a, b, strict) {
  const filter = strict ? kEnumerable : kEnumerableStrings;
  const keys = getOwnNonIndexProperties(b, filter);
  return strict === kPartial || keys.length === getOwnNonIndexProperties(a, filter).length ? keys : undefined;
}

function partial() {
  return require('internal/util/partial_comparisons');
}

function enumerableSymbols(value) {
  const symbols = ObjectGetOwnPropertySymbols(value);
  if (symbols.length === 0) return symbols;
  return ArrayPrototypeFilter(symbols, (key) => ObjectPrototypePropertyIsEnumerable(value, key));
}

// The keys to compare, or undefined if the two do not have the same ones.
function commonKeys(a, b, strict, given) {
  if (strict === kPartial) return partialKeys(a, b, given);
  let keys = given;
  if (keys === undefined) {
    keys = ObjectKeys(a);
    const others = ObjectKeys(b);
    if (keys.length !== others.length) return undefined;
    for (let i = 0; i < keys.length; i++) {
      // Mostly they were made in the same order.
      if (keys[i] !== others[i] && !ObjectPrototypePropertyIsEnumerable(b, keys[i])) return undefined;
    }
  } else {
    for (let i = 0; i < keys.length; i++) {
      if (!ObjectPrototypePropertyIsEnumerable(a, keys[i])) return undefined;
    }
  }
  // Lists of arrays hold their symbols already.
  if (!strict || given !== undefined) return keys;
  const symbols = enumerableSymbols(a);
  if (symbols.length !== enumerableSymbols(b).length) return undefined;
  for (let i = 0; i < symbols.length; i++) {
    if (!ObjectPrototypePropertyIsEnumerable(b, symbols[i])) return undefined;
    ArrayPrototypePush(keys, symbols[i]);
  }
  return keys;
}

function partialKeys(a, b, given) {
  const keys = given ?? ObjectKeys(b);
  if (given === undefined) {
    const symbols = enumerableSymbols(b);
    for (let i = 0; i < symbols.length; i++) ArrayPrototypePush(keys, symbols[i]);
  }
  for (let i = 0; i < keys.length; i++) {
    if (!ObjectPrototypePropertyIsEnumerable(a, keys[i])) return undefined;
  }
  return keys;
}

function compareProperties(a, b, strict, seen, kind, given) {
  const keys = commonKeys(a, b, strict, given);
  if (keys === undefined) return false;
  if (keys.length === 0 && (kind === kPlain || (kind === kArray ? b.length === 0 : b.size === 0))) return true;

  if (seen === null) return compareContents(a, b, strict, keys, seen, kind);
  seen ??= [];
  if (seen.length > 0) {
    const known = compareCycles(a, b, seen);
    if (known !== undefined) return known;
  }
  seen[seen.length] = a;
  seen[seen.length] = b;
  const equal = compareContents(a, b, strict, keys, seen, kind);
  seen.length -= 2;
  return equal;
}

// Detects cycles: values that are both being compared further up are equal if everything else is; if only one of them
// is, they differ. Undefined if neither is. As in Node, a second pair is compared only with the first pair.
function compareCycles(a, b, seen) {
  if (seen.length === 2 && seen.isDeep !== true) {
    if (seen[0] === a) return seen[1] === b;
    return seen[1] === b ? false : undefined;
  }
  seen.isDeep = true;
  const hasA = ArrayPrototypeIncludes(seen, a);
  const hasB = ArrayPrototypeIncludes(seen, b);
  return hasA || hasB ? hasA && hasB : undefined;
}

function compareContents(a, b, strict, keys, seen, kind) {
  if (strict === kPartial && kind !== kPlain) {
    const { hasEntries, hasItemsInOrder, hasMembers } = partial();
    const contains = kind === kSet ? hasMembers : kind === kMap ? hasEntries : hasItemsInOrder;
    if (!contains(a, b, compare, strict, seen)) return false;
  } else if (kind === kSet) {
    if (!compareSets(a, b, strict, seen)) return false;
  } else if (kind === kMap) {
    if (!compareMaps(a, b, strict, seen)) return false;
  } else if (kind === kArray) {
    if (!compareItems(a, b, strict, seen)) return false;
  }
  for (let i = 0; i < keys.length; i++) {
    if (!compare(a[keys[i]], b[keys[i]], strict, seen)) return false;
  }
  return true;
}

function compareItems(a, b, strict, seen) {
  for (let i = 0; i < a.length; i++) {
    const item = a[i];
    if (item === undefined && !ObjectPrototypeHasOwnProperty(a, i)) {
      return compareSparse(a, b, strict, seen);
    }
    if (b[i] === undefined && !ObjectPrototypeHasOwnProperty(b, i)) return false;
    if (!compare(item, b[i], strict, seen)) return false;
  }
  return true;
}

// An array with holes: the holes must be in the same places.
function compareSparse(a, b, strict, seen) {
  const keys = ObjectKeys(a);
  if (keys.length !== ObjectKeys(b).length) return false;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    if (!ObjectPrototypeHasOwnProperty(b, key) || !compare(a[key], b[key], strict, seen)) return false;
  }
  return true;
}

// True if a primitive can be loosely equal to a value of another type, so that a set or map must be searched for it.
function needsSearch(value) {
  switch (typeof value) {
    case 'undefined':
    case 'symbol':
    case 'object':
    case 'function':
      return value === null || value === undefined;
    case 'string':
      return !NumberIsNaN(+value);
    default:
      return !NumberIsNaN(value);
  }
}

function takeEqual(pool, value, strict, seen) {
  for (const candidate of pool) {
    if (compare(value, candidate, strict, seen)) {
      pool.delete(candidate);
      return true;
    }
  }
  return false;
}

function compareSets(a, b, strict, seen) {
  // Values that `b` does not contain themselves. Each must equal a value of `b` that is not yet matched.
  let open;
  for (const value of setValues(a)) {
    if (isObject(value)) {
      open ??= new SafeSet();
      open.add(value);
    } else if (!setHas(b, value)) {
      if (strict || !needsSearch(value)) return false;
      open ??= new SafeSet();
      open.add(value);
    }
  }
  if (open === undefined) return true;
  const pool = new SafeSet();
  for (const value of setValues(b)) {
    if (isObject(value) || (!strict && !setHas(a, value))) pool.add(value);
  }
  if (pool.size !== open.size) return false;
  // Identical values first, which is cheap.
  for (const value of open) {
    if (isObject(value) && pool.delete(value)) open.delete(value);
  }
  for (const value of open) {
    if (!takeEqual(pool, value, strict, seen)) return false;
  }
  return true;
}

const { MapPrototypeGet: mapGet, MapPrototypeHas: mapHas, SetPrototypeHas: setHas } = primordials;

function* setValues(set) {
  const iterator = primordials.SetPrototypeValues(set);
  for (;;) {
    const step = primordials.SetIteratorPrototypeNext(iterator);
    if (step.done) return;
    yield step.value;
  }
}

function* mapEntries(map) {
  const iterator = primordials.MapPrototypeEntries(map);
  for (;;) {
    const step = primordials.MapIteratorPrototypeNext(iterator);
    if (step.done) return;
    yield step.value;
  }
}

function takeEqualEntry(pool, a, key, value, b, strict, seen) {
  for (const candidate of pool) {
    if (compare(key, candidate, strict, seen) && compare(value, mapGet(b, candidate), strict, seen)) {
      pool.delete(candidate);
      return true;
    }
  }
  return false;
}

function compareMaps(a, b, strict, seen) {
  let open;
  for (const { 0: key, 1: value } of mapEntries(a)) {
    if (!isObject(key)) {
      const other = mapGet(b, key);
      const found = other !== undefined || mapHas(b, key);
      if (found && compare(value, other, strict, seen)) continue;
      if (strict || !needsSearch(key)) return false;
    }
    open ??= new SafeSet();
    open.add(key);
  }
  if (open === undefined) return true;
  const pool = new SafeSet();
  for (const { 0: key, 1: value } of mapEntries(b)) {
    if (isObject(key)) {
      pool.add(key);
    } else if (!strict) {
      const other = mapGet(a, key);
      if ((other === undefined && !mapHas(a, key)) || !compare(other, value, kLoose, seen)) pool.add(key);
    }
  }
  if (pool.size !== open.size) return false;
  for (const key of open) {
    if (!takeEqualEntry(pool, a, key, mapGet(a, key), b, strict, seen)) return false;
  }
  return true;
}

// Few programs compare cycles: as in Node, they are looked for from the first comparison on that failed without.
let looksForCycles = false;
function compareAll(a, b, mode) {
  if (!looksForCycles) {
    try {
      return compare(a, b, mode, null);
    } catch {
      looksForCycles = true;
    }
  }
  return compare(a, b, mode, undefined);
}

function isDeepEqual(a, b) {
  return compareAll(a, b, kLoose);
}

function isDeepStrictEqual(a, b, skipPrototype) {
  return compareAll(a, b, skipPrototype ? kStrictWithoutPrototypes : kStrict);
}

function isPartialStrictEqual(a, b) {
  return compareAll(a, b, kPartial);
}

module.exports = { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual };
