'use strict';
// The queue of ticks: a chain of arrays of fixed size. Pushing and shifting access one array; a chain of nextTick()
// calls reuses a single array as a ring without allocating.
const { Array } = primordials;

const kSize = 2048;
const kMask = kSize - 1;

class Block {
  constructor() {
    this.bottom = 0;
    this.top = 0;
    this.list = new Array(kSize);
    this.next = null;
  }
}

class FixedQueue {
  constructor() {
    this.head = this.tail = new Block();
  }

  isEmpty() {
    const tail = this.tail;
    return tail.top === tail.bottom && tail.next === null;
  }

  push(item) {
    let head = this.head;
    if (((head.top + 1) & kMask) === head.bottom) {
      head = this.head = head.next = new Block();
    }
    head.list[head.top] = item;
    head.top = (head.top + 1) & kMask;
  }

  // Returns the oldest item, or null.
  shift() {
    let tail = this.tail;
    if (tail.bottom === tail.top) {
      if (tail.next === null) return null;
      this.tail = tail = tail.next;
    }
    const item = tail.list[tail.bottom];
    tail.list[tail.bottom] = undefined;
    tail.bottom = (tail.bottom + 1) & kMask;
    return item;
  }
}

module.exports = FixedQueue;
