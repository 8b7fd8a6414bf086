'use strict';

// A server whose connections were sent to child processes. It counts these, too, and closes after them. Each child
// keeps a list of the sockets it received from each server, and answers requests about it
// (internal/child_process/handles).

const { ArrayPrototypeIndexOf, ArrayPrototypePush, ArrayPrototypeSplice, SafeMap, Symbol } = primordials;

const {
  codes: { ERR_CHILD_CLOSED_BEFORE_REPLY },
} = require('internal/errors');

const kKey = Symbol('kKey');
const kLists = Symbol('kLists');

// The sockets of one server that were sent to one child.
class SocketList {
  constructor(child, key) {
    this.child = child;
    this.key = key;
  }

  #request(question, reply, callback) {
    const { child, key } = this;
    if (!child.connected) {
      process.nextTick(callback, new ERR_CHILD_CLOSED_BEFORE_REPLY());
      return;
    }
    const stop = () => {
      child.removeListener('internalMessage', onReply);
      child.removeListener('disconnect', onEnd);
      child.removeListener('exit', onEnd);
    };
    const onEnd = () => {
      stop();
      callback(new ERR_CHILD_CLOSED_BEFORE_REPLY());
    };
    const onReply = (message) => {
      if (message.cmd !== reply || message.key !== key) return;
      stop();
      callback(null, message.count);
    };
    child.once('disconnect', onEnd);
    child.once('exit', onEnd);
    child.on('internalMessage', onReply);
    child._send({ cmd: question, key }, undefined, true);
  }

  getConnections(callback) {
    this.#request('NODE_SOCKET_GET_COUNT', 'NODE_SOCKET_COUNT', callback);
  }

  // Calls back when the child has closed all of its sockets.
  close(callback) {
    this.#request('NODE_SOCKET_NOTIFY_CLOSE', 'NODE_SOCKET_ALL_CLOSED', callback);
  }
}

// Returns the name of the server in messages. Not _connectionKey, which is the same for all servers that listen on port
// 0.
let lastKey = 0;
function keyOf(server) {
  server[kKey] ??= `${++lastKey}`;
  return server[kKey];
}

// Registers that a connection of `server` is being sent to `child`. Returns the key of the server.
function share(server, child) {
  const key = keyOf(server);
  child[kLists] ??= new SafeMap();
  if (child[kLists].has(key)) return key;
  const list = new SocketList(child, key);
  child[kLists].set(key, list);
  server._usingWorkers = true;
  ArrayPrototypePush(server._workers, list);
  child.once('exit', () => {
    const index = ArrayPrototypeIndexOf(server._workers, list);
    if (index !== -1) ArrayPrototypeSplice(server._workers, index, 1);
  });
  return key;
}

// Sends a request to each child of the server, and calls `done` when all have answered.
function requestAll(server, request, done) {
  let left = server._workers.length;
  if (left === 0) {
    process.nextTick(done);
    return;
  }
  for (let i = 0; i < server._workers.length; i++) {
    request(server._workers[i], () => {
      if (--left === 0) done();
    });
  }
}

function getConnections(server, callback) {
  let total = server._connections;
  let failure = null;
  requestAll(server, (list, answered) => list.getConnections((error, count) => {
    if (error !== null) failure ??= error;
    else total += count;
    answered();
  }), () => (failure === null ? callback(null, total) : callback(failure)));
  return server;
}

function closeWhenDrained(server) {
  // Count one more connection, so that the server is not considered drained meanwhile.
  server._connections++;
  requestAll(server, (list, answered) => list.close(answered), () => {
    server._connections--;
    server._emitCloseIfDrained();
  });
  return server;
}

module.exports = { closeWhenDrained, getConnections, share };
