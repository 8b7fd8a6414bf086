'use strict';
// Durations of time-outs of sockets and requests, which are checked more strictly than those of setTimeout().

const { NumberIsFinite } = primordials;

const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { TIMEOUT_MAX } = require('internal/timers');
const { validateNumber } = require('internal/validators');

function getTimerDuration(milliseconds, name) {
  validateNumber(milliseconds, name);
  if (milliseconds < 0 || !NumberIsFinite(milliseconds)) {
    throw new ERR_OUT_OF_RANGE(name, 'a non-negative finite number', milliseconds);
  }
  if (milliseconds <= TIMEOUT_MAX) return milliseconds;
  process.emitWarning(
    `${milliseconds} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${TIMEOUT_MAX}.`,
    'TimeoutOverflowWarning');
  return TIMEOUT_MAX;
}

module.exports = { getTimerDuration };
