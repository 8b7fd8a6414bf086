'use strict';
// The amount that a stream buffers before write() or push() returns false.
const { MathFloor, NumberIsInteger } = primordials;
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInteger } = require('internal/validators');

let defaultBytes = 64 * 1024;
let defaultObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? defaultObjects : defaultBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) defaultObjects = value;
  else defaultBytes = value;
}

// `key` is the option for one side of a Duplex, which is used if highWaterMark is not set.
function getHighWaterMark(state, options, key, isDuplex) {
  const mark = options.highWaterMark ?? (isDuplex ? options[key] : undefined);
  if (mark === undefined || mark === null) return getDefaultHighWaterMark(state.objectMode);
  if (!NumberIsInteger(mark) || mark < 0) {
    throw new ERR_INVALID_ARG_VALUE(isDuplex ? `options.${key}` : 'options.highWaterMark', mark);
  }
  return MathFloor(mark);
}

module.exports = { getDefaultHighWaterMark, getHighWaterMark, setDefaultHighWaterMark };
