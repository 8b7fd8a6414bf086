'use strict';
// The stream of an 'upgrade' or 'connect' event whose request still has a body: data after that body comes out of it.

const { Duplex } = require('stream');

class UpgradeStream extends Duplex {
  #socket;
  #request;

  constructor(socket, request) {
    super({ allowHalfOpen: socket.allowHalfOpen });
    this.#socket = socket;
    this.#request = request;
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
    this.on('close', () => socket.destroy());
    socket.on('end', () => {
      this.push(null);
      // 'end' comes even if the program does not read, as it does for a socket.
      if (this.readableLength === 0) this.resume();
    });
  }

  // The body of the request has ended; `head` is what has arrived after it.
  requestBodyCompleted(head) {
    this.#request = null;
    if (head?.length > 0) this.#deliver(head);
    this.#socket.on('data', (data) => this.#deliver(data));
  }

  #deliver(data) {
    if (!this.push(data)) this.#socket.pause();
  }

  _read() {
    // The body must be read first, but the program may ignore it.
    this.#request?.resume();
    this.#socket.resume();
  }

  _write(chunk, encoding, callback) {
    this.#socket.write(chunk, encoding, callback);
  }

  _final(callback) {
    this.#socket.end(callback);
  }

  _destroy(error, callback) {
    this.#socket.destroy(error);
    callback(error);
  }
}

module.exports = { UpgradeStream };
