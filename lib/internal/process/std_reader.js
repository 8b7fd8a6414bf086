'use strict';
// Reading descriptor 0 through the loop, so that a program that waits for input is not held up by it.
const { FunctionPrototypeCall, ObjectSetPrototypeOf, Symbol } = primordials;
const { Readable } = require('stream');
const binding = internalBinding('stdin');
const { kind } = internalBinding('stdio');
const { ErrnoException } = require('internal/errors');
const { FastBuffer } = require('internal/buffer');

const kIsReading = Symbol('kIsReading');

function StdReader(fd, options) {
  FunctionPrototypeCall(Readable, this, { highWaterMark: 65536, autoDestroy: false, ...options });
  this.fd = fd;
  this[kIsReading] = false;
}
ObjectSetPrototypeOf(StdReader.prototype, Readable.prototype);
ObjectSetPrototypeOf(StdReader, Readable);

StdReader.prototype._read = function _read() {
  if (this[kIsReading]) return;
  this[kIsReading] = true;
  binding.read((error, bytes) => {
    this[kIsReading] = false;
    if (error < 0) {
      this.destroy(new ErrnoException(error, 'read'));
    } else {
      this.push(bytes === undefined ? null : new FastBuffer(bytes));
    }
  });
};

function stopReading(stream) {
  if (!stream[kIsReading]) return;
  stream[kIsReading] = false;
  // The next read() must ask again.
  stream._readableState.reading = false;
  binding.stop();
}

// Who pauses wants the process to be able to end.
StdReader.prototype.pause = function pause() {
  FunctionPrototypeCall(Readable.prototype.pause, this);
  stopReading(this);
  return this;
};

StdReader.prototype._destroy = function _destroy(error, callback) {
  stopReading(this);
  callback(error);
};

StdReader.prototype.ref = function ref() {
  binding.setRef(true);
  return this;
};
StdReader.prototype.unref = function unref() {
  binding.setRef(false);
  return this;
};

function makeStdin() {
  const type = kind(0);
  if (type === 'tty') return new (require('tty').ReadStream)(0);
  return new StdReader(0, { highWaterMark: type === 'pipe' ? 16384 : 65536 });
}

module.exports = { StdReader, makeStdin };
