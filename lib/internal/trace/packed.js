'use strict';
// Packs records to a fifth of their size, for pages that contain a trace: differences as variable-length integers. Like
// reader and model it uses only the language, because the viewer's page includes it unchanged.
//
// A record is a byte of its kind, with kChanged if phase or detail are not those of the record before (then two and
// three bytes more follow: phase, detail), and kHasValue if its value is not 0; then the time as a difference to the
// record before, the name, the id as a difference, and the value. A record that cannot be encoded is kRaw and its 32
// bytes.
const { kinds, kRecordSize } = require('internal/trace/format');

const kKindMask = 0x3f;
const kChanged = 0x40;
const kHasValue = 0x80;
const kRaw = 0x3f;
const kMostBytes = 3 + 1 + 8 + 5 + 8 + 10; // Of one record, whatever is in it; kRaw takes fewer.
const kLargest = 2 ** 51; // Twice as much, and a sign, is still a whole number.

// -0 is also excluded: differences do not distinguish it from 0.
function isSmall(number) {
  return Number.isInteger(number) && number > -kLargest && number < kLargest && !Object.is(number, -0);
}

// Kinds whose value is two numbers.
function isPair(kind) {
  return kind === kinds.schedule || kind === kinds.refd || kind === kinds.innerCallbackBegin;
}

// Kinds whose value is a time.
function isTime(kind) {
  return kind === kinds.callbackBegin || kind === kinds.nextCallbackBegin || kind === kinds.turn;
}

class Packer {
  constructor(count) {
    this.bytes = new Uint8Array(64 + count * 10);
    this.at = 0;
  }

  // Room for one record more.
  reserve() {
    if (this.at + kMostBytes <= this.bytes.length) return;
    const bigger = new Uint8Array(this.bytes.length * 2 + kMostBytes);
    bigger.set(this.bytes);
    this.bytes = bigger;
  }

  // Seven bits per byte, the lowest first; the last byte has no high bit.
  put(number) {
    const { bytes } = this;
    let { at } = this;
    while (number >= 0x10000000) {
      bytes[at++] = (number % 128) | 0x80;
      number = Math.floor(number / 128);
    }
    while (number >= 128) {
      bytes[at++] = (number & 127) | 0x80;
      number >>>= 7;
    }
    bytes[at++] = number;
    this.at = at;
  }

  putSigned(number) {
    this.put(number < 0 ? -number * 2 - 1 : number * 2);
  }
}

// The records of a Trace (internal/trace/reader).
function pack({ f64, u32, count }) {
  const packer = new Packer(count);
  const raw = new Uint8Array(u32.buffer, u32.byteOffset, count * kRecordSize);
  let time = 0;
  let id = 0;
  let about = 0; // Phase and detail.
  for (let i = 0; i < count; i++) {
    packer.reserve();
    const word = u32[8 * i + 2];
    const kind = word & 0xff;
    const newTime = f64[4 * i];
    const newId = f64[4 * i + 2];
    const value = f64[4 * i + 3];
    const pair = isPair(kind);
    if (kind >= kRaw || !isSmall(newTime) || !isSmall(newId) || !(pair || isSmall(value))) {
      packer.bytes[packer.at++] = kRaw;
      packer.bytes.set(raw.subarray(i * kRecordSize, (i + 1) * kRecordSize), packer.at);
      packer.at += kRecordSize;
      continue;
    }
    const newAbout = word >>> 8;
    const hasValue = pair ? u32[8 * i + 6] !== 0 || u32[8 * i + 7] !== 0 : value !== 0;
    packer.bytes[packer.at++] = kind | (newAbout === about ? 0 : kChanged) | (hasValue ? kHasValue : 0);
    if (newAbout !== about) packer.put(about = newAbout);
    packer.putSigned(newTime - time);
    packer.put(u32[8 * i + 3]);
    packer.putSigned(newId - id);
    time = newTime;
    id = newId;
    if (!hasValue) continue;
    if (pair) {
      packer.put(u32[8 * i + 6]);
      packer.put(u32[8 * i + 7]);
    } else {
      packer.putSigned(isTime(kind) ? value - time : value);
    }
  }
  return packer.bytes.subarray(0, packer.at);
}

class Unpacker {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take() {
    const { bytes } = this;
    let number = 0;
    let scale = 1;
    let byte;
    do {
      byte = bytes[this.at++];
      number += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return number;
  }

  takeSigned() {
    const number = this.take();
    return number % 2 === 1 ? -(number + 1) / 2 : number / 2;
  }
}

// The bytes of so many records, or of as many as there are.
function unpack(packed, count) {
  const unpacker = new Unpacker(packed);
  const bytes = new Uint8Array(count * kRecordSize);
  const f64 = new Float64Array(bytes.buffer);
  const u32 = new Uint32Array(bytes.buffer);
  let time = 0;
  let id = 0;
  let about = 0;
  for (let i = 0; i < count; i++) {
    if (unpacker.at >= packed.length) return bytes.subarray(0, i * kRecordSize);
    const control = packed[unpacker.at++];
    const kind = control & kKindMask;
    if (kind === kRaw) {
      bytes.set(packed.subarray(unpacker.at, unpacker.at + kRecordSize), i * kRecordSize);
      unpacker.at += kRecordSize;
      continue;
    }
    if ((control & kChanged) !== 0) about = unpacker.take();
    u32[8 * i + 2] = kind | (about << 8);
    f64[4 * i] = time += unpacker.takeSigned();
    u32[8 * i + 3] = unpacker.take();
    f64[4 * i + 2] = id += unpacker.takeSigned();
    if ((control & kHasValue) === 0) continue;
    if (isPair(kind)) {
      u32[8 * i + 6] = unpacker.take();
      u32[8 * i + 7] = unpacker.take();
    } else {
      const value = unpacker.takeSigned();
      f64[4 * i + 3] = isTime(kind) ? value + time : value;
    }
  }
  return bytes;
}

module.exports = { pack, unpack };
