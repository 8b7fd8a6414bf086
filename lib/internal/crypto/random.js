'use strict';

// Random bytes, numbers and UUIDs.

const {
  MathFloor,
  DateNow,
  Array,
  ArrayBufferIsView,
  ArrayPrototypePush,
  FunctionPrototypeCall,
  MathMin,
  NumberIsNaN,
  NumberIsSafeInteger,
  NumberPrototypeToString,
  StringPrototypePadStart,
  TypedArrayPrototypeGetSymbolToStringTag,
  Uint8Array,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { kEmptyObject, lazyDOMException } = require('internal/util');
const { isAnyArrayBuffer } = require('internal/util/types');
const {
  validateBoolean, validateFunction, validateNumber, validateObject,
} = require('internal/validators');

const { fill } = internalBinding('crypto_random');

const kMaxLength = 2 ** 31 - 1;
// The largest integer of six bytes.
const kMaxRange = 0xFFFF_FFFF_FFFF;

function checkOffset(offset, elementSize, length) {
  validateNumber(offset, 'offset');
  offset *= elementSize;
  const most = MathMin(length, kMaxLength);
  if (NumberIsNaN(offset) || offset > most || offset < 0) {
    throw new ERR_OUT_OF_RANGE('offset', `>= 0 && <= ${most}`, offset);
  }
  return offset >>> 0;
}

function checkSize(size, elementSize, offset, length) {
  validateNumber(size, 'size');
  size *= elementSize;
  if (NumberIsNaN(size) || size > kMaxLength || size < 0) {
    throw new ERR_OUT_OF_RANGE('size', `>= 0 && <= ${kMaxLength}`, size);
  }
  if (size + offset > length) throw new ERR_OUT_OF_RANGE('size + offset', `<= ${length}`, size + offset);
  return size >>> 0;
}

function checkBuffer(buf) {
  if (!ArrayBufferIsView(buf) && !isAnyArrayBuffer(buf)) {
    throw new ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], buf);
  }
}

function randomFillSync(buf, offset = 0, size) {
  checkBuffer(buf);
  const elementSize = buf.BYTES_PER_ELEMENT || 1;
  offset = checkOffset(offset, elementSize, buf.byteLength);
  size = size === undefined ? buf.byteLength - offset : checkSize(size, elementSize, offset, buf.byteLength);
  if (size > 0) fill(buf, offset, size);
  return buf;
}

function randomFill(buf, offset, size, callback) {
  checkBuffer(buf);
  const elementSize = buf.BYTES_PER_ELEMENT || 1;
  if (typeof offset === 'function') {
    callback = offset;
    offset = 0;
    size = undefined;
  } else if (typeof size === 'function') {
    callback = size;
    size = undefined;
  } else {
    validateFunction(callback, 'callback');
  }
  offset = checkOffset(offset, elementSize, buf.byteLength);
  size = size === undefined ? buf.byteLength - offset : checkSize(size, elementSize, offset, buf.byteLength);
  if (size === 0) {
    process.nextTick(callback, null, buf);
    return;
  }
  startFill(buf, offset, size, buf, callback);
}

function startFill(bytes, offset, size, result, callback) {
  const bound = bindCallback('RANDOMBYTESREQUEST', callback);
  fill(bytes, offset, size, (isDone, error) => {
    if (isDone) {
      bound(null, result);
    } else {
      bound(error);
    }
  });
}

function randomBytes(size, callback) {
  size = checkSize(size, 1, 0, Infinity);
  if (callback === undefined) {
    const buffer = new FastBuffer(size);
    if (size > 0) fill(buffer, 0, size);
    return buffer;
  }
  validateFunction(callback, 'callback');
  const buffer = new FastBuffer(size);
  if (size === 0) {
    process.nextTick(callback, null, buffer);
  } else {
    startFill(buffer, 0, size, buffer, (error, result) => FunctionPrototypeCall(callback, this, error, result));
  }
  return undefined;
}

// The buffer of randomInt(), because a native call for each six bytes would be expensive. It has the same size as in
// Node, so that the same calls with a callback wait for the pool.
const kNumberBytes = 6 * 1024;
let numbers;
let nextNumber = kNumberBytes;
let waitingForNumbers = null; // Calls with a callback that wait until the pool has filled the buffer.

function hasNumber() {
  return nextNumber < kNumberBytes;
}

function takeNumber() {
  if (!hasNumber()) {
    numbers ??= new Uint8Array(kNumberBytes);
    fill(numbers, 0, kNumberBytes);
    nextNumber = 0;
  }
  const at = nextNumber;
  nextNumber += 6;
  return (numbers[at] * 2 ** 40) + (numbers[at + 1] * 2 ** 32) + (numbers[at + 2] * 2 ** 24) +
    (numbers[at + 3] * 2 ** 16) + (numbers[at + 4] * 2 ** 8) + numbers[at + 5];
}

function randomInt(min, max, callback) {
  const hasNoMin = max === undefined || typeof max === 'function';
  if (hasNoMin) {
    callback = max;
    max = min;
    min = 0;
  }
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (!NumberIsSafeInteger(min)) throw new ERR_INVALID_ARG_TYPE('min', 'a safe integer', min);
  if (!NumberIsSafeInteger(max)) throw new ERR_INVALID_ARG_TYPE('max', 'a safe integer', max);
  if (max <= min) throw new ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${min})`, max);
  const range = max - min;
  if (!(range <= kMaxRange)) throw new ERR_OUT_OF_RANGE(hasNoMin ? 'max' : 'max - min', `<= ${kMaxRange}`, range);
  // Rejects numbers above the last multiple of the range: they would make small results more likely.
  const limit = kMaxRange - (kMaxRange % range);
  while (callback === undefined || hasNumber()) {
    const number = takeNumber();
    if (number >= limit) continue;
    const result = (number % range) + min;
    if (callback === undefined) return result;
    process.nextTick(callback, undefined, result);
    return undefined;
  }
  fetchNumbers({ min, max, callback });
  return undefined;
}

// Fills the buffer on the pool, then repeats the call.
function fetchNumbers(call) {
  if (waitingForNumbers !== null) {
    ArrayPrototypePush(waitingForNumbers, call);
    return;
  }
  waitingForNumbers = [call];
  numbers ??= new Uint8Array(kNumberBytes);
  randomFill(numbers, (error) => {
    const calls = waitingForNumbers;
    waitingForNumbers = null;
    if (!error) nextNumber = 0;
    for (let i = error ? 1 : 0; i < calls.length; i++) {
      const { min, max, callback } = calls[i];
      randomInt(min, max, callback);
    }
    // The first call gets the error, the others try again.
    if (error) calls[0].callback(error);
  });
}

// The two hex digits of each byte.
let digits;
function makeDigits() {
  digits = new Array(256);
  for (let i = 0; i < 256; i++) digits[i] = StringPrototypePadStart(NumberPrototypeToString(i, 16), 2, '0');
}

const kUuids = 128;
let uuids;
let nextUuid = 0;

// Formats a UUID of version 4 (by default), in the variant of RFC 4122.
function toUuid(bytes, at, version = 0x40) {
  if (digits === undefined) makeDigits();
  const hex = digits;
  return `${hex[bytes[at]]}${hex[bytes[at + 1]]}${hex[bytes[at + 2]]}${hex[bytes[at + 3]]}-` +
    `${hex[bytes[at + 4]]}${hex[bytes[at + 5]]}-` +
    `${hex[(bytes[at + 6] & 0x0F) | version]}${hex[bytes[at + 7]]}-` +
    `${hex[(bytes[at + 8] & 0x3F) | 0x80]}${hex[bytes[at + 9]]}-` +
    `${hex[bytes[at + 10]]}${hex[bytes[at + 11]]}${hex[bytes[at + 12]]}` +
    `${hex[bytes[at + 13]]}${hex[bytes[at + 14]]}${hex[bytes[at + 15]]}`;
}

function randomUUID(options) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options || kEmptyObject;
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  if (disableEntropyCache) {
    const bytes = new Uint8Array(16);
    fill(bytes, 0, 16);
    return toUuid(bytes, 0);
  }
  if (uuids === undefined || nextUuid === kUuids) {
    uuids ??= new Uint8Array(16 * kUuids);
    fill(uuids, 0, uuids.length);
    nextUuid = 0;
  }
  return toUuid(uuids, 16 * nextUuid++);
}

const kTimeBytes = 6;

// Returns a UUID of version 7: 48 bits of milliseconds since 1970, then random bits.
function randomUUIDv7(options) {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options || kEmptyObject;
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  const bytes = new Uint8Array(16);
  fill(bytes, 0, 16);
  let time = DateNow();
  for (let i = kTimeBytes - 1; i >= 0; i--) {
    bytes[i] = time % 256;
    time = MathFloor(time / 256);
  }
  return toUuid(bytes, 0, 0x70);
}

// True for typed arrays of integers, the only ones that Web Crypto fills.
function isIntegerArray(value) {
  const tag = TypedArrayPrototypeGetSymbolToStringTag(value);
  return tag !== undefined && tag !== 'Float32Array' && tag !== 'Float64Array';
}

function fillRandomValues(data) {
  if (!isIntegerArray(data)) {
    throw lazyDOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (data.byteLength > 65536) {
    const { QuotaExceededError } = require('internal/domexception');
    throw new QuotaExceededError('The requested length exceeds 65,536 bytes');
  }
  return randomFillSync(data, 0);
}

module.exports = {
  fillRandomValues,
  randomBytes,
  randomFill,
  randomFillSync,
  randomInt,
  randomUUID,
  randomUUIDv7,
};
