'use strict';

// Opening, closing, reading and writing, with a callback or synchronously.

const { MathMax, ObjectDefineProperty } = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  kValidateObjectAllowNullable,
  parseFileMode,
  validateBuffer,
  validateEncoding,
  validateFunction,
  validateInteger,
  validateObject,
} = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
const { getEncodingOps } = require('internal/buffer');
const { customPromisifyArgs, kEmptyObject } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const {
  getValidatedFd,
  getValidatedPath,
  makeCallback,
  stringToFlags,
  validateBufferArray,
  validateOffsetLengthRead,
  validateOffsetLengthWrite,
  validatePosition,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');

// The size of the buffer that read() allocates if the program passes none.
const kReadSize = 16384;

function open(path, flags, mode, callback) {
  path = getValidatedPath(path);
  if (arguments.length < 3) {
    callback = flags;
    flags = 'r';
    mode = 0o666;
  } else if (typeof mode === 'function') {
    callback = mode;
    mode = 0o666;
  } else {
    mode = parseFileMode(mode, 'mode', 0o666);
  }
  const number = stringToFlags(flags);
  binding.open(path, number, mode, makeCallback(callback));
}

function openSync(path, flags, mode) {
  const bits = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return binding.open(getValidatedPath(path), bits, mode);
}

function throwFailure(error) {
  if (error != null) throw error;
}

function close(fd, callback = throwFailure) {
  if (callback !== throwFailure) callback = makeCallback(callback);
  binding.close(getValidatedFd(fd), callback);
}

function closeSync(fd) {
  binding.close(getValidatedFd(fd));
}

// ---- Reading

// Calls back with the number of bytes and the buffer.
function withBuffer(callback, buffer) {
  callback = bindCallback('FSREQCALLBACK', callback);
  return (error, count) => callback(error, count || 0, buffer);
}

function checkReadTarget(buffer, offset, length) {
  if (buffer.byteLength === 0) throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  validateOffsetLengthRead(offset, length, buffer.byteLength);
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  if (arguments.length <= 4) {
    let params;
    if (arguments.length === 4) {
      validateObject(offsetOrOptions, 'options', kValidateObjectAllowNullable);
      callback = length;
      params = offsetOrOptions;
    } else if (arguments.length === 3) {
      if (!isArrayBufferView(buffer)) {
        params = buffer;
        ({ buffer = Buffer.alloc(kReadSize) } = params ?? kEmptyObject);
      }
      callback = offsetOrOptions;
    } else {
      callback = buffer;
      buffer = Buffer.alloc(kReadSize);
    }
    if (params !== undefined) validateObject(params, 'options', kValidateObjectAllowNullable);
    ({ offset = 0, length = buffer?.byteLength - offset, position = null } = params ?? kEmptyObject);
  }
  validateBuffer(buffer);
  validateFunction(callback, 'cb');
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return process.nextTick(callback, null, 0, buffer);
  checkReadTarget(buffer, offset, length);
  binding.read(fd, buffer, offset, length, position, withBuffer(callback, buffer));
}

function readSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  validateBuffer(buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || (offsetOrOptions !== null && typeof offsetOrOptions === 'object')) {
    if (offsetOrOptions !== undefined) validateObject(offsetOrOptions, 'options', kValidateObjectAllowNullable);
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kEmptyObject);
  }
  if (offset === undefined) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return 0;
  checkReadTarget(buffer, offset, length);
  return binding.read(fd, buffer, offset, length, position);
}

function readv(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback ||= position;
  validateFunction(callback, 'cb');
  if (typeof position !== 'number') position = null;
  binding.readv(fd, buffers, position, withBuffer(callback, buffers));
}

function readvSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (typeof position !== 'number') position = null;
  return binding.readv(fd, buffers, position);
}

// ---- Writing

// The bytes of a string, as UTF-8 if the encoding is unknown.
function bytesOf(string, encoding) {
  return Buffer.from(string, getEncodingOps(encoding) === undefined ? 'utf8' : encoding);
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  if (isArrayBufferView(buffer)) {
    callback ||= position || length || offset;
    validateFunction(callback, 'cb');
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kEmptyObject);
    }
    if (offset == null || typeof offset === 'function') offset = 0;
    else validateInteger(offset, 'offset', 0);
    if (typeof length !== 'number') length = buffer.byteLength - offset;
    if (typeof position !== 'number') position = null;
    validateOffsetLengthWrite(offset, length, buffer.byteLength);
    binding.write(fd, buffer, offset, length, position, withBuffer(callback, buffer));
    return;
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  if (typeof position !== 'function') {
    if (typeof offset === 'function') {
      position = offset;
      offset = null;
    } else {
      position = length;
    }
    length = 'utf8';
  }
  validateEncoding(buffer, length);
  callback = position;
  validateFunction(callback, 'cb');
  const bytes = bytesOf(buffer, length);
  if (typeof offset !== 'number') offset = null;
  binding.write(fd, bytes, 0, bytes.byteLength, offset, withBuffer(callback, buffer));
}

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  if (isArrayBufferView(buffer)) {
    if (position === undefined) position = null;
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? kEmptyObject);
    }
    if (offset == null) offset = 0;
    else validateInteger(offset, 'offset', 0);
    if (typeof length !== 'number') length = buffer.byteLength - offset;
    validateOffsetLengthWrite(offset, length, buffer.byteLength);
    if (typeof position !== 'number') position = null;
    return binding.write(fd, buffer, offset, length, position);
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  validateEncoding(buffer, length);
  if (typeof offset !== 'number') offset = null;
  const bytes = bytesOf(buffer, length);
  return binding.write(fd, bytes, 0, bytes.byteLength, offset);
}

function writev(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback ||= position;
  validateFunction(callback, 'cb');
  if (buffers.length === 0) {
    process.nextTick(callback, null, 0, buffers);
    return;
  }
  if (typeof position !== 'number') position = null;
  binding.writev(fd, buffers, position, withBuffer(callback, buffers));
}

function writevSync(fd, buffers, position) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  if (buffers.length === 0) return 0;
  if (typeof position !== 'number') position = null;
  return binding.writev(fd, buffers, position);
}

// Names the values of a callback for the object that util.promisify() resolves with.
function namePromisified(fn, names) {
  ObjectDefineProperty(fn, customPromisifyArgs, { __proto__: null, value: names, enumerable: false });
}
namePromisified(read, ['bytesRead', 'buffer']);
namePromisified(readv, ['bytesRead', 'buffers']);
namePromisified(write, ['bytesWritten', 'buffer']);
namePromisified(writev, ['bytesWritten', 'buffer']);

// ---- Truncating and syncing

let warnedOfTruncate = false;
function warnOfTruncate() {
  if (warnedOfTruncate) return;
  warnedOfTruncate = true;
  process.emitWarning('Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file ' +
    'descriptor instead.', 'DeprecationWarning', 'DEP0081');
}

function truncate(path, len, callback) {
  if (typeof path === 'number') {
    warnOfTruncate();
    return ftruncate(path, len, callback);
  }
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  } else if (len === undefined) {
    len = 0;
  }
  validateInteger(len, 'len');
  len = MathMax(0, len);
  validateFunction(callback, 'cb');
  const bound = bindCallback('FSREQCALLBACK', callback);
  binding.open(getValidatedPath(path), stringToFlags('r+'), 0o666, (error, fd) => {
    if (error !== null) return bound(error);
    binding.ftruncate(fd, len, (failure) => {
      binding.close(fd, (later) => bound(failure || later));
    });
  });
}

function truncateSync(path, len) {
  if (typeof path === 'number') {
    warnOfTruncate();
    return ftruncateSync(path, len);
  }
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, len === undefined ? 0 : len);
  } finally {
    closeSync(fd);
  }
}

function ftruncate(fd, len = 0, callback) {
  if (typeof len === 'function') {
    callback = len;
    len = 0;
  }
  validateInteger(len, 'len');
  callback = makeCallback(callback);
  binding.ftruncate(getValidatedFd(fd), MathMax(0, len), callback);
}

function ftruncateSync(fd, len = 0) {
  fd = getValidatedFd(fd);
  validateInteger(len, 'len');
  binding.ftruncate(fd, len < 0 ? 0 : len);
}

function fsync(fd, callback) {
  callback = makeCallback(callback);
  binding.fsync(getValidatedFd(fd), callback);
}

function fsyncSync(fd) {
  binding.fsync(getValidatedFd(fd));
}

function fdatasync(fd, callback) {
  callback = makeCallback(callback);
  binding.fdatasync(getValidatedFd(fd), callback);
}

function fdatasyncSync(fd) {
  binding.fdatasync(getValidatedFd(fd));
}

module.exports = {
  close,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  open,
  openSync,
  read,
  readSync,
  readv,
  readvSync,
  truncate,
  truncateSync,
  write,
  writeSync,
  writev,
  writevSync,
};
