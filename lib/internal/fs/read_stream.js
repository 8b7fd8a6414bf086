'use strict';
// fs.createReadStream(). A program sees what it sees in Node: chunks of at most highWaterMark bytes, each in memory of its
// own. Behind them a quick file is read ahead, several chunks with one operation: see ReadAhead.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  MathMin,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Symbol,
  TypedArrayPrototypeGetLength,
} = primordials;

const { Buffer } = require('buffer');
const { Readable, finished } = require('stream');
const { bindCallback } = require('internal/async_hooks');
const { deprecate, kEmptyObject } = require('internal/util');
const { copyObject, getOptions } = require('internal/fs/utils');
const { nextTick } = require('internal/process/task_queues');
const { validateFunction } = require('internal/validators');
const {
  checkPosition,
  checkRange,
  construct,
  destroy,
  kFs,
  kHandle,
  kIoDone,
  kIsPerformingIO,
  lazyFs,
  takeDescriptor,
  takePath,
} = require('internal/fs/streams');

const binding = internalBinding('fs');
// As it was before a program could patch it.
let nativeRead;
function isPatched(fs) {
  nativeRead ??= require('internal/fs/data').read;
  return fs.read !== nativeRead;
}

const kAhead = Symbol('kAhead');
// What is read with one operation, and what may wait for the program: the bounds of what a stream holds.
const kMostBytes = 1 << 20;
const kMostChunks = 64;

// The chunks of a stream before the program gets them. One readv() fills several of them: reading costs one trip to the
// kernel and back for all. The first read is one chunk. One that came back full, to a program that waits for it, lets the
// next be twice as big; one that came before it was asked for, half: a small file and a slow reader take no more memory than
// they would without. The next operation starts when half of the chunks are gone.
class ReadAhead {
  #stream;
  #size; // Of a chunk.
  #most; // Chunks per operation.
  #now = 1;
  #chunks = []; // Full, from #first on.
  #first = 0;
  #spare = []; // Made, and not filled by the last operation.
  #isReading = false;
  #isEnded = false;
  #isAsked = false; // The stream waits for a chunk.
  #error = null;
  #position; // Of the next operation; -1 for wherever the file stands.
  #left; // How many bytes the stream may still read.
  #asked = 0; // By the operation under way.

  constructor(stream, size) {
    this.#stream = stream;
    this.#size = size;
    const most = MathMin(kMostChunks, (kMostBytes / size) >>> 0);
    // A program that gave the descriptor may go on with it where the stream was stopped.
    this.#most = stream.path === undefined && stream.pos === undefined || most < 1 ? 1 : most;
    this.#position = stream.pos === undefined ? -1 : stream.pos;
    this.#left = stream.end - (stream.pos === undefined ? 0 : stream.pos) + 1;
  }

  // For _read(). What is there is handed out a tick later: a stream that is given a chunk from inside of _read() puts it
  // together with the one before.
  ask() {
    if (this.#first < this.#chunks.length) {
      nextTick(giveNext, this);
      return;
    }
    this.#isAsked = true;
    if (this.#isReading) return;
    if (this.#error !== null || this.#isEnded || this.#left <= 0) this.#finish();
    else this.#read();
  }

  give() {
    const stream = this.#stream;
    if (stream.destroyed) return;
    const chunks = this.#chunks;
    const chunk = chunks[this.#first];
    chunks[this.#first++] = undefined;
    const left = chunks.length - this.#first;
    if (left === 0) {
      chunks.length = 0;
      this.#first = 0;
    }
    if (this.#most > 1 && left <= this.#now >> 1) this.#read();
    const length = TypedArrayPrototypeGetLength(chunk);
    stream.bytesRead += length;
    if (stream.pos !== undefined) stream.pos += length;
    stream.push(chunk);
  }

  #finish() {
    this.#isAsked = false;
    const stream = this.#stream;
    if (this.#error === null) {
      stream.push(null);
    } else {
      fail(stream, this.#error);
    }
  }

  #read() {
    if (this.#isReading || this.#isEnded || this.#error !== null || this.#left <= 0) return;
    const size = this.#size;
    const spare = this.#spare;
    let bytes = 0;
    let count = 0;
    for (; count < this.#now && bytes < this.#left; count++) {
      if (count === spare.length) ArrayPrototypePush(spare, Buffer.allocUnsafeSlow(size));
      bytes += size;
    }
    this.#isReading = true;
    this.#stream[kIsPerformingIO] = true;
    const excess = bytes - this.#left;
    if (excess > 0) {
      // The last part must end where the stream does.
      bytes -= excess;
      spare[count - 1] = Buffer.allocUnsafeSlow(size - excess);
    }
    spare.length = count;
    this.#asked = bytes;
    const onRead = bindCallback('FSREQCALLBACK', this.#onRead);
    if (count === 1) {
      binding.read(this.#stream.fd, spare[0], 0, bytes, this.#position, onRead);
    } else {
      binding.readv(this.#stream.fd, spare, this.#position, onRead);
    }
  }

  #onRead = (error, count) => {
    this.#isReading = false;
    const stream = this.#stream;
    stream[kIsPerformingIO] = false;
    if (stream.destroyed) {
      this.#chunks.length = 0;
      this.#spare.length = 0;
      stream.emit(kIoDone, error);
      return;
    }
    if (error !== null) {
      this.#error = error;
    } else if (count === 0) {
      this.#isEnded = true;
    } else {
      this.#left -= count;
      if (this.#position >= 0) this.#position += count;
      if (!this.#isAsked) this.#now = (this.#now + 1) >> 1;
      else if (count === this.#asked) this.#now = MathMin(this.#now * 2, this.#most);
      this.#take(count);
    }
    if (!this.#isAsked) return;
    this.#isAsked = false;
    if (this.#first < this.#chunks.length) this.give();
    else this.ask();
  };

  // The first `count` bytes of the spare chunks are filled.
  #take(count) {
    const spare = this.#spare;
    let used = 0;
    while (count > 0) {
      const chunk = spare[used];
      const length = TypedArrayPrototypeGetLength(chunk);
      if (count >= length) {
        ArrayPrototypePush(this.#chunks, chunk);
        used++;
        count -= length;
      } else {
        // A copy, so that a few bytes do not keep a big chunk alive, and the big one can be used again.
        const part = Buffer.allocUnsafeSlow(count);
        chunk.copy(part, 0, 0, count);
        ArrayPrototypePush(this.#chunks, part);
        break;
      }
    }
    // What the binding was given may still be in its hands; and the last part may have been cut.
    const isWhole = TypedArrayPrototypeGetLength(spare[spare.length - 1]) === this.#size;
    this.#spare = used === spare.length || !isWhole ? [] : ArrayPrototypeSlice(spare, used);
  }
}

function giveNext(ahead) {
  ahead.give();
}

// An error in a stream that does not close by itself is only told.
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

// With functions of the program's own, or fs.read() patched: as Node does it, one read after the other.
function readWithForeignFs(stream, size) {
  const limit = stream.end - (stream.pos === undefined ? stream.bytesRead : stream.pos) + 1;
  const length = MathMin(limit, size);
  if (length <= 0) {
    stream.push(null);
    return;
  }
  stream[kIsPerformingIO] = true;
  stream[kFs].read(stream.fd, Buffer.allocUnsafeSlow(length), 0, length, stream.pos, (error, count, buffer) => {
    stream[kIsPerformingIO] = false;
    if (stream.destroyed) {
      stream.emit(kIoDone, error);
    } else if (error) {
      fail(stream, error);
    } else if (count > 0) {
      if (stream.pos !== undefined) stream.pos += count;
      stream.bytesRead += count;
      if (count !== TypedArrayPrototypeGetLength(buffer)) {
        const part = Buffer.allocUnsafeSlow(count);
        buffer.copy(part, 0, 0, count);
        buffer = part;
      }
      stream.push(buffer);
    } else {
      stream.push(null);
    }
  });
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
  this[kAhead] = null;
  Readable.call(this, options);
  if (options.encoding) this.setEncoding(options.encoding);
}
ObjectSetPrototypeOf(ReadStream.prototype, Readable.prototype);
ObjectSetPrototypeOf(ReadStream, Readable);

ObjectDefineProperty(ReadStream.prototype, 'autoClose', {
  __proto__: null,
  get() {
    return this._readableState.autoDestroy;
  },
  set(value) {
    this._readableState.autoDestroy = value;
  },
});

// Kept for programs that call it or put another in its place; streams open by themselves.
const openReadStream = deprecate(function() {}, 'ReadStream.prototype.open() is deprecated', 'DEP0135');
ReadStream.prototype.open = openReadStream;

ReadStream.prototype._construct = function(callback) {
  construct(this, callback, openReadStream);
};

ReadStream.prototype._read = function(size) {
  const ahead = this[kAhead];
  if (ahead !== null) {
    ahead.ask();
    return;
  }
  const isOurs = this[kHandle] !== undefined || (this[kFs] === lazyFs() && !isPatched(this[kFs]));
  if (isOurs && size > 0) {
    this[kAhead] = new ReadAhead(this, size);
    this[kAhead].ask();
  } else {
    readWithForeignFs(this, size);
  }
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
