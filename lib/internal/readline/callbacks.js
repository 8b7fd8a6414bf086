'use strict';
// The functions of readline that move the cursor of a terminal and clear parts of it.
const { NumberIsNaN } = primordials;
const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_CURSOR_POS } } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const CSI = '\x1b[';

// If there is nothing to write, the callback is still called asynchronously.
function writeNothing(callback) {
  if (typeof callback === 'function') process.nextTick(callback, null);
  return true;
}

function cursorTo(stream, x, y, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (typeof y === 'function') {
    callback = y;
    y = undefined;
  }
  if (NumberIsNaN(x)) throw new ERR_INVALID_ARG_VALUE('x', x);
  if (NumberIsNaN(y)) throw new ERR_INVALID_ARG_VALUE('y', y);
  const hasRow = typeof y === 'number';
  if (stream === null || stream === undefined || (typeof x !== 'number' && !hasRow)) return writeNothing(callback);
  if (typeof x !== 'number') throw new ERR_INVALID_CURSOR_POS();
  return stream.write(hasRow ? `${CSI}${y + 1};${x + 1}H` : `${CSI}${x + 1}G`, callback);
}

function moveText(dx, dy) {
  let text = '';
  if (dx < 0) text += `${CSI}${-dx}D`;
  else if (dx > 0) text += `${CSI}${dx}C`;
  if (dy < 0) text += `${CSI}${-dy}A`;
  else if (dy > 0) text += `${CSI}${dy}B`;
  return text;
}

function moveCursor(stream, dx, dy, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined || !(dx || dy)) return writeNothing(callback);
  return stream.write(moveText(dx, dy), callback);
}

// -1 clears to the left of the cursor, 1 to the right, 0 the whole line.
function clearLineText(direction) {
  return direction < 0 ? `${CSI}1K` : direction > 0 ? `${CSI}0K` : `${CSI}2K`;
}

function clearLine(stream, direction, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined) return writeNothing(callback);
  return stream.write(clearLineText(direction), callback);
}

const clearDownText = `${CSI}0J`;

function clearScreenDown(stream, callback) {
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (stream === null || stream === undefined) return writeNothing(callback);
  return stream.write(clearDownText, callback);
}

module.exports = { clearDownText, clearLine, clearLineText, clearScreenDown, cursorTo, moveCursor, moveText };
