'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { ProtobufWriter } = require('internal/trace/protobuf');

// [value, where the next begins], by the definition of a varint.
function readVarint(bytes, at) {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    assert.ok(at < bytes.length, 'the number does not end');
    const byte = bytes[at++];
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return [Number(value), at];
  }
}

test('varints of every length', () => {
  for (let bits = 0; bits <= 52; bits++) {
    for (const number of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
      const writer = new ProtobufWriter();
      writer.plain(number);
      const bytes = writer.take();
      assert.deepStrictEqual(readVarint(bytes, 0), [number, bytes.length]);
      assert.strictEqual(bytes.length, Math.max(1, Math.ceil(number.toString(2).length / 7)));
    }
  }
  const writer = new ProtobufWriter();
  writer.varint(1, Number.MAX_SAFE_INTEGER);
  assert.deepStrictEqual(readVarint(writer.take(), 1)[0], Number.MAX_SAFE_INTEGER);
});

test('the bytes of the specification', () => {
  const writer = new ProtobufWriter();
  writer.varint(1, 150);
  writer.text(2, 'testing');
  assert.strictEqual(writer.take().toString('hex'), '089601120774657374696e67');
  assert.strictEqual(writer.take().length, 0);
});

test('texts are counted in bytes', () => {
  const writer = new ProtobufWriter();
  writer.text(16, 'é😀');
  assert.strictEqual(writer.take().toString('hex'), '820106c3a9f09f9880');
});

test('embedded messages know their size, also of what is inside', () => {
  for (const size of [0, 1, 127, 128, 20_000, 3_000_000]) {
    const writer = new ProtobufWriter();
    const outer = writer.begin(3);
    const inner = writer.begin(4);
    writer.need(size);
    writer.size += size;
    writer.end(inner);
    writer.end(outer);
    const bytes = writer.take();
    const [outerSize, outerAt] = readVarint(bytes, 1);
    assert.strictEqual(outerSize, bytes.length - outerAt);
    const [innerSize, innerAt] = readVarint(bytes, outerAt + 1);
    assert.deepStrictEqual([innerSize, innerAt + size], [size, bytes.length]);
  }
});

test('growing keeps what was written', () => {
  const writer = new ProtobufWriter();
  for (let i = 0; i < 20_000; i++) writer.double(1, i);
  const bytes = writer.take();
  assert.strictEqual(bytes.length, 180_000);
  for (let i = 0; i < 20_000; i++) assert.strictEqual(bytes.readDoubleLE(i * 9 + 1), i);
});

test('64 bits of two halves', () => {
  const writer = new ProtobufWriter();
  writer.fixed64(1, -1, 0x12345678);
  assert.strictEqual(writer.take().toString('hex'), '09ffffffff78563412');
});
