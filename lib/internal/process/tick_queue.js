'use strict';
// The queue of process.nextTick(): a chain of rings of fixed size. The fields of a tick are adjacent slots of the ring,
// not an object: a chain of ticks allocates nothing, and the only young objects stored into the old ring are those that
// the program passed.
const { Array } = primordials;

const kFields = 7;
const kSlots = 256 * kFields;

class Ring {
  constructor() {
    this.bottom = 0; // The slot of the oldest tick,
    this.top = 0; // and the slot of the next one.
    this.slots = new Array(kSlots);
    this.next = null;
  }
}

class TickQueue {
  constructor() {
    this.head = this.tail = new Ring();
  }

  isEmpty() {
    const tail = this.tail;
    return tail.top === tail.bottom && tail.next === null;
  }

  // `form` is 0 without arguments; other values are defined by the caller.
  push(callback, form, first, second, frame, asyncId, triggerAsyncId) {
    let head = this.head;
    let at = head.top;
    let next = at + kFields;
    if (next === kSlots) next = 0;
    // One place stays free, to distinguish a full ring from an empty one.
    if (next === head.bottom) {
      head = this.head = head.next = new Ring();
      at = 0;
      next = kFields;
    }
    const slots = head.slots;
    slots[at] = callback;
    slots[at + 1] = form;
    slots[at + 2] = asyncId;
    slots[at + 3] = triggerAsyncId;
    slots[at + 4] = frame;
    if (form !== 0) {
      slots[at + 5] = first;
      slots[at + 6] = second;
    }
    head.top = next;
  }

  // Returns the ring with the oldest tick, which is at `bottom`; null if there is none.
  oldest() {
    const tail = this.tail;
    if (tail.bottom !== tail.top) return tail;
    if (tail.next === null) return null;
    return this.tail = tail.next;
  }

  count() {
    let slots = 0;
    for (let ring = this.tail; ring !== null; ring = ring.next) {
      slots += ring.top - ring.bottom + (ring.top < ring.bottom ? kSlots : 0);
    }
    return slots / kFields;
  }
}

// Returns the slot before the oldest tick, which is free because a ring is never full.
function slotBefore(at) {
  return (at === 0 ? kSlots : at) - kFields;
}

// Removes the oldest tick from its ring, after its fields were read. Its callback stays for the watchdog until the next
// one is removed, because copying it elsewhere would cost another write barrier.
function remove(ring, at, form) {
  const slots = ring.slots;
  slots[slotBefore(at)] = slots[at + 4] = undefined;
  if (form !== 0) slots[at + 5] = slots[at + 6] = undefined;
  ring.bottom = at + kFields === kSlots ? 0 : at + kFields;
}

// Clears the callback that remove() has left.
function forget(ring) {
  ring.slots[slotBefore(ring.bottom)] = undefined;
}

module.exports = { TickQueue, forget, remove };
