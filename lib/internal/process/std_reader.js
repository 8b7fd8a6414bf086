'use strict';
// Reading a descriptor through the loop, so that a program that waits for input is not held up by it: descriptor 0,
// whatever it is, and other terminals.
const { FunctionPrototypeCall, ObjectSetPrototypeOf, Symbol } = primordials;
const { Readable } = require('stream');
const stdin = internalBinding('stdin');
const loop = internalBinding('loop');
const { kind } = internalBinding('stdio');
const { ErrnoException } = require('internal/errors');
const { FastBuffer } = require('internal/buffer');

const kHasRef = Symbol('kHasRef');
const kIsReading = Symbol('kIsReading');
const kSource = Symbol('kSource');

let stdinBirth = 0; // Where the program first asked for it, until it is read.

// A source reads one chunk when it is asked to: read(callback(errno, chunk)), where no chunk is the end.
const stdinSource = {
  __proto__: null,
  read(callback) {
    // It is the program's that asked for process.stdin, and not of whatever tick reads it.
    if (stdinBirth !== 0) loop.assumeBirth(stdinBirth);
    stdin.read((error, bytes) => callback(error, bytes === undefined ? undefined : new FastBuffer(bytes)));
    if (stdinBirth !== 0) loop.assumeBirth(stdinBirth = 0);
  },
  stop() { stdin.stop(); },
  setRef(hasRef) { stdin.setRef(hasRef); },
  setRawMode(isRaw) {
    stdin.setRawMode(isRaw);
    return 0;
  },
  close() { stdin.stop(); },
};

class TerminalSource {
  #handle;
  #callback;

  constructor(fd) {
    const { StreamHandle, kEOF, kTty } = require('internal/net/stream_handle');
    this.#handle = new StreamHandle(kTty);
    const status = this.#handle.open(fd);
    if (status < 0) throw new ErrnoException(status, 'open');
    this.#handle.onread = (handle, size, chunk) => {
      this.stop();
      this.#callback(size === kEOF || size > 0 ? 0 : size, chunk);
    };
  }

  read(callback) {
    this.#callback = callback;
    this.#handle.readStart();
  }
  stop() {
    if (!this.#handle.isClosing) this.#handle.readStop();
  }
  setRef(hasRef) {
    if (hasRef) this.#handle.ref();
    else this.#handle.unref();
  }
  setRawMode(isRaw) { return internalBinding('streams').setRawMode(this.#handle.wrap, isRaw); }
  close() { this.#handle.close(); }
}

function StdReader(fd, options) {
  FunctionPrototypeCall(Readable, this, { highWaterMark: 65536, autoDestroy: false, ...options });
  this.fd = fd;
  // Not shown: programs that print the stream want to see the stream.
  primordials.ObjectDefineProperty(this, kSource, {
    __proto__: null, value: fd === 0 ? stdinSource : new TerminalSource(fd), enumerable: false,
  });
  this[kIsReading] = false;
  primordials.ObjectDefineProperty(this, kHasRef, { __proto__: null, value: true, writable: true, enumerable: false });
}
ObjectSetPrototypeOf(StdReader.prototype, Readable.prototype);
ObjectSetPrototypeOf(StdReader, Readable);

StdReader.prototype._read = function _read() {
  if (this[kIsReading]) return;
  this[kIsReading] = true;
  this[kSource].read((error, chunk) => {
    this[kIsReading] = false;
    if (error < 0) this.destroy(new ErrnoException(error, 'read'));
    else this.push(chunk === undefined ? null : chunk);
  });
};

function stopReading(stream) {
  if (!stream[kIsReading]) return;
  stream[kIsReading] = false;
  // The next read() must ask again.
  stream._readableState.reading = false;
  stream[kSource].stop();
}

// Who pauses wants the process to be able to end.
StdReader.prototype.pause = function pause() {
  FunctionPrototypeCall(Readable.prototype.pause, this);
  stopReading(this);
  return this;
};

StdReader.prototype._destroy = function _destroy(error, callback) {
  stopReading(this);
  this[kSource].close();
  callback(error);
};

StdReader.prototype.ref = function ref() {
  this[kHasRef] = true;
  this[kSource].setRef(true);
  return this;
};
StdReader.prototype.unref = function unref() {
  this[kHasRef] = false;
  this[kSource].setRef(false);
  return this;
};

function hasRef(stream) {
  return stream[kHasRef] === true;
}

// 0, or a negative errno.
function setRawMode(stream, isRaw) {
  return stream[kSource].setRawMode(isRaw);
}

function makeStdin() {
  const type = kind(0);
  stdinBirth = loop.birth();
  if (type === 'tty') return new (require('tty').ReadStream)(0);
  return new StdReader(0, { highWaterMark: type === 'pipe' ? 16384 : 65536 });
}

module.exports = { StdReader, hasRef, makeStdin, setRawMode };
