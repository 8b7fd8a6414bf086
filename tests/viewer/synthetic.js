'use strict';
// Synthetic traces: written as in docs/TRACE-FORMAT.md, so that tests know every number in them.

const kinds = {
  turn: 1, phase: 2, loopCallback: 4, callback: 6, tickDrain: 8, tick: 10, microtaskDrain: 12, microtask: 14,
  schedule: 16, promise: 17, settled: 18, over: 19, opened: 20, closed: 21, serves: 22, jobQueued: 23, jobStarted: 24,
  jobFinished: 25, waits: 26, woke: 27, gauge: 28, blocked: 29, uncaught: 30, exit: 31, refd: 32,
};
const phases = { none: 0, timers: 1, pending: 2, idle: 3, prepare: 4, poll: 5, check: 6, closing: 7 };

class TraceWriter {
  constructor({ thread = 0, command = ['rondo', 'app.js'], started = 1e15, room = 1 << 16 } = {}) {
    this.thread = thread;
    this.command = command;
    this.started = started;
    this.names = [];
    this.namesSize = 0;
    this.known = new Map();
    this.records = Buffer.alloc(room * 32);
    this.count = 0;
    this.time = 0;
    this.phase = 0;
  }

  name(kind, content) {
    const entry = Buffer.alloc(8 + Math.ceil(content.length / 4) * 4);
    entry.writeUInt32LE(content.length, 0);
    entry.writeUInt32LE(kind, 4);
    content.copy(entry, 8);
    this.names.push(entry);
    this.namesSize += entry.length;
    return this.names.length;
  }

  once(key, make) {
    if (!this.known.has(key)) this.known.set(key, make());
    return this.known.get(key);
  }

  text(text) {
    return text === '' ? 0 : this.once(`text ${text}`, () => this.name(0, Buffer.from(text)));
  }

  place(functionName, file, line, column = 1) {
    return this.once(`place ${functionName} ${file} ${line} ${column}`, () => {
      const content = Buffer.alloc(16);
      [this.text(functionName), this.text(file), line,
        column].forEach((number, i) => content.writeUInt32LE(number, i * 4));
      return this.name(1, content);
    });
  }

  stack(places) {
    const content = Buffer.alloc(places.length * 4);
    places.forEach((place, i) => content.writeUInt32LE(place, i * 4));
    return this.name(2, content);
  }

  record(kind, { id = 0, name = 0, value = 0, first, second, detail = 0, time = this.time, phase = this.phase } = {}) {
    const at = this.count++ * 32;
    if (at + 32 > this.records.length) this.records = Buffer.concat([this.records, Buffer.alloc(this.records.length)]);
    const { records } = this;
    records.writeDoubleLE(time, at);
    records[at + 8] = kind;
    records[at + 9] = phase;
    records.writeUInt16LE(detail, at + 10);
    records.writeUInt32LE(name, at + 12);
    records.writeDoubleLE(id, at + 16);
    if (first === undefined) {
      records.writeDoubleLE(value, at + 24);
    } else {
      records.writeUInt32LE(first, at + 24);
      records.writeUInt32LE(second ?? 0, at + 28);
    }
  }

  pass(ns) {
    this.time += ns;
    return this;
  }

  // A begin and an end around the records of `body`; it takes at least `ns`.
  span(kind, about, ns, body) {
    this.record(kind, about);
    const start = this.time;
    this.pass(ns / 2);
    if (body !== undefined) body();
    this.time = Math.max(this.time, start + ns);
    this.record(kind + 1, { id: about.id ?? 0 });
  }

  turn(number, body) {
    this.record(kinds.turn, { id: number, value: this.time, phase: 0 });
    body();
    this.pass(500);
  }

  inPhase(phase, ns, body) {
    this.phase = phase;
    this.span(kinds.phase, {}, ns, body);
    this.phase = 0;
    this.pass(200);
  }

  // The whole file.
  finish({ capacity, exitCode = 0 } = {}) {
    let slots = 1;
    while (slots < this.count) slots *= 2;
    if (capacity !== undefined) slots = capacity;
    const header = Buffer.alloc(4096);
    const namesRoom = Math.ceil(this.namesSize / 8) * 8;
    header.write('RONDOTR1', 0, 'latin1');
    header.writeUInt32LE(2, 8);
    header.writeUInt32LE(4242, 12);
    header.writeUInt32LE(this.thread, 16);
    header.writeUInt32LE(1, 20);
    [namesRoom, slots, this.count, this.namesSize, this.names.length, Date.UTC(2026, 0, 1), this.started, exitCode]
      .forEach((number, i) => header.writeDoubleLE(number, 24 + i * 8));
    const words = Buffer.from(JSON.stringify(this.command));
    header.writeUInt32LE(words.length, 88);
    words.copy(header, 96);
    const names = Buffer.concat([...this.names, Buffer.alloc(namesRoom - this.namesSize)]);
    const ring = Buffer.alloc(slots * 32);
    for (let n = Math.max(0, this.count - slots); n < this.count; n++) {
      this.records.copy(ring, (n % slots) * 32, n * 32, n * 32 + 32);
    }
    return Buffer.concat([header, names, ring]);
  }
}

const kMillion = 1e6; // Nanoseconds.

// A small program: a timer, a file, an immediate, a tick, a promise, a socket that is destroyed; one callback spins for
// 60 ms.
function small(file = '/app/app.js') {
  const w = new TraceWriter({ command: ['/usr/bin/rondo', file] });
  const at = (name, line) => w.place(name, file, line, 3);
  const ask = (id, what, where, fn) => w.record(kinds.schedule, { id, name: w.text(what), first: where, second: fn });
  w.span(kinds.callback, { id: 1, name: w.place('', file, 1) }, 2 * kMillion, () => {
    ask(10, 'setTimeout 5', at('', 4), at('onTimer', 4));
    w.pass(20000);
    ask(11, 'fs.readFile', at('', 8), at('onFile', 8));
    w.pass(20000);
    w.record(kinds.jobQueued, { id: -5, name: w.text('fs.readFile'), value: 0 });
    w.record(kinds.serves, { id: 11, value: -5 });
    ask(12, 'setImmediate', at('', 12), at('onImmediate', 12));
    ask(13, 'process.nextTick', at('', 14), at('onTick', 14));
    w.record(kinds.promise, { id: 14, name: at('', 16), value: 0 });
    w.record(kinds.promise, { id: 15, name: at('', 16), value: 14 });
    w.record(kinds.settled, { id: 14 });
  });
  w.span(kinds.tickDrain, { value: 1 }, 90000, () => w.span(kinds.tick, { id: 13, name: at('onTick', 14) }, 60000));
  w.span(kinds.microtaskDrain, {}, 80000, () => w.span(kinds.microtask, { id: 15, name: at('onPromise', 16) }, 50000));
  w.record(kinds.jobStarted, { id: -5, name: w.text('fs.readFile'), value: 0, time: 0.4 * kMillion });
  w.record(kinds.jobFinished, { id: -5, name: w.text('fs.readFile'), value: 0, time: 1.6 * kMillion });
  w.turn(1, () => {
    w.inPhase(phases.poll, 20000, () => {
      w.span(kinds.loopCallback, { id: -5, name: w.text('fs.readFile') }, 300000, () => {
        w.span(kinds.callback, { id: 11, name: at('onFile', 8) }, 200000, () => {
          ask(20, 'setImmediate', at('onFile', 9), at('afterFile', 9));
        });
      });
    });
    w.inPhase(phases.check, 1000, () => {
      w.span(kinds.callback, { id: 12, name: at('onImmediate', 12) }, 150000, () => {
        ask(30, 'net.connect', at('onImmediate', 20), at('onConnect', 20));
        w.record(kinds.opened, { id: -9, name: w.text('tcp socket') });
        w.record(kinds.serves, { id: 30, value: -9 });
      });
      w.pass(3000);
      w.span(kinds.callback, { id: 20, name: at('afterFile', 9) }, 120000);
    });
  });
  w.turn(2, () => {
    w.inPhase(phases.pending, 5000, () => {
      w.span(kinds.loopCallback, { id: -9, name: w.text('tcp socket') }, 90000, () => {
        w.span(kinds.callback, { id: 30, name: at('onConnect', 20) }, 70000);
      });
    });
    w.inPhase(phases.poll, 0, () => {
      w.record(kinds.waits, { value: 2.4 * kMillion });
      w.pass(2.4 * kMillion);
      w.record(kinds.woke, { value: 0 });
    });
    w.inPhase(phases.closing, 1000, () => {
      w.span(kinds.loopCallback, { id: -9, name: w.text('tcp socket') }, 60000, () => {
        w.span(kinds.callback, { id: 31, name: at('onClose', 24) }, 50000);
      });
    });
  });
  w.turn(3, () => {
    w.inPhase(phases.timers, 1000, () => {
      w.span(kinds.callback, { id: 10, name: at('onTimer', 4), value: 5 * kMillion }, 60 * kMillion, () => {
        w.pass(29 * kMillion);
        const stack = w.stack([at('spin', 2), at('onTimer', 4)]);
        w.record(kinds.blocked, { id: 10, name: stack, value: 50 * kMillion });
      });
      w.span(kinds.tickDrain, { value: 2000 }, 8 * kMillion, () => {
        for (let i = 0; i < 2000; i++) w.span(kinds.tick, { id: 100 + i, name: at('again', 30) }, 4000);
      });
    });
    w.inPhase(phases.poll, 2000);
  });
  w.record(kinds.refd, { id: -9, name: w.text('tcp socket'), first: at('onImmediate', 20) });
  w.record(kinds.exit, { value: 0 });
  return w.finish();
}

// `count` records or a few more: turns with some timers, I/O, immediates, ticks and microtasks each, of a simple random
// order.
function large(count, { thread = 0, file = '/app/server.js' } = {}) {
  const w = new TraceWriter({ thread, command: ['/usr/bin/rondo', file], room: count + 1024 });
  let seed = 1;
  const random = (most) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % most;
  };
  const functions = Array.from({ length: 40 }, (_, i) => w.place(`handler${i}`, file, 10 + i * 3, 5));
  const what = ['setTimeout 10', 'setImmediate', 'fs.read', 'net.Socket'].map((text) => w.text(text));
  let id = 10;
  const job = w.text('fs.read');
  w.span(kinds.callback, { id: 1, name: w.place('', file, 1) }, 5e6, () => {
    for (let i = 0; i < 8; i++) {
      w.record(kinds.schedule, { id: id + i, name: what[i % 4], first: functions[i], second: functions[i + 1] });
    }
  });
  const callback = (at) => {
    const own = id++;
    w.span(kinds.callback, { id: own, name: functions[at % 40] }, 2000 + random(30000), () => {
      w.record(kinds.schedule, { id: own + 8, name: what[random(4)], first: functions[random(40)],
        second: functions[random(40)] });
    });
    if (random(3) === 0) {
      w.span(kinds.tickDrain, { value: 1 }, 900,
        () => w.span(kinds.tick, { id: own + 3, name: functions[random(40)] }, 600));
      w.span(kinds.microtaskDrain, {}, 900,
        () => w.span(kinds.microtask, { id: own + 4, name: functions[random(40)] }, 600));
    }
    w.pass(400);
  };
  for (let turn = 1; w.count < count; turn++) {
    w.turn(turn, () => {
      if (random(2) === 0) {
        w.inPhase(phases.timers, 1000, () => { for (let i = random(4); i >= 0; i--) callback(random(40)); });
      }
      w.inPhase(phases.poll, 1000, () => {
        w.record(kinds.waits, { value: 1e6 });
        w.pass(random(60000));
        w.record(kinds.woke, { value: 1 });
        for (let i = random(5); i >= 0; i--) {
          w.span(kinds.loopCallback, { id: -i - 2, name: what[3] }, 1000, () => callback(random(40)));
        }
        const worker = random(4);
        w.record(kinds.jobQueued, { id: -turn * 10, name: job, value: 0 });
        w.record(kinds.jobStarted, { id: -turn * 10, name: job, value: worker, time: w.time - 9000 });
        w.record(kinds.jobFinished, { id: -turn * 10, name: job, value: worker, time: w.time - 2000 });
      });
      if (random(2) === 0) {
        w.inPhase(phases.check, 1000, () => { for (let i = random(3); i >= 0; i--) callback(random(40)); });
      }
    });
  }
  return w.finish();
}

module.exports = { TraceWriter, kinds, phases, large, small };
