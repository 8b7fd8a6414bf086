'use strict';
// Unpacking gives the packed records, bit by bit.
const assert = require('assert');
const { pack, unpack } = require('internal/trace/packed');
const { readTrace } = require('internal/trace/reader');
const { TraceWriter, large, small } = require('./synthetic.js');

function check(name, bytes) {
  const trace = readTrace(new Uint8Array(bytes));
  const packed = pack(trace);
  const records = Buffer.from(trace.u32.buffer, trace.u32.byteOffset, trace.count * 32);
  const unpacked = Buffer.from(unpack(packed, trace.count));
  assert.ok(records.equals(unpacked), name);
  console.log(`${name}: ${trace.count} records in ${(packed.length / trace.count).toFixed(0)} bytes each`);
  // Truncated data gives a part of the records, and ends.
  for (const cut of [0, 1, 7, packed.length >> 1]) {
    assert.ok(unpack(packed.subarray(0, cut), trace.count).length <= trace.count * 32);
  }
}

check('small', small());
check('large', large(20000));

const odd = new TraceWriter();
const numbers = [0, -0, 1, -1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 40, 2 ** 50, -(2 ** 50), 2 ** 53,
  2 ** 60,
  1e308, 5e-324];
for (const value of numbers) {
  for (const kind of [1, 6, 16, 28, 32, 33, 62, 63, 64, 200, 255]) {
    odd.record(kind, { id: value, value, name: 2 ** 32 - 1, detail: 65535, time: Math.abs(value), phase: 255 });
    odd.record(kind, { id: -value, value: -value, time: value, phase: 0 });
    odd.record(kind, { first: 2 ** 32 - 1, second: 2 ** 32 - 1 });
  }
}
check('odd', odd.finish());
