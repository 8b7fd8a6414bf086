'use strict';
// One callback, tick or microtask of a traced run, and which others happened before it in every order that is legal.
// docs/adr/0033 says by which rules.

// What the loop calls, with the ticks and promises that run before it goes on.
class Unit {
  constructor(root) {
    this.root = root;
    this.last = root; // Of those that stand in this unit whatever the order is.
    this.others = []; // Those that might have stood in another one.
  }
}

class Step {
  constructor(number, kind, phase, id, record) {
    this.number = number;
    this.kind = kind; // 'main', 'callback', 'tick', 'microtask' or 'exit'.
    this.phase = phase;
    this.id = id;
    this.record = record;
    this.before = new Uint32Array((number >>> 5) + 1); // A bit for each step that happened before.
    this.unit = null;
    this.isFixed = true; // It stands in its unit in every order.
    this.previous = null; // The one before it that is fixed as well.
    this.place = 0; // Of its function, where it is known.
    this.event = 0; // The name of what happened.
    this.asked = null; // { step, record, name, place } of who asked for it.
  }

  isAfter(other) {
    return other.number < this.number && (this.before[other.number >>> 5] & (1 << (other.number & 31))) !== 0;
  }

  follow(other) {
    if (other === this || this.isAfter(other)) return;
    const { before } = other;
    for (let i = 0; i < before.length; i++) this.before[i] |= before[i];
    this.before[other.number >>> 5] |= 1 << (other.number & 31);
    if (this.unit === null || this === this.unit.root || !this.isFixed) return;
    // What it waits for may come later than its unit: then it runs elsewhere.
    if (other.unit === this.unit ? !other.isFixed : !this.unit.root.isAfter(other)) {
      this.isFixed = false;
      if (this.unit.last === this) this.unit.last = this.previous;
      this.unit.others.push(this);
    }
  }

  followAll() {
    this.before.fill(-1);
    // No further: who follows this one takes its bits over.
    this.before[this.number >>> 5] = (1 << (this.number & 31)) - 1;
  }

  // As the root of a unit of its own, or in the unit that runs.
  join(unit) {
    if (unit === null) {
      this.unit = new Unit(this);
      return;
    }
    this.unit = unit;
    this.follow(unit.root);
  }

  // Once it is known what it waits for. What is fixed in a unit comes in the order of the queues, always.
  settle() {
    const { unit } = this;
    if (this === unit.root || !this.isFixed) return;
    this.previous = unit.last;
    this.follow(unit.last);
    unit.last = this;
  }

  // Who queued it is not known, but it was something in its unit.
  followUnit() {
    this.follow(this.unit.last);
    for (const other of this.unit.others) this.follow(other);
  }
}

// Two points of a run, each a record within a step.
function isBefore(one, other) {
  return one.step === other.step ? one.record < other.record : other.step.isAfter(one.step);
}

module.exports = { Step, isBefore };
