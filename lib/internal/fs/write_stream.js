'use strict';
// fs.createWriteStream(). One operation at a time; what was written meanwhile goes out together, with one writev().

const { ObjectDefineProperty, ObjectSetPrototypeOf, TypedArrayPrototypeGetLength } = primordials;

const { Writable } = require('stream');
const { Error } = primordials;
const { codes: { ERR_INVALID_ARG_TYPE, ERR_STREAM_DESTROYED } } = require('internal/errors');
const { deprecate, kEmptyObject } = require('internal/util');
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
  takeDescriptor,
  takePath,
} = require('internal/fs/streams');

// A device that keeps saying "later" is given up.
const kMostRetries = 5;

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = copyObject(getOptions(options, kEmptyObject));
  // Strings become bytes before they come here.
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
  // Without one of the two the stream makes do with the other.
  if (!fs.writev) stream._writev = null;
  if (!fs.write) stream._write = (chunk, encoding, callback) => stream._writev([{ chunk }], callback);
}

ObjectDefineProperty(WriteStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    return this._writableState.autoDestroy;
  },
  set(value) {
    this._writableState.autoDestroy = value;
  },
});

const openWriteStream = deprecate(function() {}, 'WriteStream.prototype.open() is deprecated', 'DEP0135');
WriteStream.prototype.open = openWriteStream;

WriteStream.prototype._construct = function(callback) {
  construct(this, callback, openWriteStream);
};

function ended(stream, callback, error) {
  stream[kIsPerformingIO] = false;
  callback(error);
  if (stream.destroyed) stream.emit(kIoDone, error);
}

// One chunk, however many operations it takes.
class OneWrite {
  #stream;
  #data;
  #position;
  #callback;
  #retries = 0;

  constructor(stream, data, position, callback) {
    this.#stream = stream;
    this.#data = data;
    this.#position = position;
    this.#callback = callback;
    this.#write();
  }

  #write() {
    const stream = this.#stream;
    const data = this.#data;
    stream[kFs].write(stream.fd, data, 0, TypedArrayPrototypeGetLength(data), this.#position, this.#onWritten);
  }

  #onWritten = (error, written) => {
    const stream = this.#stream;
    if (error?.code === 'EAGAIN') {
      error = null;
      written = 0;
    }
    if (error || stream.destroyed) {
      ended(stream, this.#callback, error || new ERR_STREAM_DESTROYED('write'));
      return;
    }
    stream.bytesWritten += written;
    const data = this.#data;
    if (written === TypedArrayPrototypeGetLength(data)) {
      ended(stream, this.#callback, null);
      return;
    }
    this.#retries = written > 0 ? 0 : this.#retries + 1;
    if (this.#retries > kMostRetries) {
      ended(stream, this.#callback, new Error('write failed'));
      return;
    }
    this.#data = data.subarray(written);
    if (this.#position !== undefined) this.#position += written;
    this.#write();
  };
}

// Several chunks, likewise.
class ManyWrites {
  #stream;
  #chunks;
  #position;
  #callback;
  #retries = 0;

  constructor(stream, chunks, position, callback) {
    this.#stream = stream;
    this.#chunks = chunks;
    this.#position = position;
    this.#callback = callback;
    this.#write();
  }

  #write() {
    const stream = this.#stream;
    stream[kFs].writev(stream.fd, this.#chunks, this.#position ?? null, this.#onWritten);
  }

  #onWritten = (error, written) => {
    const stream = this.#stream;
    if (error?.code === 'EAGAIN') {
      error = null;
      written = 0;
    }
    if (error || stream.destroyed) {
      ended(stream, this.#callback, error || new ERR_STREAM_DESTROYED('writev'));
      return;
    }
    stream.bytesWritten += written;
    if (this.#position !== undefined) this.#position += written;
    this.#retries = written > 0 ? 0 : this.#retries + 1;
    this.#drop(written);
    if (this.#chunks.length === 0) {
      ended(stream, this.#callback, null);
    } else if (this.#retries > kMostRetries) {
      ended(stream, this.#callback, new Error('writev failed'));
    } else {
      this.#write();
    }
  };

  #drop(count) {
    const chunks = this.#chunks;
    let first = 0;
    while (first < chunks.length) {
      const length = TypedArrayPrototypeGetLength(chunks[first]);
      if (count < length) break;
      count -= length;
      first++;
    }
    if (first === chunks.length) {
      this.#chunks = [];
      return;
    }
    const rest = [count > 0 ? chunks[first].subarray(count) : chunks[first]];
    for (let i = first + 1; i < chunks.length; i++) rest[i - first] = chunks[i];
    this.#chunks = rest;
  }
}

WriteStream.prototype._write = function(data, encoding, callback) {
  const position = this.pos;
  this[kIsPerformingIO] = true;
  if (position !== undefined) this.pos = position + TypedArrayPrototypeGetLength(data);
  new OneWrite(this, data, position, callback); // eslint-disable-line no-new
};

WriteStream.prototype._writev = function(data, callback) {
  const chunks = [];
  let size = 0;
  for (let i = 0; i < data.length; i++) {
    const { chunk } = data[i];
    chunks[i] = chunk;
    size += TypedArrayPrototypeGetLength(chunk);
  }
  const position = this.pos;
  this[kIsPerformingIO] = true;
  if (position !== undefined) this.pos = position + size;
  new ManyWrites(this, chunks, position, callback); // eslint-disable-line no-new
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
  // What was written is to arrive: end, not destroy.
  this.end();
};

// There is no half of a file to shut down.
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

ObjectDefineProperty(WriteStream.prototype, 'pending', {
  __proto__: null,
  configurable: true,
  get() {
    return this.fd === null;
  },
});

module.exports = { WriteStream };
