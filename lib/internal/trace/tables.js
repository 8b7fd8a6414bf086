'use strict';
// Tables of the model of a trace, stored as columns of numbers.

const kNone = -1;

// The turns, phases and callbacks, in the order in which they began.
class Spans {
  constructor(room) {
    this.count = 0;
    this.kind = new Uint8Array(room);
    this.phase = new Uint8Array(room);
    this.flags = new Uint8Array(room);
    this.parent = new Int32Array(room);
    this.turn = new Int32Array(room); // The span of its turn, -1 before the first one.
    this.start = new Float64Array(room); // Nanoseconds, as all times here.
    this.end = new Float64Array(room);
    this.nested = new Float64Array(room); // Time of the spans inside it.
    this.id = new Float64Array(room);
    this.name = new Uint32Array(room);
    this.event = new Uint16Array(room); // The name of what happened to a handle that can have several things happen.
    this.value = new Float64Array(room);
    this.cause = new Int32Array(room); // The span in which it was asked for, -1 if that is not known.
    this.schedule = new Int32Array(room); // The record that asked for it, -1 if there is none.
  }
}

class Jobs {
  constructor(room) {
    this.count = 0;
    this.id = new Float64Array(room);
    this.name = new Uint32Array(room);
    this.queued = new Float64Array(room).fill(NaN);
    this.started = new Float64Array(room).fill(NaN);
    this.finished = new Float64Array(room).fill(NaN);
    this.worker = new Float64Array(room).fill(NaN);
    this.waiting = new Float64Array(room).fill(NaN); // Jobs that waited when it was queued.
    this.cause = new Int32Array(room).fill(kNone);
  }
}

// When poll slept.
class Sleeps {
  constructor(room) {
    this.count = 0;
    this.start = new Float64Array(room);
    this.end = new Float64Array(room);
    this.limit = new Float64Array(room); // The longest possible sleep; -1: without limit.
    this.events = new Float64Array(room); // Number of events.
    this.turn = new Int32Array(room);
  }
}

// Records of one kind, each with the callback it stands in.
class Notes {
  constructor(room) {
    this.count = 0;
    this.record = new Int32Array(room);
    this.span = new Int32Array(room);
  }

  add(record, span) {
    this.record[this.count] = record;
    this.span[this.count++] = span;
  }
}

module.exports = { Jobs, Notes, Sleeps, Spans };
