'use strict';

// Shared by all parts of fs: validation of arguments and conversion of results.

const {
  ArrayIsArray,
  BigInt,
  DateNow,
  DatePrototypeGetTime,
  NumberIsFinite,
  RangeError,
  StringPrototypeIndexOf,
  TypedArrayPrototypeIncludes,
} = primordials;

const {
  codedError,
  codedTypeError,
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_OUT_OF_RANGE,
  },
  throwFrom,
} = require('internal/errors');
const {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInt32,
  validateInteger,
  validateObject,
  validateOneOf,
  validateUint32,
} = require('internal/validators');
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer, getEncodingOps } = require('internal/buffer');
const { isArrayBufferView, isDate, isUint8Array, isBigInt64Array } = require('internal/util/types');
const { toPathIfFileURL } = require('internal/url');
const { kEmptyObject } = require('internal/util');
const constants = require('internal/fs/constants');
const stats = require('internal/fs/stats');

const {
  O_APPEND,
  O_CREAT,
  O_EXCL,
  O_RDONLY,
  O_RDWR,
  O_SYNC,
  O_TRUNC,
  O_WRONLY,
} = constants;

// ---- Paths

// Returns a path for the binding, a string or bytes. Accepts a string, bytes or a file: URL.
function getValidatedPath(fileURLOrPath, name = 'path') {
  if (typeof fileURLOrPath === 'string') {
    if (StringPrototypeIndexOf(fileURLOrPath, '\u0000') !== -1) throwNul(name, fileURLOrPath);
    return fileURLOrPath;
  }
  const path = toPathIfFileURL(fileURLOrPath);
  validatePath(path, name);
  return path;
}

function throwNul(name, path) {
  throwFrom(getValidatedPath, new ERR_INVALID_ARG_VALUE(
    name, path, 'must be a string, Uint8Array, or URL without null bytes'));
}

// Like getValidatedPath(), but without URLs.
function validatePath(path, name = 'path') {
  if (typeof path === 'string') {
    if (StringPrototypeIndexOf(path, '\u0000') !== -1) throwNul(name, path);
  } else if (isUint8Array(path)) {
    if (TypedArrayPrototypeIncludes(path, 0)) throwNul(name, path);
  } else {
    throwFrom(validatePath, new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path));
  }
}

function getValidatedFd(fd) {
  if (typeof fd === 'number' && fd === (fd | 0) && fd >= 0) return fd;
  validateInt32(fd, 'fd', 0, 2147483647);
  return fd;
}

function isFd(path) {
  return typeof path === 'number' && path === (path | 0);
}

// ---- Flags and modes

function stringToFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags == null) return O_RDONLY;
  switch (flags) {
    case 'r': return O_RDONLY;
    case 'rs': // Falls through.
    case 'sr': return O_RDONLY | O_SYNC;
    case 'r+': return O_RDWR;
    case 'rs+': // Falls through.
    case 'sr+': return O_RDWR | O_SYNC;
    case 'w': return O_TRUNC | O_CREAT | O_WRONLY;
    case 'wx': // Falls through.
    case 'xw': return O_TRUNC | O_CREAT | O_WRONLY | O_EXCL;
    case 'w+': return O_TRUNC | O_CREAT | O_RDWR;
    case 'wx+': // Falls through.
    case 'xw+': return O_TRUNC | O_CREAT | O_RDWR | O_EXCL;
    case 'a': return O_APPEND | O_CREAT | O_WRONLY;
    case 'ax': // Falls through.
    case 'xa': return O_APPEND | O_CREAT | O_WRONLY | O_EXCL;
    case 'as': // Falls through.
    case 'sa': return O_APPEND | O_CREAT | O_WRONLY | O_SYNC;
    case 'a+': return O_APPEND | O_CREAT | O_RDWR;
    case 'ax+': // Falls through.
    case 'xa+': return O_APPEND | O_CREAT | O_RDWR | O_EXCL;
    case 'as+': // Falls through.
    case 'sa+': return O_APPEND | O_CREAT | O_RDWR | O_SYNC;
    default: throw new ERR_INVALID_ARG_VALUE('flags', flags);
  }
}

// The mode of access() and copyFile(): 0 to 7, by default 0.
function getValidMode(mode) {
  if (mode == null) return 0;
  if (typeof mode !== 'number') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined');
  }
  mode |= 0;
  if (mode < 0 || mode > 7) {
    throw codedError(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range: >= 0 && <= 7');
  }
  return mode;
}

// Validated as in Node, although only Windows has different types of links.
function validateSymlinkType(type) {
  validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
}

// ---- Options

function assertEncoding(encoding) {
  if (encoding && getEncodingOps(encoding) === undefined) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

function getOptions(options, defaultOptions = kEmptyObject) {
  if (options == null || typeof options === 'function') return defaultOptions;
  if (typeof options === 'string') {
    options = { ...defaultOptions, encoding: options };
  } else if (typeof options !== 'object') {
    throwFrom(getOptions, new ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options));
  }
  const { encoding, signal } = options;
  if (encoding !== 'buffer') assertEncoding(encoding);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  return options;
}

// Returns a copy, which later changes by the caller do not affect.
function copyObject(source) {
  const target = {};
  for (const key in source) target[key] = source[key];
  return target;
}

// ---- Callbacks

// Wraps a callback of the program for the binding: `this` is undefined, and async_hooks see the call.
function makeCallback(cb) {
  validateFunction(cb, 'cb');
  return bindCallback('FSREQCALLBACK', cb);
}

// True if an error of stat() means that the file does not exist, for `throwIfNoEntry: false`.
function isNoEntry(error) {
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}

// Like makeCallback(), for stat(), lstat() and fstat(), whose result is an array of numbers.
function makeStatsCallback(cb) {
  validateFunction(cb, 'cb');
  const callback = bindCallback('FSREQCALLBACK', cb);
  return (error, numbers) => {
    if (error !== null) callback(error);
    else callback(null, getStats(numbers));
  };
}

// Like makeStatsCallback(), for `throwIfNoEntry: false`: the statistics of a missing file are undefined.
function makeQuietStatsCallback(cb) {
  validateFunction(cb, 'cb');
  const callback = bindCallback('FSREQCALLBACK', cb);
  return (error, numbers) => {
    if (error === null) callback(null, getStats(numbers));
    else if (isNoEntry(error)) callback(null, undefined);
    else callback(error);
  };
}

function getStats(numbers) {
  return isBigInt64Array(numbers) ? stats.statsFromBigNumbers(numbers) : stats.statsFromNumbers(numbers);
}

// ---- Results

// Wraps an ArrayBuffer from the binding in a Buffer.
function toBuffer(arrayBuffer) {
  return new FastBuffer(arrayBuffer);
}

// True if the binding must return names as bytes: for all encodings except UTF-8.
function wantsBytes(encoding) {
  return encoding != null && encoding !== 'utf8' && encoding !== 'utf-8';
}

// Converts a name from the binding to the encoding.
function decodeName(name, encoding) {
  if (typeof name === 'string') return name;
  const buffer = new FastBuffer(name);
  return encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

function decodeNames(names, encoding) {
  for (let i = 0; i < names.length; i++) names[i] = decodeName(names[i], encoding);
  return names;
}

// ---- Ranges of buffers

function validateOffsetLengthRead(offset, length, bufferLength) {
  if (offset < 0) throw new ERR_OUT_OF_RANGE('offset', '>= 0', offset);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > bufferLength) throw new ERR_OUT_OF_RANGE('length', `<= ${bufferLength - offset}`, length);
}

function validateOffsetLengthWrite(offset, length, byteLength) {
  if (offset > byteLength) throw new ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) throw new ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
}

const kMostBig = 2n ** 63n - 1n;

function validatePosition(position, name, length) {
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    const most = kMostBig - BigInt(length);
    if (!(position >= -1n && position <= most)) {
      throwFrom(validatePosition, new ERR_OUT_OF_RANGE(name, `>= -1 && <= ${most}`, position));
    }
  } else {
    throwFrom(validatePosition, new ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position));
  }
}

function validateBufferArray(buffers, name = 'buffers') {
  if (!ArrayIsArray(buffers)) {
    throwFrom(validateBufferArray, new ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers));
  }
  for (let i = 0; i < buffers.length; i++) {
    if (!isArrayBufferView(buffers[i])) {
      throwFrom(validateBufferArray, new ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers));
    }
  }
  return buffers;
}

// Validates data of write() and writeFile() that is not a view.
function validateStringAfterArrayBufferView(buffer, name) {
  if (typeof buffer !== 'string') {
    throwFrom(validateStringAfterArrayBufferView, new ERR_INVALID_ARG_TYPE(
      name, ['string', 'Buffer', 'TypedArray', 'DataView'], buffer));
  }
}

// ---- Times

// Seconds since 1970 from a number, a numeric string or a Date. Negative numbers mean now.
function toUnixTimestamp(time, name = 'time') {
  // eslint-disable-next-line eqeqeq
  if (typeof time === 'string' && +time == time) return +time;
  if (NumberIsFinite(time)) return time < 0 ? DateNow() / 1000 : time;
  if (isDate(time)) return DatePrototypeGetTime(time) / 1000;
  throw new ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

// ---- Options of rm() and rmdir()

const defaultRmdirOptions = { retryDelay: 100, maxRetries: 0, recursive: false };
const defaultRmOptions = { recursive: false, force: false, retryDelay: 100, maxRetries: 0 };

function validateRmdirOptions(options, defaults = defaultRmdirOptions) {
  if (options === undefined) return defaults;
  validateObject(options, 'options');
  options = { ...defaults, ...options };
  validateBoolean(options.recursive, 'options.recursive');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

module.exports = {
  ...stats,
  assertEncoding,
  constants,
  copyObject,
  decodeName,
  decodeNames,
  defaultRmOptions,
  defaultRmdirOptions,
  getOptions,
  getStats,
  getValidMode,
  getValidatedFd,
  getValidatedPath,
  isFd,
  isNoEntry,
  makeCallback,
  makeQuietStatsCallback,
  makeStatsCallback,
  stringToFlags,
  validateSymlinkType,
  toBuffer,
  toUnixTimestamp,
  validateBufferArray,
  validateOffsetLengthRead,
  validateOffsetLengthWrite,
  validatePath,
  validatePosition,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  wantsBytes,
};
