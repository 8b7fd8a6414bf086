'use strict';
// Writes protocol buffers, as far as Perfetto's track events need them.

const kVarint = 0;
const kFixed64 = 1;
const kBytes = 2;
const kSizeBytes = 4; // Room that is kept for the size of a message: varints may be longer than they need to be.

class ProtobufWriter {
  constructor() {
    this.bytes = Buffer.allocUnsafe(1 << 16);
    this.size = 0;
  }

  // Makes room for `more` bytes.
  need(more) {
    if (this.size + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.size + more));
    this.bytes.copy(larger, 0, 0, this.size);
    this.bytes = larger;
  }

  // A whole number from 0 to 2^53-1.
  plain(number) {
    this.need(10);
    let rest = number;
    while (rest >= 0x80) {
      this.bytes[this.size++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.bytes[this.size++] = rest;
  }

  tag(field, type) {
    this.plain(field * 8 + type);
  }

  varint(field, number) {
    this.tag(field, kVarint);
    this.plain(number);
  }

  fixed64(field, low, high) {
    this.tag(field, kFixed64);
    this.need(8);
    this.bytes.writeUInt32LE(low >>> 0, this.size);
    this.bytes.writeUInt32LE(high >>> 0, this.size + 4);
    this.size += 8;
  }

  double(field, number) {
    this.tag(field, kFixed64);
    this.need(8);
    this.bytes.writeDoubleLE(number, this.size);
    this.size += 8;
  }

  text(field, string) {
    const size = Buffer.byteLength(string);
    this.tag(field, kBytes);
    this.plain(size);
    this.need(size);
    this.bytes.utf8Write(string, this.size, size);
    this.size += size;
  }

  // An embedded message: pass the result of begin() to end().
  begin(field) {
    this.tag(field, kBytes);
    this.need(kSizeBytes);
    this.size += kSizeBytes;
    return this.size;
  }

  end(start) {
    let rest = this.size - start;
    for (let i = kSizeBytes; i > 0; i--) {
      this.bytes[start - i] = (rest & 0x7f) | (i === 1 ? 0 : 0x80);
      rest >>>= 7;
    }
  }

  // Returns the bytes written so far, and clears the buffer.
  take() {
    const taken = Buffer.from(this.bytes.subarray(0, this.size));
    this.size = 0;
    return taken;
  }
}

module.exports = { ProtobufWriter };
