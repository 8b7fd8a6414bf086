'use strict';
// stream.duplexPair(): data written to one side is read from the other.
const { Symbol } = primordials;
const { Duplex } = require('internal/streams/duplex');

const kOther = Symbol('other side');
// The callback of the write, or of the end, that waits until the other side is read.
const kWaiting = Symbol('waiting callback');

class DuplexSide extends Duplex {
  constructor(options) {
    super(options);
    this[kOther] = null;
    this[kWaiting] = null;
  }

  _read() {
    const waiting = this[kWaiting];
    if (waiting === null) return;
    this[kWaiting] = null;
    waiting();
  }

  _write(chunk, encoding, callback) {
    const other = this[kOther];
    if (chunk.length === 0) {
      process.nextTick(callback);
    } else {
      other.push(chunk);
      other[kWaiting] = callback;
    }
  }

  _final(callback) {
    const other = this[kOther];
    other.on('end', callback);
    other.push(null);
  }
}

function duplexPair(options) {
  const first = new DuplexSide(options);
  const second = new DuplexSide(options);
  first[kOther] = second;
  second[kOther] = first;
  return [first, second];
}

module.exports = { duplexPair };
