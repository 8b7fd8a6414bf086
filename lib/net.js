'use strict';
// The module `net`.

const { isIP, isIPv4, isIPv6 } = require('internal/net');
const {
  getDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  normalizeArgs,
  setDefaultAutoSelectFamily,
  setDefaultAutoSelectFamilyAttemptTimeout,
} = require('internal/net/arguments');
const { Socket } = require('internal/net/socket_details');
const { Server, bindHandle } = require('internal/net/server');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const { 0: options } = normalized;
  const socket = new Socket(options);
  // A signal may have been aborted before: connect() would bring the socket back to life.
  if (socket.destroyed) return socket;
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

module.exports = {
  _createServerHandle: bindHandle,
  _normalizeArgs: normalizeArgs,
  get _TransferredBoundSocket() { return require('internal/net/bound_socket')._TransferredBoundSocket; },
  get BlockList() { return require('internal/net/blocklist').BlockList; },
  get SocketAddress() { return require('internal/net/socket_address').SocketAddress; },
  get BoundSocket() { return require('internal/net/bound_socket').BoundSocket; },
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily,
  setDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
};
