'use strict';
// fs.createReadStream(): each chunk is the result of one read of at most highWaterMark bytes, in its own memory. A turn
// of the loop delivers at most one chunk. Reads that the page cache can answer need no worker.

const {
  MathMin,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  TypedArrayPrototypeGetLength,
} = primordials;

const { codes: { ERR_INVALID_THIS } } = require('internal/errors');
const { Buffer } = require('buffer');
const { Readable, finished } = require('stream');
const { bindCallback } = require('internal/async_hooks');
const { kEmptyObject } = require('internal/util');
const { copyObject, getOptions } = require('internal/fs/utils');
const { validateFunction } = require('internal/validators');
const {
  checkPosition,
  checkRange,
  construct,
  destroy,
  kFs,
  kIoDone,
  kIsPerformingIO,
  lazyFs,
  takeDescriptor,
  takePath,
} = require('internal/fs/streams');

const binding = internalBinding('fs');
// fs.read() before a program could patch it.
let nativeRead;
function isPatched(fs) {
  nativeRead ??= require('internal/fs/data').read;
  return fs.read !== nativeRead;
}

// Without autoDestroy an error is emitted, but the stream stays open.
function fail(stream, error) {
  const state = stream._readableState;
  if (state.autoDestroy) {
    stream.destroy(error);
    return;
  }
  if (state.errorEmitted) return;
  state.errored ??= error;
  state.errorEmitted = true;
  stream.emit('error', error);
}

// As in Node, one _read() makes one read: the next starts when the stream has taken the chunk.
function onRead(stream, error, count, buffer) {
  stream[kIsPerformingIO] = false;
  if (stream.destroyed) {
    stream.emit(kIoDone, error);
  } else if (error) {
    fail(stream, error);
  } else if (count > 0) {
    if (stream.pos !== undefined) stream.pos += count;
    stream.bytesRead += count;
    if (count !== TypedArrayPrototypeGetLength(buffer)) {
      // Copied, so that a few bytes do not keep a large buffer alive.
      const part = Buffer.allocUnsafeSlow(count);
      buffer.copy(part, 0, 0, count);
      buffer = part;
    }
    stream.push(buffer);
  } else {
    stream.push(null);
  }
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = copyObject(getOptions(options, kEmptyObject));
  if (options.highWaterMark === undefined) options.highWaterMark = 64 * 1024;
  if (options.fd === undefined || options.fd === null) {
    takePath(this, path, options, 'r');
  } else {
    this.fd = takeDescriptor(this, options);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  validateFunction(this[kFs].read, 'options.fs.read');
  if (options.autoDestroy) validateFunction(this[kFs].close, 'options.fs.close');
  this.start = options.start;
  this.end = options.end;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    checkPosition(this.start, 'start');
    this.pos = this.start;
  }
  if (this.end === undefined) {
    this.end = Infinity;
  } else if (this.end !== Infinity) {
    checkPosition(this.end, 'end');
    checkRange(this.start, this.end);
  }
  Readable.call(this, options);
  if (options.encoding) this.setEncoding(options.encoding);
}
ObjectSetPrototypeOf(ReadStream.prototype, Readable.prototype);
ObjectSetPrototypeOf(ReadStream, Readable);

ObjectDefineProperty(ReadStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    if (this?._readableState === undefined) throw new ERR_INVALID_THIS('ReadStream');
    return this._readableState.autoDestroy;
  },
  set(value) {
    this._readableState.autoDestroy = value;
  },
});

ReadStream.prototype._construct = function(callback) {
  construct(this, callback);
};

ReadStream.prototype._read = function(size) {
  const limit = this.end - (this.pos === undefined ? this.bytesRead : this.pos) + 1;
  const length = MathMin(limit, size);
  if (length <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(length);
  const fs = this[kFs];
  this[kIsPerformingIO] = true;
  if (fs !== lazyFs() || isPatched(fs)) {
    fs.read(this.fd, buffer, 0, length, this.pos, (error, count, filled) => onRead(this, error, count, filled));
    return;
  }
  binding.read(this.fd, buffer, 0, length, this.pos ?? -1,
    bindCallback('FSREQCALLBACK', (error, count) => onRead(this, error, count, buffer)));
};

ReadStream.prototype._destroy = function(error, callback) {
  destroy(this, error, callback);
};

ReadStream.prototype.close = function(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};

ObjectDefineProperty(ReadStream.prototype, 'pending', {
  __proto__: null,
  configurable: true,
  get() {
    return this.fd === null;
  },
});

module.exports = { ReadStream };
