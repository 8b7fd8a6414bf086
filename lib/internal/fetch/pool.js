'use strict';
// The connections to one origin. Requests that are made in one turn of the loop start in its check phase: by then
// everything has been read that an idle connection had received, so that the end of a connection is noticed and an
// unrequested response is not taken for that of the next request. As in undici, the number of connections has no limit.

const { ArrayPrototypeIndexOf, ArrayPrototypePop, ArrayPrototypePush, ArrayPrototypeSplice, SafeSet,
  StringPrototypeSlice } = primordials;

const { clearInterval, setImmediate, setInterval } = require('timers');
const { now } = internalBinding('timers');
const { Connection } = require('internal/fetch/connection');
const { internals: { buildConnector } } = require('vendor/undici');

// The interval at which deadlines are checked, in milliseconds.
const kSweepInterval = 1000;

const connect = buildConnector({ allowH2: false });

class Pool {
  constructor(url, onEmpty) {
    this.onEmpty = onEmpty;
    this.target = {
      host: url.host,
      hostname: url.hostname[0] === '[' ? StringPrototypeSlice(url.hostname, 1, -1) : url.hostname,
      protocol: url.protocol,
      port: url.port,
    };
    this.all = new SafeSet();
    this.idle = [];
    this.waiting = [];
    this.flush = () => this.startWaiting();
    this.sweeper = undefined;
  }

  add(request) {
    if (this.waiting.length === 0) setImmediate(this.flush);
    ArrayPrototypePush(this.waiting, request);
  }

  startWaiting() {
    const requests = this.waiting;
    this.waiting = [];
    for (let i = 0; i < requests.length; i++) {
      const connection = ArrayPrototypePop(this.idle);
      if (connection === undefined) {
        this.connect(requests[i]);
      } else {
        connection.start(requests[i]);
      }
    }
  }

  connect(request) {
    const socket = connect(this.target, (error) => {
      if (error !== null) {
        this.checkEmpty();
        request.onError(error);
        return;
      }
      const connection = new Connection(this, socket);
      this.all.add(connection);
      this.sweeper ??= setInterval(() => this.sweep(), kSweepInterval).unref();
      connection.open();
      connection.start(request);
    });
  }

  release(connection) {
    ArrayPrototypePush(this.idle, connection);
  }

  remove(connection) {
    this.all.delete(connection);
    const index = ArrayPrototypeIndexOf(this.idle, connection);
    if (index !== -1) ArrayPrototypeSplice(this.idle, index, 1);
    this.checkEmpty();
  }

  checkEmpty() {
    if (this.all.size > 0) return;
    clearInterval(this.sweeper);
    this.sweeper = undefined;
    if (this.waiting.length === 0) this.onEmpty();
  }

  // Closes the connections: those with requests only if there is an error.
  end(error) {
    for (const connection of this.all) {
      if (connection.request === null) {
        connection.close();
      } else if (error) {
        connection.fail(error);
      }
    }
  }

  sweep() {
    const time = now();
    for (const connection of this.all) {
      if (time >= connection.deadline) connection.onDeadline();
    }
  }
}

module.exports = { Pool };
