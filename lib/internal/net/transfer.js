'use strict';
// Sockets and servers of TCP that move to another thread in a transfer list. Their descriptor is taken out of the
// handle, which is closed, and becomes a new handle on the other side.

const {
  codes: { ERR_WORKER_HANDLE_NOT_TRANSFERABLE },
} = require('internal/errors');
const { ServerHandle } = require('internal/net/server_handle');
const { StreamHandle, kTcp } = require('internal/net/stream_handle');

const id = 'internal/net/transfer';

function isTcpServer(handle) {
  return handle instanceof ServerHandle && !handle.isPipe;
}

// Nothing may have been read or written: it would be lost, or come twice.
function checkSocket(socket) {
  const handle = socket._handle;
  if (!(handle instanceof StreamHandle) || handle.kind !== kTcp || handle.fd < 0 || socket.destroyed ||
      socket.connecting ||
      socket.bytesRead > 0 || socket.bytesWritten > 0 || socket.readableLength > 0 || socket.writableLength > 0 ||
      (socket.readableEncoding !== null && socket.readableEncoding !== undefined)) {
    throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Socket');
  }
}

function moveSocket(socket) {
  checkSocket(socket);
  const handle = socket._handle;
  const { allowHalfOpen } = socket;
  socket._handle = null;
  socket.destroy();
  return { id, data: { type: 'Socket', allowHalfOpen }, fd: handle.release() };
}

function checkServer(server) {
  if (!isTcpServer(server._handle)) throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.Server');
}

function moveServer(server) {
  checkServer(server);
  const fd = server._handle.release();
  server._handle = null;
  const { allowHalfOpen, pauseOnConnect, noDelay, keepAlive, keepAliveInitialDelay, highWaterMark } = server;
  const options = {
    allowHalfOpen, pauseOnConnect, noDelay, keepAlive, keepAliveInitialDelay: keepAliveInitialDelay * 1000,
    highWaterMark,
  };
  return { id, data: { type: 'Server', options }, fd };
}

function checkBound(handle) {
  if (!isTcpServer(handle)) throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('net.BoundSocket');
}

function moveBound(handle) {
  checkBound(handle);
  return { id, data: { type: 'BoundSocket' }, fd: handle.release() };
}

function serverHandleOf(fd) {
  const handle = new ServerHandle(false);
  handle.open(fd);
  return handle;
}

// On the receiving side: creates the transferred object from its descriptor.
function readClone({ type, allowHalfOpen, options }, fd) {
  const net = require('net');
  if (type === 'Socket') {
    const handle = new StreamHandle(kTcp);
    handle.open(fd);
    return new net.Socket({ handle, allowHalfOpen, manualStart: true });
  }
  if (type === 'Server') return new net.Server(options).listen(serverHandleOf(fd));
  return require('internal/net/bound_socket').fromHandle(serverHandleOf(fd));
}

module.exports = { checkBound, checkServer, checkSocket, moveBound, moveServer, moveSocket, readClone };
