'use strict';
// The queues of fs.Utf8Stream: pending text or bytes, in pieces of one write each.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeUnshift,
  StringPrototypeSlice,
} = primordials;

const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateString } = require('internal/validators');

// Queued text, in pieces of one write each. Lengths are in characters.
class TextQueue {
  none = '';
  #pieces = [];

  get size() { return this.#pieces.length; }

  check(data) { validateString(data, 'data'); }

  add(data, most) {
    const pieces = this.#pieces;
    const last = pieces.length - 1;
    if (last < 0 || pieces[last].length + data.length > most) ArrayPrototypePush(pieces, data);
    else pieces[last] += data;
  }

  take() { return this.#pieces.length > 0 ? ArrayPrototypeShift(this.#pieces) : ''; }

  putBack(piece) { ArrayPrototypeUnshift(this.#pieces, piece); }

  clear() { this.#pieces = []; }

  // Returns the unwritten rest of a piece. A partially written character is written again.
  rest(piece, written) {
    const bytes = Buffer.from(piece);
    if (bytes.length === written) return '';
    while (written > 0 && (bytes[written] & 0xc0) === 0x80) written--;
    return StringPrototypeSlice(piece, bytes.utf8Slice(0, written).length);
  }

  write(calls, fd, piece, callback) { calls.write(fd, piece, 'utf8', callback); }

  writeSync(calls, fd, piece) { return calls.writeSync(fd, piece, 'utf8'); }
}

// Queued bytes. The buffers of a piece are joined when it is written.
class ByteQueue {
  none = Buffer.alloc(0);
  #pieces = [];

  get size() { return this.#pieces.length; }

  check(data) {
    if (!Buffer.isBuffer(data)) throw new ERR_INVALID_ARG_TYPE('data', 'Buffer', data);
  }

  add(data, most) {
    const pieces = this.#pieces;
    const last = pieces[pieces.length - 1];
    if (last === undefined || last.length + data.length > most) {
      ArrayPrototypePush(pieces, { buffers: [data], length: data.length });
      return;
    }
    ArrayPrototypePush(last.buffers, data);
    last.length += data.length;
  }

  take() {
    if (this.#pieces.length === 0) return this.none;
    const { buffers, length } = ArrayPrototypeShift(this.#pieces);
    return buffers.length === 1 ? buffers[0] : Buffer.concat(buffers, length);
  }

  putBack(piece) { ArrayPrototypeUnshift(this.#pieces, { buffers: [piece], length: piece.length }); }

  clear() { this.#pieces = []; }

  rest(piece, written) { return piece.subarray(written); }

  write(calls, fd, piece, callback) { calls.write(fd, piece, callback); }

  writeSync(calls, fd, piece) { return calls.writeSync(fd, piece); }
}

module.exports = { ByteQueue, TextQueue };
