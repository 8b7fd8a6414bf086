'use strict';
// Carries the encrypted bytes of a TLSSocket inside another TLS connection: takes over the handle of its socket.

const { kEOF, kQueued } = require('internal/net/stream_handle');

class HandleTransport {
  constructor(handle) {
    this.handle = handle;
    this.tls = undefined; // The TlsHandle that this one carries.
    this.kind = handle.kind;
    handle.onread = (from, size, chunk) => {
      if (size > 0) {
        this.tls?.receive(chunk);
      } else {
        this.tls?.receiveEnd(size === kEOF ? 0 : size);
      }
    };
  }

  send(bytes) {
    const status = this.handle.write(bytes, 'buffer', (outcome) => this.tls?.sent(outcome));
    if (status !== kQueued) this.tls?.sent(status);
  }

  readStart() { return this.handle.readStart(); }
  readStop() { this.handle.readStop(); }
  get reading() { return this.handle.reading; }
  get fd() { return this.handle.fd; }
  shutdown(callback) { return this.handle.shutdown(callback); }
  closeBy(isReset, callback) { this.handle.closeBy(isReset, callback); }
  connect(host, port, localAddress, localPort, callback) {
    return this.handle.connect(host, port, localAddress, localPort, callback);
  }

  open(fd) { return this.handle.open(fd); }
  ref() { this.handle.ref(); }
  unref() { this.handle.unref(); }
  hasRef() { return this.handle.hasRef(); }
  localAddress() { return this.handle.localAddress(); }
  peerAddress() { return this.handle.peerAddress(); }
  setNoDelay(enable) { return this.handle.setNoDelay(enable); }
  setKeepAlive(enable, delay, interval, count) { return this.handle.setKeepAlive(enable, delay, interval, count); }
  setTypeOfService(value) { return this.handle.setTypeOfService(value); }
  getTypeOfService() { return this.handle.getTypeOfService(); }
}

module.exports = { HandleTransport };
