'use strict';

// The functions that compress or decompress a whole input: native code does it in one call or in one job of the pool.
// Options that concern streams make them use a stream, as all calls do in Node.

const {
  ArrayPrototypePush,
  FunctionPrototypeCall,
  RangeError,
} = primordials;

const {
  codes: { ERR_BUFFER_TOO_LARGE, ERR_INVALID_ARG_TYPE, ERR_TRAILING_JUNK_AFTER_STREAM_END },
} = require('internal/errors');
const { Buffer } = require('buffer');
const { bindCallback } = require('internal/async_hooks');
const { FastBuffer } = require('internal/buffer/fast');
const { isAnyArrayBuffer, isArrayBufferView, isUint8Array } = require('internal/util/types');
const { validateFunction } = require('internal/validators');
const { errorOf, processChunkSync, strongest } = require('internal/zlib/base');
const { correctWindow } = require('internal/zlib/classes');
const { hasOnlyPlainOptions, readCodec, readCommon } = require('internal/zlib/options');

const { run, kGarbage, kTooLarge } = internalBinding('zlib_one_shot');
const { DEFLATERAW, UNZIP, Z_FINISH, Z_NO_FLUSH } = internalBinding('zlib').constants;

// Larger buffers are allocated by the stream, with its errors.
const kMostChunk = 2 ** 30;

// Returns the bytes, or throws: `result` is what native code returns.
function resultOf(result, common) {
  if (isAnyArrayBuffer(result)) return new FastBuffer(result);
  throw errorIn(result, common);
}

function errorIn(result, common) {
  if (typeof result !== 'number') return errorOf(result);
  if (result === kTooLarge) return new ERR_BUFFER_TOO_LARGE(common.maxOutputLength);
  if (result === kGarbage) return new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return new RangeError('Array buffer allocation failed');
}

// libdeflate's result is as good as zlib's if the program chose no operation of its own.
function allowsAnyResult(mode, flush, finishFlush) {
  return mode <= UNZIP && flush === Z_NO_FLUSH && finishFlush === Z_FINISH;
}

// Without a callback the input is written with one operation, with a callback as a stream does it.
function start(codec, common, input, first, second, callback) {
  const isWhole = allowsAnyResult(codec.mode, common.flush, common.finishFlush);
  return run(codec.mode, codec.settings, codec.dictionary, codec.rejectsGarbage, codec.pledgedSize, input,
    input.byteLength, first, second, common.chunkSize, common.maxOutputLength, isWhole, callback);
}

function toInput(buffer) {
  return typeof buffer === 'string' ? Buffer.from(buffer) : buffer;
}

function isInput(buffer) {
  return typeof buffer === 'string' || isArrayBufferView(buffer) || isAnyArrayBuffer(buffer);
}

function checkInput(buffer) {
  if (isInput(buffer)) return;
  throw new ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
}

function makeSync(Class, mode) {
  return function syncBufferWrapper(buffer, opts) {
    if (!hasOnlyPlainOptions(opts)) return runStreamSync(new Class(opts), buffer);
    if (mode === DEFLATERAW) correctWindow(opts);
    const codec = readCodec(opts, mode);
    const common = readCommon(opts, mode);
    if (common.chunkSize > kMostChunk) return runStreamSync(new Class(opts), buffer);
    checkInput(buffer);
    return resultOf(start(codec, common, toInput(buffer), common.finishFlush, undefined, undefined), common);
  };
}

function runStreamSync(stream, buffer) {
  checkInput(buffer);
  let input = toInput(buffer);
  if (isAnyArrayBuffer(input)) input = new FastBuffer(input);
  const result = processChunkSync(stream, input, stream._finishFlushFlag);
  return stream._info ? { buffer: result, engine: stream } : result;
}

function make(Class, mode) {
  return function asyncBufferWrapper(buffer, opts, callback) {
    if (typeof opts === 'function') {
      callback = opts;
      opts = {};
    }
    if (!isInput(buffer) || !hasOnlyPlainOptions(opts)) {
      runStream(new Class(opts), buffer, callback);
      return;
    }
    if (mode === DEFLATERAW) correctWindow(opts);
    const codec = readCodec(opts, mode);
    const common = readCommon(opts, mode);
    if (common.chunkSize > kMostChunk) {
      runStream(new Class(opts), buffer, callback);
      return;
    }
    validateFunction(callback, 'callback');
    const last = strongest(common.flush, common.finishFlush);
    const bound = bindCallback('ZLIB', callback);
    start(codec, common, toInput(buffer), common.flush, last, (result) => {
      if (isAnyArrayBuffer(result)) {
        FunctionPrototypeCall(bound, undefined, null, new FastBuffer(result));
      } else {
        FunctionPrototypeCall(bound, undefined, errorIn(result, common));
      }
    });
  };
}

// Writes the input to the stream and collects its output.
function runStream(stream, buffer, callback) {
  validateFunction(callback, 'callback');
  if (isArrayBufferView(buffer) && !isUint8Array(buffer)) {
    buffer = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  } else if (isAnyArrayBuffer(buffer)) {
    buffer = new FastBuffer(buffer);
  }
  const parts = [];
  let size = 0;
  let isOver = false;
  function finish(error, result) {
    if (isOver) return;
    isOver = true;
    if (error === null) {
      FunctionPrototypeCall(callback, stream, null, result);
    } else {
      FunctionPrototypeCall(callback, stream, error);
    }
  }
  stream.on('data', (chunk) => {
    ArrayPrototypePush(parts, chunk);
    size += chunk.length;
    if (size > stream._maxOutputLength) {
      stream.close();
      finish(new ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
    }
  });
  stream.on('error', (error) => finish(error));
  stream.on('end', () => {
    if (isOver) return;
    const result = parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
    stream.close();
    finish(null, stream._info ? { buffer: result, engine: stream } : result);
  });
  stream.end(buffer);
}

module.exports = { make, makeSync };
