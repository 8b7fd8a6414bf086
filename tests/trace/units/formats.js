'use strict';
// Output for other viewers: Chrome's events by the rules of their format, Perfetto's packets with our own parser.
const assert = require('node:assert');
const { readTrace } = require('internal/trace/reader');
const { Model } = require('internal/trace/model');
const { chromePieces } = require('internal/trace/chrome');
const { perfettoPieces } = require('internal/trace/perfetto');
const { decode, packetsOf } = require('../support/perfetto');
const { sample } = require('../support/sample');

const models = [new Model(readTrace(sample().bytes())), new Model(readTrace(sample({ threadId: 3 }).bytes()))];

{
  const { traceEvents } = JSON.parse([...chromePieces(models)].join(''));
  for (const event of traceEvents) {
    assert.ok(['M', 'X', 's', 'f', 'C', 'i'].includes(event.ph), event.ph);
    assert.strictEqual(event.pid, 4711);
    if (event.ph === 'M') continue;
    assert.ok(event.ts >= 0);
    if (event.ph === 'X') assert.ok(event.dur >= 0);
  }
  const slices = traceEvents.filter((event) => event.ph === 'X');
  const phases = slices.filter((event) => event.cat === 'phase').map((event) => event.name);
  assert.deepStrictEqual([...new Set(phases)], ['timers', 'pending', 'idle', 'prepare', 'poll', 'check']);
  const threads = traceEvents.filter((event) => event.name === 'thread_name').map((event) => event.args.name);
  assert.deepStrictEqual(threads, ['loop', 'loop of worker 3', 'pool worker 2']);

  // On each thread slices are nested: two of them overlap only if one contains the other.
  const byThread = new Map();
  for (const slice of slices) {
    if (!byThread.has(slice.tid)) byThread.set(slice.tid, []);
    byThread.get(slice.tid).push(slice);
  }
  for (const list of byThread.values()) {
    list.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
    const open = [];
    for (const slice of list) {
      while (open.length > 0 && open[open.length - 1] <= slice.ts + 1e-6) open.pop();
      if (open.length > 0) assert.ok(slice.ts + slice.dur <= open[open.length - 1] + 0.002, `${slice.name} sticks out`);
      open.push(slice.ts + slice.dur);
    }
  }

  // One arrow into each callback but the main script, and one into each job: from a slice to the beginning of another.
  const starts = traceEvents.filter((event) => event.ph === 's');
  const ends = traceEvents.filter((event) => event.ph === 'f');
  assert.strictEqual(starts.length, 12);
  assert.deepStrictEqual(starts.map((event) => event.id), ends.map((event) => event.id));
  assert.strictEqual(new Set(starts.map((event) => event.id)).size, starts.length);
  starts.forEach((start, i) => {
    assert.ok(start.ts <= ends[i].ts);
    assert.ok(slices.some((slice) => slice.tid === start.tid && slice.ts <= start.ts && start.ts <= slice.ts +
      slice.dur));
    assert.ok(slices.some((slice) => slice.tid === ends[i].tid && slice.ts === ends[i].ts));
  });
  const spin = slices.find((slice) => slice.name === 'setTimeout 10 ms spin');
  assert.strictEqual(spin.args.function, 'spin /work/app.js:3:10');
  assert.strictEqual(spin.args['scheduled at'], '/work/app.js:9:1');
  assert.match(spin.args['why here'], /^TIM-01: /);
  assert.ok(traceEvents.some((event) => event.ph === 'C' && event.name === 'handles' && event.args.value === 3));
  assert.ok(traceEvents.some((event) => event.ph === 'i' && event.name === 'blocked' &&
    event.args.stack.startsWith('spin ')));
}

{
  const packets = packetsOf(Buffer.concat([...perfettoPieces(models)]));
  const tracks = new Map(packets.filter((p) => p.track !== undefined).map((p) => [p.track.uuid, p.track]));
  assert.deepStrictEqual([...tracks.values()].map((track) => track.thread?.name ?? track.process?.name ?? track.name),
    ['rondo app.js', 'loop', 'pool worker 2', 'handles', 'loop of worker 3', 'handles']);
  const open = new Map();
  const sources = new Map();
  let ended = 0;
  const names = [];
  for (const packet of packets) {
    if (packet.event === undefined) continue;
    const { event } = packet;
    assert.ok(tracks.has(event.track), `track ${event.track} was described before`);
    if (!open.has(event.track)) open.set(event.track, []);
    const stack = open.get(event.track);
    if (event.type === 1) {
      assert.ok(event.name.length > 0 && event.category.length > 0);
      if (stack.length > 0) assert.ok(stack[stack.length - 1] <= packet.time);
      stack.push(packet.time);
      names.push(event.name);
      for (const flow of event.flows) sources.set(flow, packet.time);
      for (const flow of event.endingFlows) {
        assert.ok(sources.get(flow) <= packet.time, 'a flow ends after it began');
        sources.delete(flow);
        ended++;
      }
    } else if (event.type === 2) {
      assert.ok(stack.pop() <= packet.time);
    } else if (event.type === 4) {
      assert.strictEqual(event.counter, 3);
    }
  }
  for (const stack of open.values()) assert.deepStrictEqual(stack, []);
  assert.strictEqual(ended, 12);
  assert.strictEqual(sources.size, 0);
  assert.deepStrictEqual(names.slice(0, 12),
    ['main script', 'ticks', 'process.nextTick onTick', 'microtasks', 'promise',
      'turn 1', 'timers', 'pending', 'idle', 'prepare', 'poll', 'asleep']);
  const spin = packets.find((packet) => packet.event?.name === 'setTimeout 10 ms spin').event;
  assert.strictEqual(spin.details['scheduled at'], '/work/app.js:9:1');
}

// The parser rejects malformed input, so that accepted input means something.
assert.throws(() => decode(Buffer.from([0x0a, 0x05, 0x01])), /ends/);
assert.throws(() => decode(Buffer.from([0x80])), /ends/);
