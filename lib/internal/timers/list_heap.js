'use strict';
// A binary heap of timer lists by (expiry, id). Each list holds its position, so that any of them
// can be moved or removed.

const kNotInHeap = -1; // The position of a list that is not in the heap.

function isBefore(a, b) {
  return a.expiry < b.expiry || (a.expiry === b.expiry && a.id < b.id);
}

class ListHeap {
  constructor() {
    this.items = [];
    this.size = 0;
  }

  first() {
    return this.size > 0 ? this.items[0] : undefined;
  }

  push(list) {
    const position = this.size++;
    this.items[position] = list;
    list.position = position;
    this.moveUp(list);
  }

  remove(list) {
    const position = list.position;
    const last = this.items[--this.size];
    this.items[this.size] = undefined;
    list.position = kNotInHeap;
    if (last === list) return;
    this.items[position] = last;
    last.position = position;
    this.moveUp(last);
    this.moveDown(last);
  }

  // After its key has changed.
  move(list) {
    this.moveUp(list);
    this.moveDown(list);
  }

  // Takes out the lists that are not queued, and calls `forget` with each.
  sweep(forget) {
    const items = this.items;
    const count = this.size;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const list = items[i];
      if (list.isQueued) {
        items[kept] = list;
        list.position = kept++;
      } else {
        list.position = kNotInHeap;
        forget(list);
      }
    }
    for (let i = kept; i < count; i++) items[i] = undefined;
    this.size = kept;
    for (let i = (kept >> 1) - 1; i >= 0; i--) this.moveDown(items[i]);
  }

  moveUp(list) {
    const items = this.items;
    let position = list.position;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      const other = items[parent];
      if (!isBefore(list, other)) break;
      items[position] = other;
      other.position = position;
      position = parent;
    }
    items[position] = list;
    list.position = position;
  }

  moveDown(list) {
    const items = this.items;
    const size = this.size;
    let position = list.position;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= size) break;
      if (child + 1 < size && isBefore(items[child + 1], items[child])) child++;
      const other = items[child];
      if (!isBefore(other, list)) break;
      items[position] = other;
      other.position = position;
      position = child;
    }
    items[position] = list;
    list.position = position;
  }
}

module.exports = { ListHeap, kNotInHeap };
