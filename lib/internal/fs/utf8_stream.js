'use strict';
// fs.Utf8Stream: writes text or bytes to a file with as few system calls as possible. It is not a node:stream.

const {
  MathMax,
  ObjectPrototypeHasOwnProperty,
} = primordials;

const EventEmitter = require('events');
const fs = require('fs');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_OPERATION_FAILED },
} = require('internal/errors');
const { ByteQueue, TextQueue } = require('internal/fs/utf8_queues');
const { SymbolDispose, kEmptyObject, sleep } = require('internal/util');
const { nextTick } = require('internal/process/task_queues');
const { dirname } = require('path');
const { clearInterval, setInterval, setTimeout } = require('timers');
const {
  validateBoolean,
  validateFunction,
  validateObject,
  validateOneOf,
  validateUint32,
} = require('internal/validators');

// Default of the option maxWrite, in bytes.
const kMostOfOneWrite = 16 * 1024;
// write() returns false from this length on.
const kHighWaterMark = kMostOfOneWrite + 3;
// The delay before a retry after EAGAIN or EBUSY.
const kBusyMilliseconds = 100;

const kCalls = ['write', 'writeSync', 'fsync', 'fsyncSync', 'close', 'open', 'mkdir', 'mkdirSync', 'openSync'];

// The functions of node:fs, or those of the option `fs`.
function callsOf(given) {
  validateObject(given, 'options.fs');
  const calls = { __proto__: null };
  for (let i = 0; i < kCalls.length; i++) {
    const name = kCalls[i];
    calls[name] = ObjectPrototypeHasOwnProperty(given, name) ? given[name] : fs[name];
    validateFunction(calls[name], `options.fs.${name}`);
  }
  return calls;
}

function isBusy(error) {
  return error.code === 'EAGAIN' || error.code === 'EBUSY';
}

class Utf8Stream extends EventEmitter {
  #calls;
  #queue;
  // The unwritten rest of the piece in flight.
  #piece;
  // The length of the queue and the piece.
  #length = 0;
  #highWaterMark;
  #fd = -1;
  #file = null;

  #minLength;
  #maxLength;
  #maxWrite;
  #periodicFlush;
  #timer;
  #sync;
  #fsync;
  #append;
  #mode;
  #mkdir;
  #retry;
  #contentMode;

  #opening = false;
  #reopening = false;
  #writing = false;
  #ending = false;
  #destroyed = false;
  #flushing = false;
  #drainIsDue = false;

  constructor(options = kEmptyObject) {
    validateObject(options, 'options');
    super();
    this.#calls = callsOf(options.fs ?? kEmptyObject);
    this.#takeOptions(options);
    const target = options.fd ?? options.dest;
    if (typeof target !== 'number' && typeof target !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('fd', ['number', 'string'], target);
    }
    if (this.#minLength >= this.#maxWrite) {
      throw new ERR_INVALID_ARG_VALUE.RangeError(
        'minLength', this.#minLength, `should be smaller than maxWrite (${this.#maxWrite})`);
    }
    if (typeof target === 'number') {
      this.#fd = target;
      nextTick(() => this.emit('ready'));
    } else {
      this.#open(target);
    }
    this.on('newListener', (name) => {
      if (name === 'drain') this.#drainIsDue = false;
    });
    if (this.#periodicFlush !== 0) {
      this.#timer = setInterval(() => this.#flushNow(), this.#periodicFlush);
      this.#timer.unref();
    }
  }

  #takeOptions(options) {
    const { append = true, contentMode = 'utf8', mode } = options;
    this.#minLength = options.minLength || 0;
    this.#maxLength = options.maxLength || 0;
    this.#maxWrite = options.maxWrite || kMostOfOneWrite;
    this.#periodicFlush = options.periodicFlush || 0;
    this.#sync = options.sync || false;
    this.#fsync = options.fsync || false;
    this.#append = append || false;
    this.#mode = mode;
    this.#retry = options.retryEAGAIN || (() => true);
    this.#mkdir = options.mkdir || false;
    this.#contentMode = contentMode;

    validateUint32(this.#minLength, 'options.minLength');
    validateUint32(this.#maxLength, 'options.maxLength');
    validateUint32(this.#maxWrite, 'options.maxWrite');
    validateUint32(this.#periodicFlush, 'options.periodicFlush');
    validateBoolean(this.#sync, 'options.sync');
    validateBoolean(this.#fsync, 'options.fsync');
    validateBoolean(this.#append, 'options.append');
    validateBoolean(this.#mkdir, 'options.mkdir');
    validateFunction(this.#retry, 'options.retryEAGAIN');
    validateOneOf(contentMode, 'options.contentMode', ['buffer', 'utf8']);

    this.#highWaterMark = MathMax(this.#minLength, kHighWaterMark);
    this.#queue = contentMode === 'buffer' ? new ByteQueue() : new TextQueue();
    this.#piece = this.#queue.none;
  }

  // Returns false if the program should wait for 'drain'.
  write(data) {
    this.#checkAlive();
    this.#queue.check(data);
    const length = this.#length + data.length;
    if (this.#maxLength !== 0 && length > this.#maxLength) {
      this.emit('drop', data);
      return this.#length < this.#highWaterMark;
    }
    this.#queue.add(data, this.#maxWrite);
    this.#length = length;
    if (!this.#writing && length >= this.#minLength) this.#writeNext();
    return this.#length < this.#highWaterMark;
  }

  flush(cb = function(_err) {}) {
    validateFunction(cb, 'cb');
    if (this.#destroyed) {
      cb(new ERR_INVALID_STATE('Utf8Stream is destroyed'));
      return;
    }
    // Without minLength nothing is buffered.
    if (this.#minLength <= 0) {
      cb();
      return;
    }
    this.#callWhenDrained(cb);
    this.#flushNow();
  }

  // Writes even if the queue is empty, to cause 'drain'.
  #flushNow() {
    if (!this.#writing && !this.#destroyed) this.#writeNext();
  }

  #callWhenDrained(callback) {
    this.#flushing = true;
    const done = (error) => {
      this.#flushing = false;
      callback(error);
    };
    const onDrain = () => {
      this.off('error', onError);
      if (this.#fsync || this.#destroyed) {
        done();
        return;
      }
      try {
        // EBADF means that the file was closed meanwhile, after everything was written.
        this.#calls.fsync(this.#fd, (error) => done(error?.code === 'EBADF' ? undefined : error));
      } catch (error) {
        done(error);
      }
    };
    const onError = (error) => {
      this.off('drain', onDrain);
      done(error);
    };
    this.once('drain', onDrain);
    this.once('error', onError);
  }

  flushSync() {
    this.#checkAlive();
    if (this.#fd < 0) throw new ERR_INVALID_STATE('Invalid file descriptor');
    const queue = this.#queue;
    if (!this.#writing && this.#piece.length > 0) {
      queue.putBack(this.#piece);
      this.#piece = queue.none;
    }
    while (queue.size > 0) this.#writeWholeSync(queue.take());
    if (this.#contentMode === 'buffer') return;
    try {
      this.#calls.fsyncSync(this.#fd);
    } catch {
      // Not every descriptor supports fsync().
    }
  }

  #writeWholeSync(piece) {
    while (piece.length > 0) {
      try {
        const rest = this.#queue.rest(piece, this.#queue.writeSync(this.#calls, this.#fd, piece));
        this.#length = MathMax(this.#length - (piece.length - rest.length), 0);
        piece = rest;
      } catch (error) {
        if (!isBusy(error) || !this.#retry(error, piece.length, this.#length - piece.length)) {
          this.#queue.putBack(piece);
          throw error;
        }
        sleep(kBusyMilliseconds);
      }
    }
  }

  // Opens the file again, or another one, for example after log rotation.
  reopen(file) {
    this.#checkAlive();
    if (this.#opening) {
      this.once('ready', () => this.reopen(file));
      return;
    }
    if (this.#ending) return;
    if (!this.#file) {
      throw new ERR_OPERATION_FAILED('Unable to reopen a file descriptor, you must pass a file to SonicBoom');
    }
    if (file) this.#file = file;
    this.#reopening = true;
    if (this.#writing) return;

    const former = this.#fd;
    this.once('ready', () => {
      if (former === this.#fd) return;
      this.#calls.close(former, (error) => {
        if (error) this.emit('error', error);
      });
    });
    this.#open(this.#file);
  }

  end() {
    this.#checkAlive();
    if (this.#opening) {
      this.once('ready', () => this.end());
      return;
    }
    if (this.#ending) return;
    this.#ending = true;
    if (this.#writing) return;
    if (this.#length > 0 && this.#fd >= 0) this.#writeNext();
    else this.#close();
  }

  destroy() {
    if (!this.#destroyed) this.#close();
  }

  get mode() { return this.#mode; }
  get file() { return this.#file; }
  get fd() { return this.#fd; }
  get minLength() { return this.#minLength; }
  get maxLength() { return this.#maxLength; }
  get writing() { return this.#writing; }
  get sync() { return this.#sync; }
  get fsync() { return this.#fsync; }
  get append() { return this.#append; }
  get periodicFlush() { return this.#periodicFlush; }
  get contentMode() { return this.#contentMode; }
  get mkdir() { return this.#mkdir; }

  [SymbolDispose]() { this.destroy(); }

  #checkAlive() {
    if (this.#destroyed) throw new ERR_INVALID_STATE('Utf8Stream is destroyed');
  }

  #open(file) {
    this.#opening = true;
    this.#writing = true;
    this.#drainIsDue = false;
    const calls = this.#calls;
    const flags = this.#append ? 'a' : 'w';
    const opened = (error, fd) => {
      if (error) this.#openFailed(error);
      else this.#opened(file, fd);
    };
    if (this.#sync) {
      let fd;
      try {
        if (this.#mkdir) calls.mkdirSync(dirname(file), { recursive: true });
        fd = calls.openSync(file, flags, this.#mode);
      } catch (error) {
        this.#openFailed(error);
        throw error;
      }
      this.#opened(file, fd);
    } else if (this.#mkdir) {
      calls.mkdir(dirname(file), { recursive: true }, (error) => {
        if (error) this.#openFailed(error);
        else calls.open(file, flags, this.#mode, opened);
      });
    } else {
      calls.open(file, flags, this.#mode, opened);
    }
  }

  #openFailed(error) {
    this.#opening = false;
    this.#reopening = false;
    this.#writing = false;
    if (!this.#sync) {
      this.emit('error', error);
      return;
    }
    // In sync mode the error is also thrown, so 'error' is only emitted to listeners.
    nextTick(() => {
      if (this.listenerCount('error') > 0) this.emit('error', error);
    });
  }

  #opened(file, fd) {
    const reopening = this.#reopening;
    this.#fd = fd;
    this.#file = file;
    this.#opening = false;
    this.#reopening = false;
    this.#writing = false;
    if (this.#sync) nextTick(() => this.emit('ready'));
    else this.emit('ready');
    if (this.#destroyed) return;
    if ((!this.#writing && this.#length > this.#minLength) || this.#flushing) this.#writeNext();
    else if (reopening) nextTick(() => this.emit('drain'));
  }

  #writeNext() {
    this.#writing = true;
    if (this.#piece.length === 0) this.#piece = this.#queue.take();
    this.#writePiece();
  }

  #writePiece() {
    if (!this.#sync) {
      this.#queue.write(this.#calls, this.#fd, this.#piece, (error, written) => this.#wrote(error, written));
      return;
    }
    let written;
    try {
      written = this.#queue.writeSync(this.#calls, this.#fd, this.#piece);
    } catch (error) {
      this.#wrote(error);
      return;
    }
    this.#wrote(null, written);
  }

  #wrote(error, written) {
    if (error) {
      this.#writeFailed(error);
      return;
    }
    this.emit('write', written);
    const rest = this.#queue.rest(this.#piece, written);
    this.#length = MathMax(this.#length - (this.#piece.length - rest.length), 0);
    this.#piece = rest;
    if (rest.length > 0) {
      this.#writePiece();
      return;
    }
    if (this.#fsync) {
      try {
        this.#calls.fsyncSync(this.#fd);
      } catch (failure) {
        this.#writeFailed(failure);
        return;
      }
    }
    this.#continue();
  }

  #writeFailed(error) {
    const { length } = this.#piece;
    if (!isBusy(error) || !this.#retry(error, length, this.#length - length)) {
      this.#writing = false;
      this.emit('error', error);
    } else if (this.#sync) {
      sleep(kBusyMilliseconds);
      this.#writePiece();
    } else {
      setTimeout(() => this.#writePiece(), kBusyMilliseconds);
    }
  }

  // Called when a piece has been written.
  #continue() {
    if (this.#reopening) {
      this.#writing = false;
      this.#reopening = false;
      this.reopen();
    } else if (this.#length > this.#minLength || (this.#ending && this.#length > 0)) {
      this.#writeNext();
    } else {
      this.#writing = false;
      if (this.#ending) this.#close();
      else this.#drained();
    }
  }

  #drained() {
    if (!this.#sync) {
      this.emit('drain');
    } else if (!this.#drainIsDue) {
      // At most one pending 'drain'.
      this.#drainIsDue = true;
      nextTick(() => {
        if (this.listenerCount('drain') === 0) return;
        this.#drainIsDue = false;
        this.emit('drain');
      });
    }
  }

  #close() {
    if (this.#fd === -1) {
      this.once('ready', () => this.#close());
      return;
    }
    if (this.#timer !== undefined) clearInterval(this.#timer);
    this.#destroyed = true;
    this.#queue.clear();
    const closed = (error) => {
      if (error) {
        this.emit('error', error);
        return;
      }
      if (this.#ending && !this.#writing) this.emit('finish');
      this.emit('close');
    };
    try {
      // Errors are ignored: not every descriptor supports fsync().
      this.#calls.fsync(this.#fd, () => {
        if (this.#fd === 1 || this.#fd === 2) closed();
        else this.#calls.close(this.#fd, closed);
      });
    } catch {
      // As in Node, the descriptor stays open.
    }
  }
}

module.exports = { Utf8Stream };
