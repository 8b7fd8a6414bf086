'use strict';
// Carries the encrypted bytes of a TLSSocket over any Duplex, with the interface of a StreamHandle.

const { codes: { ERR_STREAM_WRAP } } = require('internal/errors');
const { setImmediate } = require('timers');

const uv = internalBinding('uv');
const { UV_ECANCELED, UV_EPIPE } = uv;

class DuplexTransport {
  constructor(stream) {
    this.stream = stream;
    this.tls = undefined; // The TlsHandle.
    this.kind = -1;
    this.reading = false;
    this.fd = -1;
    this.isSending = false;
    this.isClosing = false;
    this.shutdownCallback = undefined;
    this.waitsToShutDown = false;
  }

  // `onError` and `onClose` are called for the stream's events.
  begin(onError, onClose) {
    const { stream } = this;
    stream.pause();
    stream.on('error', onError);
    const onData = (chunk) => {
      if (typeof chunk === 'string' || stream.readableObjectMode === true) {
        stream.pause();
        stream.removeListener('data', onData);
        onError(new ERR_STREAM_WRAP());
        return;
      }
      this.tls?.receive(chunk);
    };
    stream.on('data', onData);
    stream.once('end', () => this.tls?.receiveEnd(0));
    stream.once('close', () => setImmediate(onClose));
    this.readStart();
  }

  readStart() {
    this.reading = true;
    this.stream.resume();
    return 0;
  }

  readStop() {
    this.reading = false;
    this.stream.pause();
  }

  send(bytes) {
    this.isSending = true;
    const done = (error) => {
      // Never inside write().
      setImmediate(() => this.#sent(error ? uv[`UV_${error.code}`] || UV_EPIPE : 0));
    };
    if (!this.isClosing) this.stream.write(bytes, done);
  }

  #sent(status) {
    if (!this.isSending) return;
    this.isSending = false;
    this.tls?.sent(status);
    if (!this.waitsToShutDown || this.isSending) return;
    this.waitsToShutDown = false;
    this.#end();
  }

  shutdown(callback) {
    this.shutdownCallback = callback;
    if (this.isClosing) return 0;
    if (this.isSending) {
      this.waitsToShutDown = true;
    } else {
      this.#end();
    }
    return 0;
  }

  #end() {
    process.nextTick(() => this.stream.end(() => this.#hasShutDown(0)));
  }

  #hasShutDown(status) {
    const callback = this.shutdownCallback;
    this.shutdownCallback = undefined;
    callback?.(status);
  }

  closeBy(isReset, callback) {
    this.isClosing = true;
    this.stream.destroy();
    setImmediate(() => {
      this.#sent(UV_ECANCELED);
      this.#hasShutDown(UV_ECANCELED);
      callback();
    });
  }

  connect() { return UV_EPIPE; }
  open() { return UV_EPIPE; }
  ref() {}
  unref() {}
  hasRef() { return true; }
  localAddress() { return undefined; }
  peerAddress() { return undefined; }
  setNoDelay() { return 0; }
  setKeepAlive() { return 0; }
  setTypeOfService() { return 0; }
  getTypeOfService() { return 0; }
}

module.exports = { DuplexTransport };
