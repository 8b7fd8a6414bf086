'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { Ids, formatTraceParent, parseTraceParent } = require('internal/observe/trace_context');

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test('a valid field is read, and written again', () => {
  for (const flags of ['00', '01']) {
    const text = `00-${traceId}-${spanId}-${flags}`;
    const context = parseTraceParent(text);
    assert.deepEqual({ ...context }, { traceId, spanId, isSampled: flags === '01' });
    assert.strictEqual(formatTraceParent(context), text);
  }
});

test('only the lowest bit of the flags counts', () => {
  assert.strictEqual(parseTraceParent(`00-${traceId}-${spanId}-02`).isSampled, false);
  assert.strictEqual(parseTraceParent(`00-${traceId}-${spanId}-ff`).isSampled, true);
});

test('a later version may have more parts', () => {
  assert.strictEqual(parseTraceParent(`01-${traceId}-${spanId}-01-more`).spanId, spanId);
  assert.strictEqual(parseTraceParent(`cc-${traceId}-${spanId}-01`).traceId, traceId);
});

test('fields that are not valid begin a new trace', () => {
  for (const bad of [
    undefined, 1, '', 'x', `00-${traceId}-${spanId}`, `00-${traceId}-${spanId}-01-more`, `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`, ` 00-${traceId}-${spanId}-01`, `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01,00-${traceId}-${spanId}-01`,
  ]) {
    assert.strictEqual(parseTraceParent(bad), undefined, String(bad));
  }
});

test('ids have the right form, and differ', () => {
  const ids = new Ids([1, 2, 3, 4]);
  const seen = new Set();
  for (let i = 0; i < 20_000; i++) {
    const trace = ids.trace();
    const span = ids.span();
    assert.match(trace, /^[0-9a-f]{32}$/);
    assert.match(span, /^[0-9a-f]{16}$/);
    seen.add(trace).add(span);
  }
  assert.strictEqual(seen.size, 40_000);
  assert.notStrictEqual(new Ids([1, 2, 3, 5]).trace(), new Ids([1, 2, 3, 4]).trace());
  assert.match(new Ids([0, 0, 0, 0]).trace(), /[1-9a-f]/);
});
