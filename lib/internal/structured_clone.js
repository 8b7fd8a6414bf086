'use strict';

const { ArrayPrototypePush, SafeSet, SymbolIterator, TypeError } = primordials;

const binding = internalBinding('messaging');
const { isArrayBuffer } = require('internal/util/types');
const { DOMException } = require('internal/domexception');

function fail(code, message) {
  const error = new TypeError(message);
  error.code = code;
  throw error;
}

function makeDataCloneError(message) {
  return new DOMException(message, 'DataCloneError');
}

// Classes of ours whose state V8 cannot see put a function here: it makes a clone of what it knows, and undefined of the
// rest. They are asked about the value itself; inside of another they are cloned as objects without properties.
const cloners = [];

function cloneOurs(value) {
  for (let i = 0; i < cloners.length; i++) {
    const clone = cloners[i](value);
    if (clone !== undefined) return clone;
  }
  return undefined;
}

// What to move instead of copying. Only array buffers can be moved so far.
function readTransferList(transfer) {
  if (transfer === undefined || transfer === null) return undefined;
  if (typeof transfer !== 'object' || typeof transfer[SymbolIterator] !== 'function') {
    fail('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
  }
  const seen = new SafeSet();
  const list = [];
  for (const item of transfer) {
    if (!isArrayBuffer(item)) fail('ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    if (seen.has(item)) throw makeDataCloneError('Transfer list contains duplicate ArrayBuffer');
    seen.add(item);
    // Memory that other buffers share stays where it is.
    if (!binding.isUntransferable(item)) ArrayPrototypePush(list, item);
  }
  return list;
}

// The names of the parameters are not part of its shape: it says that it takes none.
function structuredClone(...args) {
  if (args.length === 0) fail('ERR_MISSING_ARGS', 'The value argument must be specified');
  const { 0: value, 1: options } = args;
  let list;
  if (options !== undefined && options !== null) {
    if (typeof options !== 'object' && typeof options !== 'function') {
      fail('ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
    }
    list = readTransferList(options.transfer);
  }
  const type = typeof value;
  if (list === undefined && (value === null || (type !== 'object' && type !== 'function' && type !== 'symbol'))) {
    return value;
  }
  return cloneOurs(value) ?? binding.structuredClone(value, list, makeDataCloneError);
}

module.exports = { cloners, structuredClone };
