'use strict';

const { Uint8Array } = primordials;

// The class of all buffers. `Buffer` itself is a function, because it can be called without `new`. Both have the same
// prototype, and this class creates the objects.
class FastBuffer extends Uint8Array {
  // Explicit, because the default constructor would iterate over its arguments.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

module.exports = { FastBuffer };
