'use strict';

const { Uint8Array } = primordials;

// What every Buffer is: a Uint8Array with another prototype. `Buffer` itself is a function that may be called without
// `new`, which a class cannot be; so the two share FastBuffer's prototype, and the class makes the objects.
class FastBuffer extends Uint8Array {
  // Written out, because the default constructor would iterate over its arguments.
  constructor(bufferOrLength, byteOffset, length) {
    super(bufferOrLength, byteOffset, length);
  }
}

module.exports = { FastBuffer };
