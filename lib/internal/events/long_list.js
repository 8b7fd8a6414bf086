'use strict';

// Long lists of listeners. A listener is looked for from the end of its list, and those behind it move up when it goes:
// both take as many steps as the list is long. A list from whose middle listeners are removed therefore gets an index,
// and `removed` stands in their places until half of them are gone.

const {
  ArrayPrototypeLastIndexOf,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ObjectDefineProperty,
  SafeMap,
  Symbol,
} = primordials;

// A property of the array: { positions, removed }.
const kIndex = Symbol('kIndex');
const kLong = 64;

function removed() {}

class Index {
  constructor(list) {
    this.positions = new SafeMap(); // Listener, also as it was given to once() => where it stands, the last one last.
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

  // Most listeners stand in one place: that is kept as a number.
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

// The number of listeners.
function countOf(list) {
  return list[kIndex] === undefined ? list.length : list.length - list[kIndex].removed;
}

// Without the places of those that are gone.
function compact(list) {
  if (list[kIndex] === undefined) return;
  list[kIndex] = undefined;
  let kept = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] !== removed) list[kept++] = list[i];
  }
  list.length = kept;
}

// Hidden from inspect().
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

// After a listener was added at the end.
function noteAdded(list) {
  list[kIndex]?.add(list[list.length - 1], list.length - 1);
}

// The index belongs to the array that is written.
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
