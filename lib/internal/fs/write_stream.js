'use strict';
// fs.createWriteStream(): one operation at a time. Chunks that arrive meanwhile are written together with one writev().

const { Array, Error, ObjectDefineProperty, ObjectSetPrototypeOf, Symbol, TypedArrayPrototypeGetLength } = primordials;

const binding = internalBinding('fs');
const { Buffer } = require('buffer');
const { Writable } = require('stream');
const { bindCallback } = require('internal/async_hooks');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_STREAM_DESTROYED } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { copyObject, getOptions } = require('internal/fs/utils');
const { nextTick } = require('internal/process/task_queues');
const { validateBoolean, validateFunction } = require('internal/validators');
const {
  checkPosition,
  construct,
  destroy,
  kFs,
  kIoDone,
  kIsPerformingIO,
  lazyFs,
  takeDescriptor,
  takePath,
} = require('internal/fs/streams');

const kWriting = Symbol('kWriting');

// Retries after EAGAIN before the write fails.
const kMostRetries = 5;

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = copyObject(getOptions(options, kEmptyObject));
  // _write() receives strings as buffers.
  options.decodeStrings = true;
  if (options.fd === undefined || options.fd === null) {
    takePath(this, path, options, 'w');
  } else {
    this.fd = takeDescriptor(this, options);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  checkFunctions(this, options);
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsPerformingIO] = false;
  if (this.start !== undefined) {
    checkPosition(this.start, 'start');
    this.pos = this.start;
  }
  Writable.call(this, options);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
ObjectSetPrototypeOf(WriteStream.prototype, Writable.prototype);
ObjectSetPrototypeOf(WriteStream, Writable);

function checkFunctions(stream, options) {
  const fs = stream[kFs];
  if (!fs.write && !fs.writev) throw new ERR_INVALID_ARG_TYPE('options.fs.write', 'function', fs.write);
  if (fs.write) validateFunction(fs.write, 'options.fs.write');
  if (fs.writev) validateFunction(fs.writev, 'options.fs.writev');
  if (options.autoDestroy) validateFunction(fs.close, 'options.fs.close');
  stream.flush = options.flush;
  if (stream.flush == null) {
    stream.flush = false;
  } else {
    validateBoolean(stream.flush, 'options.flush');
    if (stream.flush) validateFunction(fs.fsync, 'options.fs.fsync');
  }
  // write() and writev() can replace each other.
  if (!fs.writev) stream._writev = null;
  if (!fs.write) stream._write = (chunk, encoding, callback) => stream._writev([{ chunk }], callback);
}

ObjectDefineProperty(WriteStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    if (this?._writableState === undefined) throw new ERR_INVALID_THIS('WriteStream');
    return this._writableState.autoDestroy;
  },
  set(value) {
    this._writableState.autoDestroy = value;
  },
});

WriteStream.prototype._construct = function(callback) {
  construct(this, callback);
};

// True if the stream may call the binding directly, because the program has not replaced write() and writev().
function isOurs(stream) {
  const fs = stream[kFs];
  if (fs !== lazyFs()) return false;
  const { write, writev } = require('internal/fs/data');
  return fs.write === write && fs.writev === writev;
}

// The write in flight, which may take several operations. Each stream has one of these objects.
class Writing {
  #stream;
  #isOurs;
  #data = null; // One chunk,
  #chunks = null; // or several,
  #size = 0; // with this many bytes in total.
  #position;
  #callback = null;
  #retries = 0;

  constructor(stream) {
    this.#stream = stream;
    this.#isOurs = isOurs(stream);
  }

  one(data, position, callback) {
    this.#data = data;
    this.#begin(position, callback);
    this.#writeOne();
  }

  many(chunks, size, position, callback) {
    this.#chunks = chunks;
    this.#size = size;
    this.#begin(position, callback);
    this.#writeMany();
  }

  #begin(position, callback) {
    this.#position = position;
    this.#callback = callback;
    this.#retries = 0;
    this.#stream[kIsPerformingIO] = true;
  }

  #end(error) {
    const stream = this.#stream;
    const callback = this.#callback;
    this.#data = null;
    this.#chunks = null;
    this.#callback = null;
    stream[kIsPerformingIO] = false;
    callback(error);
    if (stream.destroyed) stream.emit(kIoDone, error);
  }

  #writeOne() {
    const stream = this.#stream;
    const data = this.#data;
    const length = TypedArrayPrototypeGetLength(data);
    if (this.#isOurs) {
      binding.write(stream.fd, data, 0, length, this.#position ?? -1, bindCallback('FSREQCALLBACK', this.#onWritten));
    } else {
      stream[kFs].write(stream.fd, data, 0, length, this.#position, this.#onWritten);
    }
  }

  #writeMany() {
    const stream = this.#stream;
    if (this.#isOurs) {
      binding.writev(stream.fd, this.#chunks, this.#position ?? -1, bindCallback('FSREQCALLBACK', this.#onWritten));
    } else {
      stream[kFs].writev(stream.fd, this.#chunks, this.#position ?? null, this.#onWritten);
    }
  }

  #onWritten = (error, written) => {
    const stream = this.#stream;
    const isOne = this.#data !== null;
    if (error?.code === 'EAGAIN') {
      error = null;
      written = 0;
    }
    if (error || stream.destroyed) {
      this.#end(error || new ERR_STREAM_DESTROYED(isOne ? 'write' : 'writev'));
      return;
    }
    stream.bytesWritten += written;
    if (this.#position !== undefined) this.#position += written;
    if (isOne ? this.#dropOfOne(written) : this.#dropOfMany(written)) {
      this.#end(null);
      return;
    }
    this.#retries = written > 0 ? 0 : this.#retries + 1;
    if (this.#retries > kMostRetries) {
      this.#end(new Error(isOne ? 'write failed' : 'writev failed'));
    } else if (isOne) {
      this.#writeOne();
    } else {
      this.#writeMany();
    }
  };

  // Drops `count` written bytes. Returns true if none are left.
  #dropOfOne(count) {
    const data = this.#data;
    if (count === TypedArrayPrototypeGetLength(data)) return true;
    this.#data = data.subarray(count);
    return false;
  }

  // The rest becomes one chunk, which is passed to a writev() of the program.
  #dropOfMany(count) {
    if (count === this.#size) return true;
    this.#size -= count;
    this.#chunks = [Buffer.concat(this.#chunks).subarray(count)];
    return false;
  }
}

WriteStream.prototype._write = function(data, encoding, callback) {
  const position = this.pos;
  if (position !== undefined) this.pos = position + TypedArrayPrototypeGetLength(data);
  (this[kWriting] ??= new Writing(this)).one(data, position, callback);
};

WriteStream.prototype._writev = function(data, callback) {
  const { length } = data;
  const chunks = new Array(length);
  let size = 0;
  for (let i = 0; i < length; i++) {
    const { chunk } = data[i];
    chunks[i] = chunk;
    size += chunk.length;
  }
  const position = this.pos;
  if (position !== undefined) this.pos = position + size;
  (this[kWriting] ??= new Writing(this)).many(chunks, size, position, callback);
};

WriteStream.prototype._destroy = function(error, callback) {
  destroy(this, error, callback);
};

WriteStream.prototype.close = function(callback) {
  if (callback) {
    if (this.closed) {
      nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  if (!this.autoClose) this.on('finish', this.destroy);
  // end(), not destroy(), so that pending data is written.
  this.end();
};

// A file has no half-open state.
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

ObjectDefineProperty(WriteStream.prototype, 'pending', {
  __proto__: null,
  configurable: true,
  get() {
    return this.fd === null;
  },
});

module.exports = { WriteStream };
