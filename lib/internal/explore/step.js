'use strict';
// One callback, tick or microtask of a traced run, and the steps that happened before it in every legal order. The
// rules are in docs/adr/tools/0033.

// A callback of the loop, together with the ticks and microtasks that run before the loop continues.
class Unit {
  constructor(root) {
    this.root = root;
    this.last = root; // The last step that is in this unit in every order.
    this.others = []; // Steps that could have run in another unit.
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
    this.isFixed = true; // It is in this unit in every order.
    this.previous = null; // The previous fixed step.
    this.place = 0; // Of its function, where it is known.
    this.event = 0; // The name of what happened.
    this.scheduled = null; // { step, record, name, place } of the step that scheduled it.
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
    // The step it waits for may run after this unit; then this step runs in another unit.
    if (other.unit === this.unit ? !other.isFixed : !this.unit.root.isAfter(other)) {
      this.isFixed = false;
      if (this.unit.last === this) this.unit.last = this.previous;
      this.unit.others.push(this);
    }
  }

  followAll() {
    this.before.fill(-1);
    // Clear the bits from this step on: steps that follow this one copy its bits.
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

  // Called when all steps it waits for are known. Fixed steps of a unit always run in the order of the queues.
  settle() {
    const { unit } = this;
    if (this === unit.root || !this.isFixed) return;
    this.previous = unit.last;
    this.follow(unit.last);
    unit.last = this;
  }

  // The step that queued this one is unknown, but belongs to the same unit: follow all of them.
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
