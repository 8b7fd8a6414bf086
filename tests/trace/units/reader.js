'use strict';
// Traces that are truncated, damaged or malicious: a clear error, or the readable part, and never more memory than the
// size of the file.
const assert = require('node:assert');
const { readTrace, TraceError } = require('internal/trace/reader');
const { Model } = require('internal/trace/model');
const { summarize } = require('internal/trace/summary');
const { reportOn } = require('internal/trace/report');
const { orderLines } = require('internal/trace/order');
const { chromePieces } = require('internal/trace/chrome');
const { perfettoPieces } = require('internal/trace/perfetto');
const { styleFor } = require('internal/trace/words');
const { sample } = require('../support/sample');
const { TraceWriter } = require('../support/writer');

const good = sample().bytes();

function refused(bytes, message) {
  assert.throws(() => readTrace(bytes), (error) => {
    assert.ok(error instanceof TraceError, error.stack);
    assert.match(error.message, message);
    return true;
  });
}

function spoiled(at, write) {
  return sample().bytes((header) => write(header, at));
}

// Headers.
refused(Buffer.alloc(0), /ends after 0 bytes/);
refused(good.subarray(0, 7), /ends after 7 bytes/);
refused(good.subarray(0, 4095), /ends after 4095 bytes/);
refused(Buffer.from('#!/usr/bin/env node\n'.repeat(300)), /not a Rondo trace/);
refused(Buffer.alloc(5000), /not a Rondo trace/);
refused(spoiled(8, (h, at) => h.writeUInt32LE(1, at)), /format has version 1, but this rondo reads versions 2 to 4/);
refused(spoiled(8, (h, at) => h.writeUInt32LE(5, at)), /format has version 5, but this rondo reads versions 2 to 4/);
for (const version of [2, 3, 4]) readTrace(spoiled(8, (h, at) => h.writeUInt32LE(version, at)));
for (const at of [24, 32, 40, 48, 56]) {
  for (const number of [NaN, Infinity, -1, 0.5, 2 ** 60]) {
    refused(spoiled(at, (h) => h.writeDoubleLE(number, at)), /header is damaged/);
  }
}
refused(spoiled(32, (h, at) => h.writeDoubleLE(0, at)), /header is damaged/);

// Smaller problems are not rejected.
assert.deepStrictEqual(readTrace(spoiled(88, (h, at) => h.writeUInt32LE(0xffffffff, at))).header.commandLine, []);
assert.deepStrictEqual(readTrace(spoiled(96, (h, at) => h.write('{nonsense', at))).header.commandLine, []);
assert.deepStrictEqual(readTrace(spoiled(96, (h, at) => h.write('{"a":1}  ', at))).header.commandLine, []);
assert.strictEqual(readTrace(spoiled(64, (h, at) => h.writeDoubleLE(NaN, at))).header.startedAt, 0);

// Wrong sizes: a ring of terabytes, more records than possible.
const huge = readTrace(spoiled(32, (h, at) => h.writeDoubleLE(2 ** 40, at)));
assert.strictEqual(huge.count, sample().records.length);
const many = readTrace(spoiled(40, (h, at) => h.writeDoubleLE(2 ** 52, at)));
assert.strictEqual(many.count, 1024);
assert.strictEqual(many.dropped, 2 ** 52 - 1024);
const names = readTrace(spoiled(56, (h, at) => h.writeDoubleLE(90, at)));
assert.ok(names.names.missing > 0);
assert.strictEqual(names.names.text(5000), '');
assert.strictEqual(names.names.text(-1), '');
assert.strictEqual(names.names.text(NaN), '');
assert.strictEqual(names.names.place(4_000_000_000).file, '');
assert.deepStrictEqual(names.names.stack(1), []);

// Truncated anywhere: the records that are there are read.
for (let size = 4096; size <= good.length; size += 997) {
  const trace = readTrace(good.subarray(0, size));
  assert.ok(trace.count <= sample().records.length);
  assert.strictEqual(trace.count + trace.cut, sample().records.length);
  summarize(new Model(trace));
}

// A ring that has wrapped around keeps the last records, in order.
{
  const w = new TraceWriter({ capacity: 8 });
  for (let i = 0; i < 21; i++) w.add(1, { id: i });
  const trace = readTrace(w.bytes());
  assert.strictEqual(trace.dropped, 13);
  assert.deepStrictEqual(Array.from({ length: 8 }, (_, i) => trace.f64[4 * i + 2]), [13, 14, 15, 16, 17, 18, 19, 20]);
  trace.forget(3);
  assert.strictEqual(trace.dropped, 16);
  assert.strictEqual(trace.f64[2], 16);
  trace.forget(100);
  assert.strictEqual(trace.count, 0);
  // Of a truncated one, those from the first slot on.
  const cut = readTrace(w.bytes().subarray(0, -3 * 32));
  assert.deepStrictEqual(Array.from({ length: cut.count }, (_, i) => cut.f64[4 * i + 2]), [16, 17, 18, 19, 20]);
  assert.strictEqual(cut.cut, 0);
  const shorter = readTrace(w.bytes().subarray(0, -6 * 32));
  assert.deepStrictEqual(Array.from({ length: shorter.count }, (_, i) => shorter.f64[4 * i + 2]), [16, 17]);
  assert.strictEqual(shorter.cut, 3);
}

// A table of names that ends too early, or has invalid content.
{
  const w = new TraceWriter();
  const file = w.text('a.js');
  const place = w.numbers(1, [file, file, 3, 4]);
  const loop = w.numbers(1, [w.names.length + 1, w.names.length + 1, 1, 1]);
  const short = w.numbers(1, [file]);
  const stack = w.stack([place, 99999, file, loop, short, w.names.length + 1]);
  const { names: table } = readTrace(w.bytes());
  assert.deepStrictEqual(table.place(place), { functionName: 'a.js', file: 'a.js', line: 3, column: 4 });
  assert.deepStrictEqual(table.place(loop), { functionName: '', file: '', line: 1, column: 1 });
  assert.strictEqual(table.place(short).file, '');
  assert.strictEqual(table.place(file).file, '');
  assert.strictEqual(table.text(place), '');
  assert.strictEqual(table.stack(stack).length, 6);
  const broken = w.bytes();
  broken.writeUInt32LE(0xfffffff0, 4096);
  assert.strictEqual(readTrace(broken).names.count, 0);
  broken.writeUInt32LE(4, 4096);
  broken.writeUInt32LE(77, 4100);
  assert.strictEqual(readTrace(broken).names.count, 0);
}

// All uses of a trace, with any content.
function useAll(bytes) {
  let trace;
  try {
    trace = readTrace(bytes);
  } catch (error) {
    assert.ok(error instanceof TraceError, error.stack);
    return;
  }
  const model = new Model(trace);
  const { spans } = model;
  for (let span = 0; span < spans.count; span++) {
    assert.ok(spans.end[span] >= spans.start[span]);
    assert.ok(spans.parent[span] < span && spans.cause[span] < spans.count);
  }
  const text = reportOn(summarize(model), styleFor({}), '/');
  assert.ok(!/[\x00-\x09\x0b-\x1f\x7f]/.test(text), 'nothing that a terminal obeys');
  for (const line of orderLines(model, 100, styleFor({}), '/')) assert.ok(!line.includes('\x1b'));
  JSON.parse([...chromePieces([model])].join(''));
  for (const piece of perfettoPieces([model])) assert.ok(piece.length >= 0);
}

// Invalid records among valid ones.
{
  const w = sample();
  const evil = w.text('\x1b[2J\x07\u202e evil');
  for (const time of [NaN, Infinity, -1, 1e300]) w.add(6, { time, id: 5 });
  for (const kind of [0, 41, 255]) w.add(kind, { time: 1, id: 5 });
  w.add(6, { time: 300e6, id: NaN });
  for (let kind = 1; kind <= 40; kind++) {
    w.add(kind, { phase: 200, id: -7, name: evil, value: NaN });
    w.add(kind, { phase: 3, id: 2 ** 53, name: 0xffffffff, value: Infinity });
    w.add(kind, { phase: 1, id: 0.5, name: 2, first: 0xffffffff, second: 0xffffffff });
  }
  const model = new Model(readTrace(w.bytes()));
  assert.strictEqual(model.skipped, 7);
  assert.strictEqual(model.lost, 1);
  assert.strictEqual(model.badNames, 43);
  useAll(w.bytes());
}

// Begins without ends and ends without begins, many of each.
for (const kinds of [[6], [7], [6, 6, 5], [8, 10, 12, 14, 9], [2, 4, 6, 3], [1, 3, 5, 7, 9, 11, 13, 15], [34], [35],
  [34, 6, 35, 4],
  [36], [37], [36, 37, 37], [2, 36, 10, 37], [38], [39], [40], [38, 39, 38, 40]]) {
  const w = new TraceWriter({ capacity: 16384 });
  for (let i = 0; i < 12_000; i++) w.add(kinds[i % kinds.length], { id: i, phase: i % 9 });
  useAll(w.bytes());
}

// Pseudo-random, the same each time.
let state = 12345;
function random(below) {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
}
for (let round = 0; round < 300; round++) {
  const bytes = Buffer.from(good);
  const places = [4096, 4096 + 600, 4096 + 65536 + 32 * 46];
  for (let i = random(30); i >= 0; i--) {
    const from = random(3);
    const at = from === 2 ? 4096 + 65536 + random(32 * 46) : random(places[from]);
    bytes[at] = random(4) === 0 ? 255 : random(256);
  }
  useAll(random(3) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes);
}
