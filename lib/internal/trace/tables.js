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
    this.event = new Uint16Array(room); // The name of the event, for handles with several kinds of events.
    this.value = new Float64Array(room);
    this.cause = new Int32Array(room); // The span that scheduled it, -1 if unknown.
    this.schedule = new Int32Array(room); // The record that scheduled it, -1 if there is none.
    this.request = new Int32Array(room); // The number of the server's request that caused it, -1 if there is none.
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

// HTTP requests, in the order in which they began.
class Requests {
  constructor(room) {
    this.count = 0;
    this.id = new Float64Array(room);
    this.isServer = new Uint8Array(room); // 1: the program is the server, 0: the client.
    this.name = new Uint32Array(room); // 'GET /path'
    this.status = new Uint16Array(room); // 0: there was no response.
    this.hasFailed = new Uint8Array(room); // 1: the connection was closed, or failed, before the end.
    this.start = new Float64Array(room); // When its first byte arrived, or the program made it.
    this.called = new Float64Array(room); // When the handler was called; of a client's, the start.
    this.end = new Float64Array(room); // NaN: not before the end of the trace.
    this.ready = new Float64Array(room); // When the loop learned that there was something to read.
    this.lastPoll = new Float64Array(room); // When the loop last found nothing of it: it arrived after that.
    this.span = new Int32Array(room); // The callback in which it began.
    this.parent = new Int32Array(room).fill(kNone); // Of a client's request: the server's request that caused it.
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

module.exports = { Jobs, Notes, Requests, Sleeps, Spans };
