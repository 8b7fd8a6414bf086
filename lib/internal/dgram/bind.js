'use strict';
// bind(), connect() and their synchronous versions, for dgram.Socket.prototype.

const { FunctionPrototypeCall } = primordials;

const {
  ErrnoException,
  ExceptionWithHostPort,
  codes: {
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_FD_TYPE,
    ERR_IP_BLOCKED,
    ERR_SOCKET_ALREADY_BOUND,
    ERR_SOCKET_BAD_BUFFER_SIZE,
    ERR_SOCKET_BUFFER_SIZE,
    ERR_SOCKET_DGRAM_IS_CONNECTED,
    ERR_SOCKET_DGRAM_NOT_CONNECTED,
  },
  uvErrmapGet,
} = require('internal/errors');
const {
  callWhenBound,
  kBinding,
  kBound,
  kConnected,
  kConnecting,
  kDisconnected,
  kStateSymbol,
  kUnbound,
  runningState,
} = require('internal/dgram/state');
const { asyncIdSymbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { errorMonitor } = require('events');
const { isIP } = require('internal/net');
const { guessHandleType, kEmptyObject } = require('internal/util');
const { isInt32, validateObject, validatePort, validateString } = require('internal/validators');

const { flags: { UV_UDP_IPV6ONLY, UV_UDP_REUSEADDR, UV_UDP_REUSEPORT } } = internalBinding('udp');

// ---- Receiving

function onMessage(size, handle, buffer, rinfo) {
  const socket = handle.owner;
  if (size < 0) {
    socket.emit('error', new ErrnoException(size, 'recvmsg'));
    return;
  }
  const { receiveBlockList } = socket[kStateSymbol];
  if (receiveBlockList?.check(rinfo.address, rinfo.family === 'IPv6' ? 'ipv6' : 'ipv4')) return;
  rinfo.size = buffer.length;
  socket.emit('message', buffer, rinfo);
}

function startReceiving(socket) {
  const state = socket[kStateSymbol];
  state.handle.onmessage = onMessage;
  state.handle.recvStart();
  state.receiving = true;
  state.bindState = kBound;
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, true);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, false);
}

function startListening(socket) {
  startReceiving(socket);
  socket.emit('listening');
}

// Sets the size of a buffer of the kernel, or returns it if `size` is 0.
function bufferSize(socket, size, isReceive) {
  if (size >>> 0 !== size) throw new ERR_SOCKET_BAD_BUFFER_SIZE();
  const result = socket[kStateSymbol].handle.bufferSize(size, isReceive);
  if (result >= 0) return result;
  const { 0: code, 1: message } = uvErrmapGet(result);
  const syscall = isReceive ? 'uv_recv_buffer_size' : 'uv_send_buffer_size';
  throw new ERR_SOCKET_BUFFER_SIZE({ errno: result, code, message, syscall });
}

// ---- bind

function flagsOf(state) {
  return (state.reuseAddr ? UV_UDP_REUSEADDR : 0) |
    (state.ipv6Only ? UV_UDP_IPV6ONLY : 0) |
    (state.reusePort ? UV_UDP_REUSEPORT : 0);
}

function wildcardOf(socket) {
  return socket.type === 'udp4' ? '0.0.0.0' : '::';
}

// Calls `callback` when the socket is bound, and not at all if that fails.
function onceListening(socket, callback) {
  function forget() {
    this.removeListener(errorMonitor, forget);
    this.removeListener('listening', onListening);
  }
  function onListening() {
    FunctionPrototypeCall(forget, this);
    FunctionPrototypeCall(callback, this);
  }
  socket.on(errorMonitor, forget);
  socket.on('listening', onListening);
}

function replaceHandle(socket, handle) {
  const state = socket[kStateSymbol];
  const old = state.handle;
  if (!old.hasRef() && typeof handle.unref === 'function') handle.unref();
  handle.lookup = old.lookup;
  handle.owner = socket;
  old.close();
  state.handle = handle;
}

function bindDescriptor(socket, fd) {
  const type = guessHandleType(fd);
  if (type !== 'UDP') throw new ERR_INVALID_FD_TYPE(type);
  const status = socket[kStateSymbol].handle.open(fd);
  if (status) throw new ErrnoException(status, 'open');
  startListening(socket);
}

function bindAddress(socket, address, port) {
  const state = socket[kStateSymbol];
  state.handle.lookup(address, (error, ip) => {
    if (!state.handle) return; // Closed meanwhile.
    if (!error) {
      const status = state.handle.bind(ip, port || 0, flagsOf(state));
      if (status === 0) return startListening(socket);
      error = new ExceptionWithHostPort(status, 'bind', ip, port);
    }
    state.bindState = kUnbound;
    socket.emit('error', error);
  });
}

function bind(port, address /* , callback */) {
  const state = runningState(this);
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();
  state.bindState = kBinding;
  const callback = arguments.length && arguments[arguments.length - 1];
  if (typeof callback === 'function') onceListening(this, callback);
  if (port === null || typeof port !== 'object') {
    if (typeof address === 'function') address = '';
    bindAddress(this, address || wildcardOf(this), port);
  } else if (typeof port.recvStart === 'function') {
    replaceHandle(this, port);
    startListening(this);
  } else if (isInt32(port.fd) && port.fd > 0) {
    bindDescriptor(this, port.fd);
  } else {
    bindAddress(this, port.address || wildcardOf(this), port.port);
  }
  return this;
}

function emitIfOpen(socket, event) {
  if (socket[kStateSymbol].handle) socket.emit(event);
}

function requireNumericAddress(address, name, caller) {
  validateString(address, name);
  if (isIP(address) !== 0) return;
  throw new ERR_INVALID_ARG_VALUE(name, address,
    `must be a numeric IP address; ${caller} does not perform DNS resolution`);
}

function bindSync(options = kEmptyObject) {
  const state = runningState(this);
  validateObject(options, 'options');
  if (state.bindState !== kUnbound) throw new ERR_SOCKET_ALREADY_BOUND();
  const port = validatePort(options.port ?? 0, 'options.port');
  const address = options.address || wildcardOf(this);
  if (options.address) requireNumericAddress(address, 'options.address', 'bindSync');
  const status = state.handle.bind(address, port, flagsOf(state));
  if (status) throw new ExceptionWithHostPort(status, 'bind', address, port);
  startReceiving(this);
  process.nextTick(emitIfOpen, this, 'listening');
  return this.address();
}

// ---- connect

// Returns an error, or null.
function connectHandle(state, ip, address, port) {
  if (state.blocksSendingTo(ip)) return new ERR_IP_BLOCKED(ip);
  const status = state.handle.connect(ip, port);
  return status ? new ExceptionWithHostPort(status, 'connect', address, port) : null;
}

function finishConnect(socket, error, ip, address, port, callback) {
  const state = socket[kStateSymbol];
  if (!state.handle) return;
  error = error || connectHandle(state, ip, address, port);
  state.connectState = error ? kDisconnected : kConnected;
  if (!error) {
    process.nextTick(() => socket.emit('connect'));
    return;
  }
  process.nextTick(() => {
    if (!callback) return socket.emit('error', error);
    socket.removeListener('connect', callback);
    callback(error);
  });
}

function startConnect(socket, port, address, callback) {
  if (callback) socket.once('connect', callback);
  socket[kStateSymbol].handle.lookup(address, (error, ip) => {
    defaultTriggerAsyncIdScope(socket[asyncIdSymbol], finishConnect, socket, error, ip, address, port, callback);
  });
}

function connect(port, address, callback) {
  port = validatePort(port, 'Port', false);
  if (typeof address === 'function') {
    callback = address;
    address = '';
  } else if (address === undefined) {
    address = '';
  }
  validateString(address, 'address');
  const state = this[kStateSymbol];
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = kConnecting;
  if (state.bindState === kUnbound) this.bind({ port: 0, exclusive: true }, null);
  if (state.bindState === kBound) {
    startConnect(this, port, address, callback);
  } else {
    callWhenBound(this, () => startConnect(this, port, address, callback));
  }
}

function connectSync(port, address) {
  const state = runningState(this);
  port = validatePort(port, 'Port', false);
  if (state.connectState !== kDisconnected) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  if (address == null || address === '') {
    address = this.type === 'udp4' ? '127.0.0.1' : '::1';
  } else {
    requireNumericAddress(address, 'address', 'connectSync');
  }
  if (state.bindState === kUnbound) {
    this.bindSync();
  } else if (state.bindState !== kBound) {
    throw new ERR_SOCKET_ALREADY_BOUND();
  }
  const error = connectHandle(state, address, address, port);
  if (error !== null) throw error;
  state.connectState = kConnected;
  process.nextTick(emitIfOpen, this, 'connect');
}

function disconnect() {
  const state = this[kStateSymbol];
  if (state.connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
  const status = state.handle.disconnect();
  if (status) throw new ErrnoException(status, 'connect');
  state.connectState = kDisconnected;
}

module.exports = { bind, bindSync, bufferSize, connect, connectSync, disconnect };
