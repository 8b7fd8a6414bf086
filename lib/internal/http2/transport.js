'use strict';
// The transport of a session's bytes to a socket. Native code reads and writes a net.Socket itself. For a TLSSocket lib
// carries the bytes at the level of its handle, and any other Duplex is read and written through its public methods.
// While a write is in flight nothing is read, so that answers for a peer that does not read do not accumulate.

const { setImmediate } = require('timers');
const { StreamHandle } = require('internal/net/stream_handle');
const { UV_EOF } = internalBinding('uv');

// The handle of a TLSSocket: it has the methods of a native stream, but another class.
class HandleTransport {
  constructor(session, handle) {
    this.session = session;
    this.handle = handle;
    this.isSending = false;
    const { onread } = handle;
    handle.onread = (stream, size, chunk) => {
      if (size > 0 && chunk !== undefined) {
        session.receive(chunk, true);
      } else {
        onread(stream, size, chunk);
      }
    };
    handle.readStart();
  }

  send(bytes) {
    const { handle } = this;
    this.isSending = true;
    handle.readStop();
    const status = handle.write(bytes, undefined, (result) => this.#onSent(result));
    if (status <= 0) process.nextTick(() => this.#onSent(status));
  }

  #onSent(status) {
    this.isSending = false;
    this.session.sent(status);
    if (!this.isSending) this.handle.readStart();
  }
}

class DuplexTransport {
  isDuplex = true;

  constructor(session, duplex) {
    this.session = session;
    this.duplex = duplex;
    duplex.on('data', (chunk) => session.receive(chunk));
    duplex.on('end', () => {
      if (!duplex.writableEnded) duplex.end();
    });
  }

  // As in Node, each part is a separate write.
  send(bytes, sizes) {
    const { duplex } = this;
    if (duplex.destroyed || duplex.writableEnded) {
      setImmediate(() => this.session.sent(UV_EOF));
      return;
    }
    duplex.pause();
    let pending = sizes.length;
    const done = (error) => {
      if (pending === 0 || (!error && --pending > 0)) return;
      pending = 0;
      duplex.removeListener('close', onClose);
      setImmediate(() => this.#onSent());
    };
    const onClose = () => {
      pending = 1;
      done();
    };
    duplex.once('close', onClose);
    duplex.cork();
    let at = 0;
    for (let i = 0; i < sizes.length; i++) {
      duplex.write(bytes.subarray(at, at + sizes[i]), done);
      at += sizes[i];
    }
    duplex.uncork();
  }

  #onSent() {
    this.session.sent(0);
    if (!this.duplex.destroyed) this.duplex.resume();
  }
}

// Connects the native session `handle` with `socket`.
function attach(handle, socket) {
  const stream = socket._handle;
  // False for the handle of a TLSSocket.
  if (stream instanceof StreamHandle && handle.attach(stream)) return;
  handle.attachToLib();
  const hasHandle = typeof stream?.readStart === 'function' && typeof stream.write === 'function';
  handle.transport = hasHandle ? new HandleTransport(handle, stream) : new DuplexTransport(handle, socket);
}

module.exports = { attach };
