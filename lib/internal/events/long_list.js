'use strict';

// Index for long lists of listeners. Without it, removing a listener searches the list from the end and moves the later
// listeners, so both steps take linear time. A list from whose middle listeners are removed therefore gets an index,
// and `removed` fills their places until half of the list is removed.

const {
  ArrayPrototypeLastIndexOf,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ObjectDefineProperty,
  SafeMap,
  Symbol,
} = primordials;

// Key of the property { positions, removed } of the array.
const kIndex = Symbol('kIndex');
const kLong = 64;

function removed() {}

class Index {
  constructor(list) {
    this.positions = new SafeMap(); // Listener, and the original of a once() wrapper => position or positions.
    this.removed = 0;
    for (let i = 0; i < list.length; i++) this.add(list[i], i);
  }

  add(listener, position) {
    this.#addKey(listener, position);
    if (listener.listener !== undefined) this.#addKey(listener.listener, position);
  }

  delete(listener, position) {
    this.#deleteKey(listener, position);
    if (listener.listener !== undefined) this.#deleteKey(listener.listener, position);
  }

  findLast(listener) {
    const found = this.positions.get(listener);
    return typeof found === 'object' ? found[found.length - 1] : found ?? -1;
  }

  // Most listeners have one position, which is stored as a number instead of an array.
  #addKey(key, position) {
    const found = this.positions.get(key);
    if (found === undefined) this.positions.set(key, position);
    else if (typeof found === 'number') this.positions.set(key, [found, position]);
    else ArrayPrototypePush(found, position);
  }

  #deleteKey(key, position) {
    const found = this.positions.get(key);
    if (typeof found === 'number') {
      this.positions.delete(key);
    } else if (found !== undefined) {
      const at = ArrayPrototypeLastIndexOf(found, position);
      for (let i = at; i + 1 < found.length; i++) found[i] = found[i + 1];
      ArrayPrototypePop(found);
      if (found.length === 1) this.positions.set(key, found[0]);
    }
  }
}

function isLong(list) {
  return list[kIndex] !== undefined || list.length >= kLong;
}

// Returns the number of listeners.
function countOf(list) {
  return list[kIndex] === undefined ? list.length : list.length - list[kIndex].removed;
}

// Removes the placeholders from the list.
function compact(list) {
  if (list[kIndex] === undefined) return;
  list[kIndex] = undefined;
  let kept = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] !== removed) list[kept++] = list[i];
  }
  list.length = kept;
}

// The index is not enumerable, so that inspect() does not show it.
function setIndex(list, index) {
  ObjectDefineProperty(list, kIndex, { __proto__: null, value: index, writable: true, enumerable: false });
}

// Removes a listener from an indexed list. Returns false if it is not in the list.
function removeFrom(list, listener) {
  const last = list.length - 1;
  if (list[kIndex] === undefined) {
    if (list[last] === listener || list[last].listener === listener) {
      ArrayPrototypePop(list);
      return true;
    }
    setIndex(list, new Index(list));
  }
  const index = list[kIndex];
  const position = index.findLast(listener);
  if (position < 0) return false;
  index.delete(list[position], position);
  if (position === last) {
    ArrayPrototypePop(list);
  } else {
    list[position] = removed;
    if (++index.removed > list.length / 2) compact(list);
  }
  return true;
}

// Called after a listener was added at the end.
function noteAdded(list) {
  list[kIndex]?.add(list[list.length - 1], list.length - 1);
}

// Moves the index to the array that will be modified.
function moveIndex(from, to) {
  if (from[kIndex] === undefined) return;
  setIndex(to, from[kIndex]);
  from[kIndex] = undefined;
}

function copyOf(list) {
  const copy = ArrayPrototypeSlice(list);
  if (list[kIndex] === undefined) return copy;
  setIndex(copy, list[kIndex]);
  compact(copy);
  return copy;
}

module.exports = { compact, copyOf, countOf, isLong, moveIndex, noteAdded, removeFrom };
