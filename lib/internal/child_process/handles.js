'use strict';

// Transfer of sockets and servers between processes. The descriptor is sent with a message that contains its type and
// the key of the sender's server to which it belongs.

const { SafeMap, Symbol } = primordials;

const {
  codes: { ERR_INVALID_HANDLE_TYPE },
} = require('internal/errors');

const kReceived = Symbol('kReceived');

function nothing() {}

// Returns the type of a handle in messages; throws for values that cannot be sent.
function typeOf(handle) {
  const net = require('net');
  if (handle instanceof net.Socket) return 'net.Socket';
  if (handle instanceof net.Server) return 'net.Server';
  const { StreamHandle } = require('internal/net/stream_handle');
  const { ServerHandle } = require('internal/net/server_handle');
  if (handle instanceof StreamHandle || handle instanceof ServerHandle) return 'net.Native';
  throw new ERR_INVALID_HANDLE_TYPE();
}

// Removes the handle from a socket that now belongs to another process.
function detach(socket, handle) {
  handle.readStop();
  handle.onread = nothing;
  socket._handle = null;
  socket.setTimeout(0);
  if (socket.server) socket.server._connections--;
}

// Returns { fd, key, closes, close() }: the descriptor to send, the server of this process to which it belongs, and
// whether to close it after it has arrived. Undefined for a closed handle: the message is sent without it.
function pack(target, value, type, options) {
  const handle = type === 'net.Native' ? value : value._handle;
  if (!handle || handle.fd < 0) return undefined;
  const closes = type === 'net.Socket' && !options.keepOpen;
  const parcel = { fd: handle.fd, key: undefined, closes, close() { handle.close(); } };
  if (type === 'net.Socket' && value.server && target !== process) {
    parcel.key = require('internal/child_process/shared_server').share(value.server, target);
  }
  if (closes) detach(value, handle);
  return parcel;
}

// Tracks a socket from a server of the other process, which requests the number of open sockets and waits until all are
// closed.
function track(target, key, socket) {
  target[kReceived] ??= new SafeMap();
  const lists = target[kReceived];
  let list = lists.get(key);
  if (list === undefined) {
    list = { count: 0, isAwaited: false };
    lists.set(key, list);
  }
  list.count++;
  socket.once('close', () => {
    if (--list.count === 0 && list.isAwaited) reportClosed(target, key, list);
  });
}

function reportClosed(target, key, list) {
  list.isAwaited = false;
  if (target.connected) target._send({ cmd: 'NODE_SOCKET_ALL_CLOSED', key }, undefined, true);
}

// Answers such requests of a server.
function answer(target, { cmd, key }) {
  const list = target[kReceived]?.get(key);
  if (list === undefined) return;
  if (cmd === 'NODE_SOCKET_GET_COUNT') {
    if (target.connected) target._send({ cmd: 'NODE_SOCKET_COUNT', key, count: list.count }, undefined, true);
  } else if (cmd === 'NODE_SOCKET_NOTIFY_CLOSE') {
    list.isAwaited = true;
    if (list.count === 0) reportClosed(target, key, list);
  }
}

// Creates the socket or server from the received descriptor, and passes it to `emit`.
function receive(target, message, fd, emit) {
  const net = require('net');
  switch (message.type) {
    case 'net.Socket': {
      const socket = new net.Socket({ fd, readable: true, writable: true });
      if (message.key) track(target, message.key, socket);
      emit(socket);
      break;
    }
    case 'net.Server': {
      const server = new net.Server();
      server.listen({ fd }, () => emit(server));
      break;
    }
    case 'net.Native':
      emit(openNative(fd));
      break;
    default:
      // Unknown type: close the descriptor, because it has no owner.
      internalBinding('child_process').closeDescriptor(fd);
      emit(undefined);
  }
}

function openNative(fd) {
  const { StreamHandle, guessHandleType, kPipe, kTcp } = require('internal/net/stream_handle');
  const handle = new StreamHandle(guessHandleType(fd) === 'TCP' ? kTcp : kPipe);
  handle.open(fd);
  return handle;
}

module.exports = { answer, pack, receive, typeOf };
