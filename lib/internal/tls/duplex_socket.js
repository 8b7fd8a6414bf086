'use strict';
// A net.Socket over any Duplex. Programs find its class at `_handle._parentWrap.constructor` of a TLSSocket over a
// Duplex, where Node has it.

const { Boolean, Symbol } = primordials;

const { codes: { ERR_STREAM_WRAP } } = require('internal/errors');
const net = require('net');
const { setImmediate } = require('timers');

// Keeps the socket away from the stream's data, which a TLSSocket reads.
const kOnlyForItsClass = Symbol('kOnlyForItsClass');

class JSStreamSocket extends net.Socket {
  constructor(stream, mode) {
    super({ allowHalfOpen: true });
    this.stream = stream;
    this._parent = stream;
    // It is not waiting for a connection.
    this.connecting = false;
    this.readable = stream.readable;
    this.writable = stream.writable;
    if (mode === kOnlyForItsClass) return;

    stream.pause();
    stream.on('data', this.#receive);
    stream.once('end', () => this.push(null));
    stream.on('error', (error) => this.destroy(error));
    stream.once('close', () => this.destroy());
    this.read(0);
  }

  static get StreamWrap() {
    return JSStreamSocket;
  }

  #receive = (chunk) => {
    if (typeof chunk === 'string' || this.stream.readableObjectMode === true) {
      // As in Node, this does not destroy the socket.
      this.stream.pause();
      this.stream.removeListener('data', this.#receive);
      this.emit('error', new ERR_STREAM_WRAP());
      return;
    }
    if (!this.push(chunk)) this.stream.pause();
  };

  get pending() {
    return false;
  }

  get readyState() {
    if (this.readable) return this.writable ? 'open' : 'readOnly';
    return this.writable ? 'writeOnly' : 'closed';
  }

  _read() {
    this.stream.resume();
  }

  _writeGeneric(isMany, data, encoding, callback) {
    if (!isMany) {
      this.stream.write(data, encoding, callback);
      return;
    }
    const { stream } = this;
    let left = data.length;
    let failure;
    const done = (error) => {
      failure ??= error;
      if (--left === 0) callback(failure);
    };
    stream.cork();
    for (let i = 0; i < data.length; i++) {
      if (data.allBuffers) {
        stream.write(data[i], done);
      } else {
        stream.write(data[i].chunk, data[i].encoding, done);
      }
    }
    stream.uncork();
  }

  _final(callback) {
    const { stream } = this;
    if (stream.writableEnded || stream.destroyed) {
      callback();
    } else {
      stream.end(() => callback());
    }
  }

  _destroy(error, callback) {
    this.setTimeout(0);
    this.stream.destroy();
    callback(error);
    setImmediate(() => this.emit('close', Boolean(error)));
  }
}

module.exports = { JSStreamSocket, kOnlyForItsClass };
