'use strict';
// The queue of process.nextTick(): rings of fixed size in a chain. The fields of a tick lie side by side in the ring,
// without an object of their own: a chain of ticks allocates nothing, and stores nothing young into the old ring but
// what the program passed.
const { Array } = primordials;

const kFields = 7;
const kSlots = 256 * kFields;

class Ring {
  constructor() {
    this.bottom = 0; // The slot of the oldest tick,
    this.top = 0; // and that of the next one.
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

  // Without arguments `form` is 0; what else it means is up to the caller.
  push(callback, form, first, second, frame, asyncId, triggerAsyncId) {
    let head = this.head;
    let at = head.top;
    let next = at + kFields;
    if (next === kSlots) next = 0;
    // One tick's room stays free, so that a full ring differs from an empty one.
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

  // The ring that holds the oldest tick, in the slots from `bottom` on; null if there is none.
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

// The slot before the oldest tick, where no other one is: a ring is never full.
function slotBefore(at) {
  return (at === 0 ? kSlots : at) - kFields;
}

// Takes the oldest tick out of its ring, after its fields were read. Its callback stays for the watchdog until the next
// one is taken: to copy it elsewhere would cost another write barrier.
function remove(ring, at, form) {
  const slots = ring.slots;
  slots[slotBefore(at)] = slots[at + 4] = undefined;
  if (form !== 0) slots[at + 5] = slots[at + 6] = undefined;
  ring.bottom = at + kFields === kSlots ? 0 : at + kFields;
}

// Forgets the callback that remove() has left.
function forget(ring) {
  ring.slots[slotBefore(ring.bottom)] = undefined;
}

module.exports = { TickQueue, forget, remove };
