'use strict';

// Errors for numbers that are read or written outside of a buffer. They are in a separate file so that the readers and
// writers stay small enough to be inlined.

const { MathFloor } = primordials;

const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { validateNumber } = require('internal/validators');

// Throws because `size` bytes at `offset` are not all inside a buffer of `length` bytes.
function failOffset(offset, length, size) {
  validateNumber(offset, 'offset');
  if (MathFloor(offset) !== offset) throw new ERR_OUT_OF_RANGE('offset', 'an integer', offset);
  if (length < size) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  throw new ERR_OUT_OF_RANGE('offset', `>= 0 and <= ${length - size}`, offset);
}

function failByteLength(byteLength) {
  validateNumber(byteLength, 'byteLength');
  if (MathFloor(byteLength) !== byteLength) throw new ERR_OUT_OF_RANGE('byteLength', 'an integer', byteLength);
  throw new ERR_OUT_OF_RANGE('byteLength', '>= 1 and <= 6', byteLength);
}

// For functions with the parameter `byteLength`.
function checkSpan(buffer, offset, byteLength) {
  if (byteLength !== 1 && byteLength !== 2 && byteLength !== 3 && byteLength !== 4 && byteLength !== 5 &&
      byteLength !== 6) {
    failByteLength(byteLength);
  }
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + byteLength - 1] === undefined) {
    failOffset(offset, buffer.length, byteLength);
  }
}

function requireOffset(offset) {
  if (offset === undefined) throw new ERR_INVALID_ARG_TYPE('offset', 'number', offset);
}

// Throws because `value` does not fit into an integer of `size` bytes.
function failValue(value, size, isSigned) {
  const n = typeof value === 'bigint' || size === 8 ? 'n' : '';
  const bits = size * 8;
  let range;
  if (size <= 4) {
    range = isSigned ?
      `>= ${-(2 ** (bits - 1))} and <= ${2 ** (bits - 1) - 1}` :
      `>= 0 and <= ${2 ** bits - 1}`;
  } else if (isSigned) {
    range = `>= -(2${n} ** ${bits - 1}${n}) and < 2${n} ** ${bits - 1}${n}`;
  } else {
    range = `>= 0${n} and < 2${n} ** ${bits}${n}`;
  }
  throw new ERR_OUT_OF_RANGE('value', range, value);
}

module.exports = { checkSpan, failOffset, failValue, requireOffset };
