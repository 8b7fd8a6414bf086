'use strict';
// A binary heap of timer lists by (expiry, id). The expiry of a list almost always increases, so a list whose expiry
// has changed keeps its place until it reaches the front, and is sorted again then. Keys are in separate arrays:
// comparing them accesses no list.

// The `id` of a list that is not queued. A queued list has a positive number, a new one each time it is queued.
const kNotInHeap = -1;
const kIdle = 0; // In the heap, but its place has no meaning.

class ListHeap {
  constructor() {
    this.size = 0;
    this.items = [];
    this.expiries = [];
    this.ids = [];
  }

  // Returns the first list, or undefined. It is in its correct place if hasMoved() is false.
  first() {
    return this.size > 0 ? this.items[0] : undefined;
  }

  hasMoved(list) {
    return this.ids[0] !== list.id;
  }

  push(list) {
    this.moveUp(this.size++, list, list.expiry, list.id);
    list.filedExpiry = list.expiry;
  }

  removeFirst() {
    const last = --this.size;
    const list = this.items[last];
    const expiry = this.expiries[last];
    const id = this.ids[last];
    this.items[last] = undefined;
    if (last > 0) this.moveDown(0, list, expiry, id);
  }

  // Sorts the first list again, whose expiry has increased.
  updateFirst(list) {
    list.filedExpiry = list.expiry;
    this.moveDown(0, list, list.expiry, list.id);
  }

  // Sorts a list again whose expiry has decreased. This is rare, so a linear search is good enough.
  advance(list) {
    let position = 0;
    while (this.items[position] !== list) position++;
    list.filedExpiry = list.expiry;
    this.moveUp(position, list, list.expiry, list.id);
  }

  // Removes the lists that are not queued, and calls `forget` with each.
  sweep(forget) {
    const { items, expiries, ids } = this;
    const count = this.size;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const list = items[i];
      if (list.id === kIdle) {
        list.id = kNotInHeap;
        forget(list);
        continue;
      }
      items[kept] = list;
      expiries[kept] = list.expiry;
      ids[kept++] = list.id;
      list.filedExpiry = list.expiry;
    }
    for (let i = kept; i < count; i++) items[i] = undefined;
    this.size = kept;
    for (let i = (kept >> 1) - 1; i >= 0; i--) this.moveDown(i, items[i], expiries[i], ids[i]);
  }

  put(position, list, expiry, id) {
    this.items[position] = list;
    this.expiries[position] = expiry;
    this.ids[position] = id;
  }

  moveUp(position, list, expiry, id) {
    const { items, expiries, ids } = this;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const other = expiries[parent];
      if (!(expiry < other || (expiry === other && id < ids[parent]))) break;
      this.put(position, items[parent], other, ids[parent]);
      position = parent;
    }
    this.put(position, list, expiry, id);
  }

  moveDown(position, list, expiry, id) {
    const { items, expiries, ids, size } = this;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && (expiries[right] < expiries[child] ||
          (expiries[right] === expiries[child] && ids[right] < ids[child]))) {
        child = right;
      }
      const other = expiries[child];
      if (!(other < expiry || (other === expiry && ids[child] < id))) break;
      this.put(position, items[child], other, ids[child]);
      position = child;
    }
    this.put(position, list, expiry, id);
  }
}

module.exports = { ListHeap, kIdle, kNotInHeap };
