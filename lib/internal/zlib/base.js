'use strict';

// ZlibBase: a Transform around a native codec. Each write of the codec fills at most one output buffer.

const {
  ArrayPrototypePush,
  Float64Array,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Symbol,
  TypedArrayPrototypeGetBuffer,
  TypedArrayPrototypeGetByteOffset,
} = primordials;

const {
  codes: { ERR_BUFFER_TOO_LARGE, ERR_TRAILING_JUNK_AFTER_STREAM_END },
  genericNodeError,
} = require('internal/errors');
const { Buffer } = require('buffer');
const { Transform, finished } = require('stream');
const assert = require('internal/assert');
const { FastBuffer } = require('internal/buffer/fast');
const { checkRangesOrGetDefault } = require('internal/validators');
const { Handle } = require('internal/zlib/handle');
const { readCommon } = require('internal/zlib/options');

const { constants } = internalBinding('zlib');
const { Z_BLOCK, Z_FINISH, Z_FULL_FLUSH, Z_NO_FLUSH, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH } = constants;

const kError = Symbol('error');
const kFlush = Symbol('flush');

// zlib's operations from the weakest to the strongest. The numbers of the other libraries are among them.
const strengths = [];
strengths[Z_NO_FLUSH] = 0;
strengths[Z_BLOCK] = 1;
strengths[Z_PARTIAL_FLUSH] = 2;
strengths[Z_SYNC_FLUSH] = 3;
strengths[Z_FULL_FLUSH] = 4;
strengths[Z_FINISH] = 5;

function strongest(a, b) {
  return strengths[a] > strengths[b] ? a : b;
}

// Empty chunks that flush() writes, so that the operation takes its place between the chunks of data.
const flushChunks = [];
for (let kind = Z_NO_FLUSH; kind <= Z_BLOCK; kind++) {
  flushChunks[kind] = new FastBuffer();
  flushChunks[kind][kFlush] = kind;
}

// [message, errno, code] as an error.
function errorOf(failure) {
  const { 0: message, 1: errno, 2: code } = failure;
  if (code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') return new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return genericNodeError(message, { errno, code });
}

// There is no way to continue after an error.
function fail(handle, failure) {
  const stream = handle.owner;
  const error = errorOf(failure);
  stream.destroy(error);
  stream[kError] = error;
}

// `codec` is from readCodec().
function ZlibBase(opts, mode, codec) {
  const state = new Float64Array(2);
  this._writeState = state;
  const handle = new Handle(codec, state, written, fail);
  const common = readCommon(opts, mode);
  if (opts && (opts.encoding || opts.objectMode || opts.writableObjectMode)) {
    opts = { ...opts, encoding: null, objectMode: false, writableObjectMode: false };
  }
  FunctionPrototypeCall(Transform, this, { autoDestroy: true, ...opts });
  this[kError] = null;
  this.bytesWritten = 0;
  this._handle = handle;
  handle.owner = this;
  this._outBuffer = Buffer.allocUnsafe(common.chunkSize);
  this._outOffset = 0;
  this._chunkSize = common.chunkSize;
  this._defaultFlushFlag = common.flush;
  this._finishFlushFlag = common.finishFlush;
  this._defaultFullFlushFlag = common.flushes.full;
  this._flushes = common.flushes;
  this._info = opts?.info;
  this._maxOutputLength = common.maxOutputLength;
  this._rejectGarbageAfterEnd = common.rejectsGarbage;
}
ObjectSetPrototypeOf(ZlibBase.prototype, Transform.prototype);
ObjectSetPrototypeOf(ZlibBase, Transform);

ObjectDefineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return !this._handle;
  },
});

ZlibBase.prototype.reset = function() {
  assert(this._handle, 'zlib binding closed');
  return this._handle.reset();
};

// Transform calls this after the last chunk.
ZlibBase.prototype._flush = function(callback) {
  this._transform(new FastBuffer(), '', callback);
};

// _flush() does the work.
ZlibBase.prototype._final = function(callback) {
  callback();
};

ZlibBase.prototype.flush = function(kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  const { least, most } = this._flushes;
  kind = checkRangesOrGetDefault(kind, 'kind', least, most, this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    this.write(flushChunks[kind], '', callback);
  }
};

ZlibBase.prototype.close = function(callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

function close(stream) {
  stream._handle?.close();
  stream._handle = null;
}

ZlibBase.prototype._destroy = function(error, callback) {
  close(this);
  callback(error);
};

ZlibBase.prototype._transform = function(chunk, encoding, callback) {
  let flush = this._defaultFlushFlag;
  if (typeof chunk[kFlush] === 'number') flush = chunk[kFlush];
  if (this.writableEnded && this.writableLength === chunk.byteLength) {
    // The last chunk.
    flush = strongest(flush, this._finishFlushFlag);
  }
  processChunk(this, chunk, flush, callback);
};

// Packages call this with and without a callback; without one it is synchronous.
ZlibBase.prototype._processChunk = function(chunk, flush, callback) {
  if (typeof callback === 'function') {
    processChunk(this, chunk, flush, callback);
    return undefined;
  }
  return processChunkSync(this, chunk, flush);
};

// The output from `start` to `end`, which shares the memory of the buffer.
function part(buffer, start, end) {
  return new FastBuffer(
    TypedArrayPrototypeGetBuffer(buffer), TypedArrayPrototypeGetByteOffset(buffer) + start, end - start);
}

function processChunkSync(stream, chunk, flush) {
  const handle = stream._handle;
  const { _writeState: state, _chunkSize: chunkSize } = stream;
  let buffer = stream._outBuffer;
  let offset = stream._outOffset;
  let outputSize = chunkSize - offset;
  let inputLeft = chunk.byteLength;
  let inputOffset = 0;
  const parts = [];
  let size = 0;
  // Synchronous calls throw the error instead.
  stream.on('error', () => {});
  for (;;) {
    const failure = handle.writeSync(flush, chunk, inputOffset, inputLeft, buffer, offset, outputSize, chunkSize);
    if (failure !== undefined) fail(handle, failure);
    if (stream[kError]) throw stream[kError];
    const { 0: outputAfter, 1: inputAfter } = state;
    const made = outputSize - outputAfter;
    if (made > 0) {
      ArrayPrototypePush(parts, part(buffer, offset, offset + made));
      size += made;
      if (size > stream._maxOutputLength) {
        close(stream);
        throw new ERR_BUFFER_TOO_LARGE(stream._maxOutputLength);
      }
    }
    inputOffset += inputLeft - inputAfter;
    inputLeft = inputAfter;
    if (outputAfter !== 0) break;
    outputSize = chunkSize;
    offset = 0;
    buffer = Buffer.allocUnsafe(chunkSize);
  }
  if (inputLeft > 0 && stream._rejectGarbageAfterEnd) {
    close(stream);
    throw new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  }
  stream.bytesWritten = inputOffset;
  close(stream);
  if (size === 0) return new FastBuffer();
  return parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
}

function processChunk(stream, chunk, flush, callback) {
  const handle = stream._handle;
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  handle.buffer = chunk;
  handle.cb = callback;
  handle.flush = flush;
  handle.inputOffset = 0;
  handle.inputLeft = chunk.byteLength;
  write(stream, handle, stream._chunkSize - stream._outOffset);
}

function write(stream, handle, outputSize) {
  handle.outputSize = outputSize;
  handle.write(handle.flush, handle.buffer, handle.inputOffset, handle.inputLeft, stream._outBuffer,
    stream._outOffset, outputSize, stream._chunkSize);
}

function finishChunk(handle, error) {
  const callback = handle.cb;
  // Releases the chunk: the handle may live much longer.
  handle.buffer = null;
  handle.cb = null;
  callback(error);
}

// A write has ended; `stream._writeState` has its result.
function written(handle) {
  const stream = handle.owner;
  if (stream.destroyed) {
    finishChunk(handle);
    return;
  }
  const { 0: outputAfter, 1: inputAfter } = stream._writeState;
  const taken = handle.inputLeft - inputAfter;
  const made = handle.outputSize - outputAfter;
  stream.bytesWritten += taken;
  let isReaderFull = false;
  if (made > 0) {
    const start = stream._outOffset;
    stream._outOffset += made;
    isReaderFull = !stream.push(part(stream._outBuffer, start, start + made));
    if (stream.destroyed) {
      finishChunk(handle);
      return;
    }
  }
  if (outputAfter === 0 || stream._outOffset >= stream._chunkSize) {
    stream._outOffset = 0;
    stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
  }
  if (outputAfter === 0) {
    // There may be more output.
    handle.inputOffset += taken;
    handle.inputLeft = inputAfter;
    if (isReaderFull) {
      continueWhenRead(stream, handle);
    } else {
      write(stream, handle, stream._chunkSize);
    }
    return;
  }
  if (inputAfter > 0) {
    // The compressed stream has ended before its input.
    if (stream._rejectGarbageAfterEnd) {
      const error = new ERR_TRAILING_JUNK_AFTER_STREAM_END();
      stream.destroy(error);
      finishChunk(handle, error);
      return;
    }
    stream.push(null);
  }
  finishChunk(handle);
}

function continueWhenRead(stream, handle) {
  const read = stream._read;
  stream._read = (size) => {
    stream._read = read;
    write(stream, handle, stream._chunkSize);
    stream._read(size);
  };
}

module.exports = { ZlibBase, errorOf, processChunkSync, strongest };
