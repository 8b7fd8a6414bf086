'use strict';
// The model built from records: nesting, causes, waits, rules.
const assert = require('node:assert');
const { readTrace } = require('internal/trace/reader');
const { Model, kEndUnknown } = require('internal/trace/model');
const { describe } = require('internal/trace/callbacks');
const { steps } = require('internal/trace/order');
const { summarize } = require('internal/trace/summary');
const { sample } = require('../support/sample');
const { TraceWriter } = require('../support/writer');

function modelOf(writer) {
  return new Model(readTrace(writer.bytes()));
}

{
  const model = modelOf(sample());
  assert.strictEqual(model.unmatched + model.skipped + model.badNames + model.tooDeep, 0);
  const list = [...steps(model, Infinity)];
  assert.deepStrictEqual(list.map((step) =>
    [step.number, step.kind, step.phase, step.turn, step.what, step.by, step.rule.id]), [
    [1, 'main', 'none', 0, 'main script', 0, 'TURN-02'],
    [2, 'tick', 'none', 0, 'process.nextTick', 1, 'TURN-02'],
    [3, 'microtask', 'none', 0, 'promise', 1, 'TURN-02'],
    [4, 'callback', 'poll', 1, 'fs.readFile', 1, 'POOL-02'],
    [5, 'callback', 'check', 1, 'setImmediate', 4, 'ORD-02'],
    [6, 'callback', 'timers', 1, 'setTimeout 10 ms', 1, 'TIM-01'],
  ]);
  assert.deepStrictEqual(list[3].place, { function: 'onRead', file: '/work/app.js', line: 20, column: 7 });
  assert.deepStrictEqual(list[3].scheduled, { function: '', file: '/work/app.js', line: 9, column: 1 });
  const summary = summarize(model);
  assert.strictEqual(summary.turns, 1);
  assert.strictEqual(summary.slowest[0].place.line, 3);
  assert.ok(summary.slowest[0].own > 190e6);
  assert.strictEqual(summary.pool.jobs, 1);
  assert.deepStrictEqual(summary.pool.workers, [{ worker: 2, jobs: 1, busy: 4e6 }]);
  assert.strictEqual(summary.asleep, model.sleeps.end[0] - model.sleeps.start[0]);
  assert.deepStrictEqual(summary.alive,
    [{ what: 'tcp server', place: { function: '', file: '/work/app.js', line: 9, column: 1 },
      count: 1 }]);
  assert.strictEqual(summary.blocked[0].stack[0].function, 'spin');
}

// A promise that is settled after then() was called: the cause is the callback that settled it.
{
  const w = new TraceWriter();
  const then = w.place('', '/a.js', 4, 2);
  const immediate = w.text('setImmediate');
  w.add(6, { id: 1 }).add(17, { id: 50, value: 0 }).add(17, { id: 51, name: then, value: 50 });
  w.add(16, { id: 9, name: immediate }).add(7, { id: 1 });
  w.add(1, { id: 1 }).add(2, { phase: 6 }).add(6, { phase: 6, id: 9 }).add(18, { id: 50 }).add(7, { id: 9 });
  w.add(12).add(14, { id: 51 }).add(15, { id: 51 }).add(13).add(3, { phase: 6 });
  const list = [...steps(modelOf(w), Infinity)];
  assert.deepStrictEqual(list.map((step) => [step.kind, step.by]), [['main', 0], ['callback', 1], ['microtask', 2]]);
  assert.strictEqual(list[2].scheduled.line, 4);
  assert.strictEqual(list[2].rule.id, 'TICK-02');
}

// A repeating callback waited only once, and is late each time.
{
  const w = new TraceWriter();
  const interval = w.text('setInterval 5 ms');
  w.add(6, { id: 1 }).add(16, { id: 9, name: interval, time: 1e6 }).add(7, { id: 1 });
  for (const due of [6e6, 11e6]) {
    w.add(1, { id: due / 5e6 | 0 }).add(2, { phase: 1 });
    w.add(6, { phase: 1, id: 9, value: due, time: due + 0.5e6 }).add(7, { phase: 1, id: 9 }).add(3, { phase: 1 });
  }
  const list = [...steps(modelOf(w), Infinity)];
  assert.deepStrictEqual(list.map((step) => step.wait), [null, 5.5e6, null]);
  assert.deepStrictEqual(list.map((step) => step.late), [null, 0.5e6, 0.5e6]);
  assert.deepStrictEqual(list.map((step) => step.rule.id), ['TURN-02', 'TIM-01', 'TIM-04']);
}

// A callback that another one calls directly: runInAsyncScope().
{
  const w = new TraceWriter();
  const resource = w.text('MyResource');
  w.add(6, { id: 1 }).add(16, { id: 5, name: resource }).add(6, { id: 5 }).add(7, { id: 5 }).add(6, { id: 77 }).add(7,
    { id: 77 });
  w.add(7, { id: 1 });
  const list = [...steps(modelOf(w), Infinity)];
  assert.deepStrictEqual(list.map((step) => [step.what, step.by, step.calledBy, step.rule.id]),
    [['main script', 0, 0, 'TURN-02'], ['MyResource', 1, 1, 'TURN-03'], ['callback', 1, 1, 'TURN-03']]);
}

// Spans that process.exit() leaves open are closed, and marked.
{
  const w = new TraceWriter();
  w.add(1, { id: 1 }).add(2, { phase: 6 }).add(6, { phase: 6, id: 4 }).add(31, { value: 3 });
  const model = modelOf(w);
  assert.strictEqual(model.exitCode, 3);
  assert.strictEqual(model.spans.end[2], model.ends);
  assert.ok(model.spans.flags[2] & kEndUnknown);
  assert.ok(!(model.spans.flags[0] & kEndUnknown));
}

// A ring whose beginning is lost: ends without begins are counted, the rest is correct.
{
  const w = new TraceWriter();
  w.add(7, { phase: 6, id: 4 }).add(3, { phase: 6 }).add(1, { id: 8 }).add(2, { phase: 6 }).add(6, { phase: 6, id: 5 });
  w.add(7, { phase: 6, id: 5 }).add(3, { phase: 6 });
  const model = modelOf(w);
  assert.strictEqual(model.unmatched, 2);
  const about = describe(model, 2);
  assert.deepStrictEqual([about.what, about.turn, about.cause, about.scheduled], ['immediate', 8, -1, null]);
}

// Two models with the same spans. The place of scheduling is the index of a record, which may differ.
function assertSame(short, long) {
  for (const column of Object.keys(long.spans)) {
    if (column === 'count' || column === 'schedule') continue;
    const values = [short, long].map(({ spans }) => [...spans[column].subarray(0, spans.count)]);
    assert.deepStrictEqual(values[0], values[1], column);
  }
  assert.deepStrictEqual([...steps(short, Infinity)], [...steps(long, Infinity)]);
}

// Records that stand for several: as if each were there.
{
  const build = (isShort) => {
    const w = new TraceWriter();
    const place = w.place('f', '/a.js', 1, 1);
    w.add(16, { id: 2, name: w.text('setImmediate'), first: place, second: place });
    w.add(1, { id: 1, time: 5000 }).add(2, { phase: 6, time: 5000 }).add(6,
      { phase: 6, id: 2, name: place, time: 5000 });
    w.add(16, { phase: 6, id: 3, name: w.text('setImmediate'), first: place, second: place, time: 5500 });
    w.add(16, { phase: 6, id: 4, name: w.text('setImmediate'), first: place, second: place, time: 5600 });
    if (isShort) {
      w.add(34, { phase: 6, id: 3, name: place, value: 2, time: 6000 }).add(35,
        { phase: 6, id: 4, name: place, time: 6500 });
    } else {
      w.add(7, { phase: 6, id: 2, time: 6000 }).add(3, { phase: 6, time: 6000 }).add(1, { id: 2, time: 6000 });
      w.add(2, { phase: 6, time: 6000 }).add(6, { phase: 6, id: 3, name: place, time: 6000 });
      w.add(7, { phase: 6, id: 3, time: 6500 }).add(6, { phase: 6, id: 4, name: place, time: 6500 });
    }
    w.add(7, { phase: 6, id: 4, time: 7000 }).add(3, { phase: 6, time: 7000 }).add(31, { time: 8000 });
    return modelOf(w);
  };
  const [short, long] = [build(true), build(false)];
  assertSame(short, long);
  assert.strictEqual(short.spans.count, 7);
  assert.strictEqual(summarize(short).turns, 2);
  assert.strictEqual(short.unmatched, 0);
  // Without the records before them.
  const cut = new TraceWriter();
  cut.add(35, { phase: 6, id: 4 }).add(34, { phase: 6, id: 5, value: 9 });
  const model = modelOf(cut);
  assert.deepStrictEqual([model.unmatched, model.spans.count, model.spans.flags[0]], [1, 4, 0]);
  assert.deepStrictEqual([...model.spans.id], [4, 9, 0, 5]);
}

// A million records in a few seconds. The limit is generous: the machine may be busy.
{
  const count = 1 << 20;
  const bytes = Buffer.alloc(4096 + 4096 + 32 * count);
  const w = new TraceWriter({ capacity: count, namesRoom: 4096 });
  const place = w.place('f', '/a.js', 1, 1);
  const f64 = new Float64Array(bytes.buffer, bytes.byteOffset + 8192, 4 * count);
  const u32 = new Uint32Array(bytes.buffer, bytes.byteOffset + 8192, 8 * count);
  let i = 0;
  const add = (kind, id) => {
    f64[4 * i] = 100 * i;
    f64[4 * i + 2] = id;
    u32[8 * i + 2] = kind | 6 << 8;
    u32[8 * i++ + 3] = place;
  };
  for (let id = 2; i < count - 8; id++) {
    for (const kind of [1, 2, 6]) add(kind, id);
    add(16, id + 1);
    for (const kind of [7, 3]) add(kind, id);
  }
  w.header((header) => header.writeDoubleLE(i, 40)).copy(bytes);
  Buffer.concat(w.names).copy(bytes, 4096);
  const before = process.cpuUsage();
  const summary = summarize(new Model(readTrace(bytes)));
  const { user } = process.cpuUsage(before);
  assert.ok(summary.callbacks > 170_000);
  assert.ok(user < 20e6, `${user} us of processor time`);
}

// A JavaScript callback inside a loop callback: one record for both begins, one for both ends.
{
  const build = (isShort) => {
    const w = new TraceWriter();
    const place = w.place('onData', '/a.js', 3, 5);
    const socket = w.text('tcp socket');
    const data = w.text('data');
    w.add(20, { id: -7, name: socket }).add(16, { id: 2, name: socket, first: place }).add(22, { id: 2, value: -7 });
    w.add(1, { id: 1, time: 5000 }).add(2, { phase: 5, time: 5000 });
    for (const time of [5000, 6000]) {
      if (isShort) {
        w.add(36, { phase: 5, id: 2, name: place, detail: data, first: 7, second: socket, time });
        w.add(16, { phase: 5, id: time, time: time + 100 });
        w.add(37, { phase: 5, id: 2, time: time + 500 });
      } else {
        w.add(4, { phase: 5, id: -7, name: socket, time }).add(6, { phase: 5, id: 2, name: place, detail: data, time });
        w.add(16, { phase: 5, id: time, time: time + 100 });
        w.add(7, { phase: 5, id: 2, time: time + 500 }).add(5, { phase: 5, id: -7, time: time + 500 });
      }
    }
    w.add(3, { phase: 5, time: 7000 }).add(31, { time: 8000 });
    return modelOf(w);
  };
  const [short, long] = [build(true), build(false)];
  assertSame(short, long);
  assert.strictEqual(short.spans.count, 6);
  assert.deepStrictEqual([...short.spans.id].slice(2, 4), [-7, 2]);
  const [step] = steps(short, Infinity);
  assert.deepStrictEqual([step.what, step.phase, step.place.function], ['tcp socket: data', 'poll', 'onData']);
}
