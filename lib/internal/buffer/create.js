'use strict';

// Creates buffers. Small ones are slices of a shared pool. The first pool is created on first use, so that none is in
// the start-up snapshot.

const {
  ArrayBuffer,
  ArrayBufferPrototypeGetByteLength,
  ArrayIsArray,
  MathMax,
  MathMin,
  MathTrunc,
  NumberIsNaN,
  NumberMAX_SAFE_INTEGER,
  SymbolToPrimitive,
  TypedArrayPrototypeFill,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetLength,
  TypedArrayPrototypeSet,
  TypedArrayPrototypeSlice,
  TypedArrayPrototypeSubarray,
  Uint8Array,
} = primordials;

const binding = internalBinding('buffer');
const { markUntransferable } = internalBinding('messaging');
const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { validateArray, validateInteger, validateNumber } = require('internal/validators');
const { isAnyArrayBuffer, isSharedArrayBuffer, isTypedArray, isUint8Array } = require('internal/util/types');
const { FastBuffer } = require('internal/buffer/fast');
const { hasFlag } = require('internal/options');
const { encodingOps, getEncodingOps } = require('internal/buffer/encodings');

const { createFromString, createUnsafeArrayBuffer, kMaxLength, writeWhole } = binding;

// Holds Buffer once buffer.js has created it: programs can change its poolSize.
const state = { Buffer: undefined };

// As in Node, a pool is this many bytes larger than poolSize.
const kPoolPadding = 64;
let poolSize = 0;
let poolOffset = 0;
let pool; // The pool's ArrayBuffer.
let poolBytes; // A view of the whole pool.

// Returns uninitialised memory, or zeros with --zero-fill-buffers.
function unsafeMemory(size) {
  return hasFlag('zero-fill-buffers') ? new ArrayBuffer(size) : createUnsafeArrayBuffer(size);
}

function createPool() {
  poolSize = state.Buffer.poolSize;
  pool = unsafeMemory(poolSize + kPoolPadding);
  // A transfer would detach every buffer that is a slice of the pool.
  markUntransferable(pool);
  poolBytes = new Uint8Array(pool);
  poolOffset = 0;
}

// Drops the pool that was created while the snapshot was built.
function dropPool() {
  pool = undefined;
  poolBytes = undefined;
  poolSize = 0;
}

// Returns a slice of the pool. The next one starts at a multiple of eight, as views of wider numbers need.
function cutFromPool(length) {
  const buffer = new FastBuffer(pool, poolOffset, length);
  poolOffset = (poolOffset + length + 7) & ~7;
  return buffer;
}

function createUnsafe(size) {
  return size <= 64 ? new FastBuffer(size) : new FastBuffer(unsafeMemory(size));
}

function isPoolable(size) {
  return size < state.Buffer.poolSize >>> 1;
}

// Returns a buffer of uninitialised memory, from the pool if it is small.
function allocate(size) {
  if (size <= 0) return new FastBuffer();
  if (!isPoolable(size)) return createUnsafe(size);
  if (pool === undefined || size > poolSize - poolOffset) createPool();
  return cutFromPool(size);
}

function validateSize(size) {
  validateNumber(size, 'size', 0, kMaxLength);
}

const kLeastPadding = 8;
const kMostAlignment = 2 ** 30;

// Returns a buffer outside of the pool that starts at a multiple of `alignment`, a power of two.
function createAligned(size, alignment) {
  validateInteger(alignment, 'alignment', 1, kMostAlignment);
  if ((alignment & (alignment - 1)) !== 0) {
    throw new ERR_INVALID_ARG_VALUE('alignment', alignment, 'must be a power of two');
  }
  if (size === 0) return new FastBuffer();
  const memory = unsafeMemory(MathTrunc(size) + MathMax(alignment, kLeastPadding));
  const behind = binding.misalignment(memory, alignment);
  return new FastBuffer(memory, behind === 0 ? 0 : alignment - behind, size);
}

function allocUnsafe(size, alignment) {
  validateSize(size);
  return alignment === undefined ? allocate(size) : createAligned(size, alignment);
}

function allocUnsafeSlow(size, alignment) {
  validateSize(size);
  return alignment === undefined ? createUnsafe(size) : createAligned(size, alignment);
}

function alloc(size, fill, encoding) {
  validateSize(size);
  if (fill !== undefined && fill !== 0 && size > 0) {
    return require('internal/buffer/methods').fillBuffer(createUnsafe(size), fill, 0, size, encoding);
  }
  return new FastBuffer(size);
}

function fromStringFast(string, ops) {
  if (ops === encodingOps.utf8 || ops === encodingOps.latin1) {
    // The number of characters is a lower bound: the number of bytes is known after writing.
    const { length } = string;
    if (isPoolable(length)) {
      if (pool === undefined || length > poolSize - poolOffset) createPool();
      const written = writeWhole(poolBytes, string, poolOffset, ops.id);
      if (written >= 0) return cutFromPool(written);
    }
  } else {
    const most = ops.byteLength(string);
    if (most === 0) return new FastBuffer();
    if (isPoolable(most)) {
      if (pool === undefined || most > poolSize - poolOffset) createPool();
      const written = writeWhole(poolBytes, string, poolOffset, ops.id);
      if (written >= 0) return cutFromPool(written);
    }
  }
  return new FastBuffer(createFromString(string, ops.id));
}

function fromString(string, encoding) {
  let ops = encodingOps.utf8;
  if (typeof encoding === 'string' && encoding.length !== 0) {
    ops = getEncodingOps(encoding);
    if (ops === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  return string.length === 0 ? new FastBuffer() : fromStringFast(string, ops);
}

function byteLengthOf(buffer) {
  return isSharedArrayBuffer(buffer) ? buffer.byteLength : ArrayBufferPrototypeGetByteLength(buffer);
}

function fromArrayBuffer(buffer, byteOffset, length) {
  if (byteOffset === undefined) {
    byteOffset = 0;
  } else {
    byteOffset = +byteOffset;
    if (NumberIsNaN(byteOffset)) byteOffset = 0;
  }
  const most = byteLengthOf(buffer) - byteOffset;
  if (most < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  // Without a length, the buffer tracks the size of a resizable ArrayBuffer.
  if (length !== undefined) {
    length = +length;
    if (length > 0) {
      if (length > most) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
    } else {
      length = 0;
    }
  }
  return new FastBuffer(buffer, byteOffset, length);
}

function fromArrayLike(list) {
  const { length } = list;
  if (length <= 0) return new FastBuffer();
  if (isUint8Array(list)) {
    const buffer = allocate(length);
    TypedArrayPrototypeSet(buffer, list, 0);
    return buffer;
  }
  const buffer = allocate(length);
  if (ArrayIsArray(list)) {
    for (let i = 0; i < length; i++) buffer[i] = list[i];
  } else {
    TypedArrayPrototypeSet(buffer, list, 0);
  }
  return buffer;
}

function fromObject(object) {
  if (object.length !== undefined || isAnyArrayBuffer(object.buffer)) {
    return typeof object.length === 'number' ? fromArrayLike(object) : new FastBuffer();
  }
  if (object.type === 'Buffer' && ArrayIsArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isUint8Array(value)) return fromArrayLike(value);
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const inner = value.valueOf && value.valueOf();
    if (inner != null && inner !== value && (typeof inner === 'string' || typeof inner === 'object')) {
      return from(inner, encodingOrOffset, length);
    }
    const buffer = fromObject(value);
    if (buffer !== undefined) return buffer;
    if (typeof value[SymbolToPrimitive] === 'function') {
      const primitive = value[SymbolToPrimitive]('string');
      if (typeof primitive === 'string') return fromString(primitive, encodingOrOffset);
    }
  }
  throw new ERR_INVALID_ARG_TYPE('first argument',
    ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
}

function of(...items) {
  const buffer = allocate(items.length);
  for (let i = 0; i < items.length; i++) buffer[i] = items[i];
  return buffer;
}

function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const viewLength = TypedArrayPrototypeGetLength(view);
  if (viewLength === 0) return allocate(0);
  if (offset !== undefined || length !== undefined) {
    if (offset !== undefined) {
      validateInteger(offset, 'offset', 0);
      if (offset >= viewLength) return allocate(0);
    } else {
      offset = 0;
    }
    let end = viewLength;
    if (length !== undefined) {
      validateInteger(length, 'length', 0);
      // A sum beyond the largest safe integer is inexact, but far past the end anyway.
      end = MathMin(offset + length, NumberMAX_SAFE_INTEGER);
    }
    view = TypedArrayPrototypeSlice(view, offset, end);
  }
  return fromArrayLike(new Uint8Array(
    TypedArrayPrototypeGetBuffer(view),
    TypedArrayPrototypeGetByteOffset(view),
    TypedArrayPrototypeGetByteLength(view)));
}

// Returns the total size of all items. Does not use `length`, which a program may have redefined.
function sizeOfAll(list) {
  let size = 0;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (!isUint8Array(item)) throw new ERR_INVALID_ARG_TYPE(`list[${i}]`, ['Buffer', 'Uint8Array'], item);
    size += TypedArrayPrototypeGetByteLength(item);
  }
  return size;
}

function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length !== undefined) validateInteger(length, 'length', 0, kMaxLength);
  const size = sizeOfAll(list);
  if (length === undefined) {
    length = size;
    validateSize(length);
  }
  const buffer = allocate(length);
  let at = 0;
  for (let i = 0; i < list.length && at < length; i++) {
    const item = list[i];
    const itemSize = TypedArrayPrototypeGetByteLength(item);
    if (itemSize > length - at) {
      TypedArrayPrototypeSet(buffer, TypedArrayPrototypeSubarray(item, 0, length - at), at);
      at = length;
    } else {
      TypedArrayPrototypeSet(buffer, item, at);
      at += itemSize;
    }
  }
  // The memory is uninitialised, and the list may be shorter than `length`.
  if (at < length) TypedArrayPrototypeFill(buffer, 0, at, length);
  return buffer;
}

module.exports = {
  alloc,
  allocUnsafe,
  allocUnsafeSlow,
  allocate,
  concat,
  copyBytesFrom,
  createUnsafe,
  dropPool,
  from,
  fromString,
  fromStringFast,
  of,
  state,
};
