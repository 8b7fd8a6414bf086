'use strict';
// process.stdin: a Readable over descriptor 0. Reading goes through the loop, so a program that waits
// for input is not held up by it.
const { Readable } = require('stream');
const binding = internalBinding('stdin');
const { ErrnoException } = require('internal/errors');
const { kind, windowSize } = internalBinding('stdio');

class StdReader extends Readable {
  #isReading = false;

  constructor() {
    super({ highWaterMark: 65536, autoDestroy: false });
    this.fd = 0;
    this._type = kind(0);
    if (this._type === 'tty') {
      this.isTTY = true;
      this.isRaw = false;
    }
  }

  _read() {
    if (this.#isReading) return;
    this.#isReading = true;
    binding.read((error, bytes) => {
      this.#isReading = false;
      if (error < 0) {
        this.destroy(new ErrnoException(error, 'read'));
      } else if (bytes === undefined) {
        this.push(null);
      } else {
        const { Buffer } = require('buffer');
        this.push(Buffer.from(bytes));
      }
    });
  }

  pause() {
    super.pause();
    if (this.#isReading) {
      this.#isReading = false;
      binding.stop();
    }
    return this;
  }

  _destroy(error, callback) {
    binding.stop();
    callback(error);
  }

  setRawMode(isRaw) {
    if (this.isTTY) {
      binding.setRawMode(isRaw === true);
      this.isRaw = isRaw === true;
    }
    return this;
  }

  ref() { binding.setRef(true); return this; }
  unref() { binding.setRef(false); return this; }
  getWindowSize() { return windowSize(0); }
}

module.exports = { makeStdin: () => new StdReader() };
