'use strict';

// Comparison of containers for assert.partialDeepStrictEqual(): everything in the second must be in the first, with
// elements of arrays and bytes in the same order. `compare(a, b, mode, seen)` compares two members.

const {
  ArrayPrototypePush,
  MapIteratorPrototypeNext,
  MapPrototypeEntries,
  MapPrototypeGet,
  MapPrototypeHas,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  SafeSet,
  SetIteratorPrototypeNext,
  SetPrototypeHas,
  SetPrototypeValues,
} = primordials;

const isObject = (value) => typeof value === 'object' && value !== null;

function hasBytesInOrder(a, b) {
  let position = 0;
  for (let i = 0; i < b.length; i++) {
    while (a[position] !== b[i]) {
      position++;
      if (position > a.length - b.length + i) return false;
    }
    position++;
  }
  return a.length >= b.length;
}

const isHole = (array, index) => array[index] === undefined && !ObjectPrototypeHasOwnProperty(array, index);

// Holes are left out on both sides.
function hasItemsInOrder(a, b, compare, mode, seen) {
  let hasHoles = false;
  for (let i = 0; i < b.length && !hasHoles; i++) hasHoles = isHole(b, i);
  for (let i = 0; i < a.length && !hasHoles; i++) hasHoles = isHole(a, i);
  const keysOfA = hasHoles ? ObjectKeys(a) : undefined;
  const keysOfB = hasHoles ? ObjectKeys(b) : undefined;
  const lengthOfA = hasHoles ? keysOfA.length : a.length;
  const lengthOfB = hasHoles ? keysOfB.length : b.length;
  if (lengthOfA < lengthOfB) return false;
  let position = 0;
  for (let i = 0; i < lengthOfB; i++) {
    const wanted = b[hasHoles ? keysOfB[i] : i];
    while (!compare(a[hasHoles ? keysOfA[position] : position], wanted, mode, seen)) {
      position++;
      if (position > lengthOfA - lengthOfB + i) return false;
    }
    position++;
  }
  return true;
}

function take(pool, matches) {
  for (const candidate of pool) {
    if (!matches(candidate)) continue;
    pool.delete(candidate);
    return true;
  }
  return false;
}

function hasMembers(a, b, compare, mode, seen) {
  const open = [];
  const values = SetPrototypeValues(b);
  for (let step = SetIteratorPrototypeNext(values); !step.done; step = SetIteratorPrototypeNext(values)) {
    if (SetPrototypeHas(a, step.value)) continue;
    if (!isObject(step.value)) return false;
    ArrayPrototypePush(open, step.value);
  }
  if (open.length === 0) return true;
  const pool = new SafeSet();
  const others = SetPrototypeValues(a);
  for (let step = SetIteratorPrototypeNext(others); !step.done; step = SetIteratorPrototypeNext(others)) {
    if (isObject(step.value) && !SetPrototypeHas(b, step.value)) pool.add(step.value);
  }
  for (let i = 0; i < open.length; i++) {
    if (!take(pool, (candidate) => compare(candidate, open[i], mode, seen))) return false;
  }
  return true;
}

function hasEntries(a, b, compare, mode, seen) {
  const open = [];
  const entries = MapPrototypeEntries(b);
  for (let step = MapIteratorPrototypeNext(entries); !step.done; step = MapIteratorPrototypeNext(entries)) {
    const { 0: key, 1: value } = step.value;
    if (isObject(key)) {
      ArrayPrototypePush(open, key);
      continue;
    }
    const other = MapPrototypeGet(a, key);
    if (other === undefined && !MapPrototypeHas(a, key)) return false;
    if (!compare(other, value, mode, seen)) return false;
  }
  if (open.length === 0) return true;
  const pool = new SafeSet();
  const others = MapPrototypeEntries(a);
  for (let step = MapIteratorPrototypeNext(others); !step.done; step = MapIteratorPrototypeNext(others)) {
    if (isObject(step.value[0])) pool.add(step.value[0]);
  }
  for (let i = 0; i < open.length; i++) {
    const key = open[i];
    const matches = (candidate) => compare(candidate, key, mode, seen) &&
        compare(MapPrototypeGet(a, candidate), MapPrototypeGet(b, key), mode, seen);
    if (!take(pool, matches)) return false;
  }
  return true;
}

module.exports = { hasBytesInOrder, hasEntries, hasItemsInOrder, hasMembers };
