'use strict';
// net.Socket: a Duplex around a StreamHandle. Addresses and timers are in socket_details.js, connecting in connect.js.

const {
  ArrayIsArray,
  Boolean,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  TypedArrayPrototypeGetSymbolToStringTag,
} = primordials;

const { Duplex } = require('stream');
const {
  codes: {
    ERR_INVALID_HANDLE_TYPE,
    ERR_SOCKET_CLOSED,
    ERR_SOCKET_CLOSED_BEFORE_CONNECTION,
  },
  errnoException,
  genericNodeError,
} = require('internal/errors');
const { asyncIdSymbol } = require('internal/async_hooks');
const { callAfterWrite } = require('internal/streams/write_queue');
const { clearTimeout } = require('internal/timers');
const { isUint8Array } = require('internal/util/types');
const { StreamHandle, kEOF, kPipe, kQueued, kSent, kTcp } = require('internal/net/stream_handle');
const { normalizeArgs, normalizedArgsSymbol } = require('internal/net/arguments');
const { handleOfDescriptor, readOptions } = require('internal/net/socket_options');
const {
  kBoundPath,
  kBoundSource,
  kBuffer,
  kBufferCb,
  kBufferGen,
  kBytesRead,
  kBytesWritten,
  kLastWriteQueueSize,
  kSendStatus,
  kSetKeepAlive,
  kSetKeepAliveInitialDelay,
  kSetNoDelay,
  kTimeout,
  kTypeOfService,
} = require('internal/net/symbols');
const { channel } = require('diagnostics_channel');

const clientSockets = channel('net.client.socket');

const { UV_ENOTCONN } = internalBinding('uv');

const streamPush = Duplex.prototype.push;
const streamWrite = Duplex.prototype.write;
const streamEnd = Duplex.prototype.end;
const streamPause = Duplex.prototype.pause;
const streamResume = Duplex.prototype.resume;
const streamRead = Duplex.prototype.read;

function nothing() {}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  options = readOptions(options);

  this.connecting = false;
  this._hadError = false;
  this._handle = null;
  this._parent = null;
  this._host = null;
  this[kLastWriteQueueSize] = 0;
  this[kTimeout] = null;
  this[kBuffer] = null;
  this[kBufferCb] = null;
  this[kBufferGen] = null;
  this[kSendStatus] = kSent;
  this[asyncIdSymbol] = -1;
  FunctionPrototypeCall(Duplex, this, options);

  if (options.handle) {
    this._handle = options.handle;
    if (options.isBound) {
      this[kBoundSource] = true;
      if (options.boundPath !== undefined) this[kBoundPath] = options.boundPath;
    }
  } else if (options.fd !== undefined) {
    this._handle = handleOfDescriptor(options.fd);
    const status = this._handle.open(options.fd);
    if (status !== 0) throw errnoException(status, 'open');
  }

  const { onread } = options;
  if (onread !== null && typeof onread === 'object' &&
      (isUint8Array(onread.buffer) || typeof onread.buffer === 'function') &&
      typeof onread.callback === 'function') {
    if (typeof onread.buffer === 'function') {
      this[kBuffer] = true;
      this[kBufferGen] = onread.buffer;
    } else {
      this[kBuffer] = onread.buffer;
    }
    this[kBufferCb] = onread.callback;
  }

  if (options.blockList) this.blockList = options.blockList;
  if (options.typeOfService !== undefined) this[kTypeOfService] = options.typeOfService;
  this[kSetNoDelay] = Boolean(options.noDelay);
  this[kSetKeepAlive] = Boolean(options.keepAlive);
  this[kSetKeepAliveInitialDelay] = ~~(options.keepAliveInitialDelay / 1000);

  this.on('end', onReadableStreamEnd);
  this._adoptHandle();

  this._sockname = null;
  this._pendingData = null;
  this._pendingEncoding = '';
  this.server = null;
  this._server = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;

  if (this._handle !== null && options.readable !== false && !options.isBound) {
    if (options.pauseOnCreate) {
      this._handle.readStop();
      this._readableState.flowing = false;
    } else if (!options.manualStart) {
      this.read(0);
    }
  }
}
ObjectSetPrototypeOf(Socket.prototype, Duplex.prototype);
ObjectSetPrototypeOf(Socket, Duplex);

// Takes over the handle, so that its data is delivered to this socket.
Socket.prototype._adoptHandle = function() {
  const handle = this._handle;
  if (handle === null || !(handle instanceof StreamHandle)) return;
  handle.owner = this;
  handle.onread = onStreamRead;
  this[asyncIdSymbol] = handle.asyncId;
  let buffer = this[kBuffer];
  if (buffer === null) return;
  if (this[kBufferGen] !== null) {
    buffer = this[kBufferGen]();
    if (!isUint8Array(buffer)) return;
    this[kBuffer] = buffer;
  }
  handle.readInto(buffer);
};

// For another attempt, after one that failed.
Socket.prototype._replaceHandle = function(handle) {
  const old = this._handle;
  this._handle = handle;
  if (old !== null) {
    old.onread = nothing;
    if (!old.hasRef()) handle.unref();
    old.close();
  }
  this._adoptHandle();
};

Socket.prototype._startReading = function() {
  const handle = this._handle;
  if (handle.reading) return;
  const status = handle.readStart();
  // Handles that programs made may return nothing.
  if (status) this.destroy(errnoException(status, 'read'));
};

// Data arrived for a socket that reads into the program's buffer (the option `onread`).
function readIntoBuffer(socket, handle, size) {
  const goesOn = socket[kBufferCb](size, socket[kBuffer]);
  if (socket._handle !== handle) return;
  if (socket[kBufferGen] !== null) {
    const next = socket[kBufferGen]();
    if (isUint8Array(next)) {
      socket[kBuffer] = next;
      handle.readInto(next);
    }
  }
  if (goesOn === false) handle.readStop();
}

function onStreamRead(handle, size, chunk) {
  const socket = handle.owner;
  if (socket[kTimeout] !== null || socket._parent !== null) socket._unrefTimer();
  if (size > 0) {
    if (chunk === undefined) {
      readIntoBuffer(socket, handle, size);
      return;
    }
    const state = socket._readableState;
    // Fast path of push() for a flowing stream with an empty buffer and a listener for 'data'. The handle keeps reading
    // by itself, so the tick in which push() would request more data is not needed.
    if (state.flowing === true && state.length === 0 && state.decoder === null && state.awaitDrainWriters === null &&
        state.errored === null && socket._events.data !== undefined && socket.push === streamPush && !state.sync &&
        !state.ended && !state.destroyed) {
      state.dataEmitted = true;
      socket.emit('data', chunk);
      return;
    }
    if (!socket.push(chunk) && handle.reading) handle.readStop();
    return;
  }
  if (size !== kEOF) {
    socket.destroy(errnoException(size, 'read'));
    return;
  }
  if (socket._readableState.endEmitted) return;
  socket.push(null);
  socket.read(0);
}

function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
}

// The other side has ended, and so have we: says so more plainly than the stream would.
function writeAfterFIN(chunk, encoding, callback) {
  if (!this.writableEnded) return FunctionPrototypeCall(Socket.prototype.write, this, chunk, encoding, callback);
  if (typeof encoding === 'function') callback = encoding;
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  if (typeof callback === 'function') process.nextTick(callback, error);
  this.destroy(error);
  return false;
}

Socket.prototype._read = function(size) {
  if (this.connecting || this._handle === null) {
    this.once('connect', () => this._read(size));
  } else if (!this._handle.reading) {
    this._startReading();
  }
};

Socket.prototype.end = function(data, encoding, callback) {
  FunctionPrototypeCall(streamEnd, this, data, encoding, callback);
  return this;
};

function isReadByBuffer(socket) {
  return socket[kBuffer] !== null && !socket.connecting && socket._handle !== null;
}

Socket.prototype.pause = function() {
  if (isReadByBuffer(this) && this._handle.reading && !this.destroyed) this._handle.readStop();
  return FunctionPrototypeCall(streamPause, this);
};

Socket.prototype.resume = function() {
  if (isReadByBuffer(this) && !this._handle.reading) this._startReading();
  return FunctionPrototypeCall(streamResume, this);
};

Socket.prototype.read = function(size) {
  if (isReadByBuffer(this) && !this._handle.reading) this._startReading();
  return FunctionPrototypeCall(streamRead, this, size);
};

function isTextToSend(chunk, encoding, state) {
  if (typeof chunk !== 'string') return false;
  return encoding === 'utf8' || encoding === 'latin1' ||
    ((encoding === undefined || encoding === null) && state.defaultEncoding === 'utf8');
}

// Fast path: a chunk that the kernel takes at once, with nothing queued before it. Everything else, and a chunk of
// which the kernel took less or nothing, goes through Writable.
Socket.prototype.write = function(chunk, encoding, callback) {
  const state = this._writableState;
  const handle = this._handle;
  if (state.length !== 0 || handle === null || this.connecting || state.ending || state.corked !== 0 ||
      state.errored !== null || state.destroyed || state.writing || this._write !== socketWrite ||
      typeof encoding === 'function' || !(handle instanceof StreamHandle) || handle.held !== null) {
    return FunctionPrototypeCall(streamWrite, this, chunk, encoding, callback);
  }
  const isText = isTextToSend(chunk, encoding, state);
  if ((!isText && TypedArrayPrototypeGetSymbolToStringTag(chunk) !== 'Uint8Array') || chunk.length === 0) {
    return FunctionPrototypeCall(streamWrite, this, chunk, encoding, callback);
  }
  if (this[kTimeout] !== null || this._parent !== null) this._unrefTimer();
  const status = handle.send(chunk, isText && encoding === 'latin1');
  if (status === kSent) {
    if (typeof callback === 'function') {
      state.pendingcb++;
      callAfterWrite(this, state, callback);
    }
    return true;
  }
  // Writable counts the chunk until its callback: _writeGeneric() gets it at once, and must not send it again.
  this[kSendStatus] = status;
  return FunctionPrototypeCall(streamWrite, this, chunk, encoding, callback);
};

function sizeOfChunk(chunk, encoding) {
  return typeof chunk === 'string' ? require('buffer').Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function sizeOfWrite(isMany, data, encoding) {
  if (!isMany) return sizeOfChunk(data, encoding);
  let size = 0;
  for (let i = 0; i < data.length; i++) {
    size += data.allBuffers ? data[i].byteLength : sizeOfChunk(data[i].chunk, data[i].encoding);
  }
  return size;
}

Socket.prototype._writeGeneric = function(isMany, data, encoding, callback) {
  if (this.connecting) {
    this._pendingData = data;
    this._pendingEncoding = encoding;
    const onClose = () => callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    this.once('connect', () => {
      this.removeListener('close', onClose);
      this._writeGeneric(isMany, data, encoding, callback);
    });
    this.once('close', onClose);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = '';
  const handle = this._handle;
  if (handle === null) {
    callback(new ERR_SOCKET_CLOSED());
    return false;
  }
  this._unrefTimer();
  const onWritten = (status, reason) => onWriteComplete(this, status, callback, reason);
  let status = this[kSendStatus];
  if (status !== kSent) {
    this[kSendStatus] = kSent;
    handle.awaitWrite(status, onWritten);
  } else if (isMany) {
    status = handle.writev(data, data.allBuffers, onWritten);
  } else {
    status = handle.write(data, encoding, onWritten);
  }
  if (status === kSent) {
    callback();
  } else if (status === kQueued) {
    this[kLastWriteQueueSize] = sizeOfWrite(isMany, data, encoding);
  } else {
    callback(errnoException(status, 'write'));
  }
};

function onWriteComplete(socket, status, callback, reason) {
  if (status < 0) {
    callback(errnoException(status, 'write', reason));
    return;
  }
  if (socket.destroyed) {
    callback(null);
    return;
  }
  socket._unrefTimer();
  socket[kLastWriteQueueSize] = 0;
  callback();
}

Socket.prototype._writev = function(chunks, callback) {
  this._writeGeneric(true, chunks, '', callback);
};

function socketWrite(data, encoding, callback) {
  this._writeGeneric(false, data, encoding, callback);
}
Socket.prototype._write = socketWrite;

Socket.prototype._final = function(callback) {
  if (this.connecting) {
    this.once('connect', () => this._final(callback));
    return;
  }
  if (this._handle === null) {
    callback();
    return;
  }
  // The result does not matter: if the connection is lost, reading or writing will report that. The socket may also
  // have been destroyed and connected again.
  const status = this._handle.shutdown(() => callback());
  if (status === 0) return;
  callback(status === UV_ENOTCONN ? undefined : errnoException(status, 'shutdown'));
};

Socket.prototype.destroySoon = function() {
  if (this.writable) this.end();
  if (this.writableFinished) {
    this.destroy();
  } else {
    this.once('finish', this.destroy);
  }
};

Socket.prototype._reset = function() {
  this.resetAndClosing = true;
  return this.destroy();
};

Socket.prototype.resetAndDestroy = function() {
  if (this._handle === null) {
    this.destroy(new ERR_SOCKET_CLOSED());
    return this;
  }
  if (this._handle.kind !== kTcp) throw new ERR_INVALID_HANDLE_TYPE();
  if (this.connecting) {
    this.once('connect', () => this._reset());
  } else {
    this._reset();
  }
  return this;
};

function emitCloseNT(socket) {
  socket.emit('close');
}

Socket.prototype._destroy = function(exception, callback) {
  this.connecting = false;
  for (let socket = this; socket !== null && socket !== undefined; socket = socket._parent) {
    clearTimeout(socket[kTimeout]);
  }
  const handle = this._handle;
  if (handle !== null) {
    const hadError = Boolean(exception);
    if (handle.held) handle.sendHeld();
    this[kBytesRead] = handle.bytesRead;
    this[kBytesWritten] = handle.bytesWritten;
    const onClosed = () => this.emit('close', hadError);
    if (this.resetAndClosing) {
      this.resetAndClosing = false;
      handle.closeReset(onClosed);
    } else {
      handle.close(onClosed);
    }
    handle.onread = nothing;
    this._handle = null;
    this._sockname = null;
    callback(exception);
  } else {
    callback(exception);
    process.nextTick(emitCloseNT, this);
  }
  if (this._server !== null) {
    this._server._connections--;
    this._server._emitCloseIfDrained?.();
  }
};

Socket.prototype.connect = function(...args) {
  const normalized = ArrayIsArray(args[0]) && args[0][normalizedArgsSymbol] ? args[0] : normalizeArgs(args);
  const { 0: options, 1: callback } = normalized;
  if (clientSockets.hasSubscribers) clientSockets.publish({ socket: this });
  const { checkTarget, connectToHost, connectToPath } = require('internal/net/connect');
  checkTarget(options);
  if (this.write === writeAfterFIN) this.write = Socket.prototype.write;
  if (this.destroyed) {
    this._undestroy();
    this._handle = null;
    this._peername = undefined;
    this._sockname = undefined;
  }
  const { path } = options;
  // The socket of a net.BoundSocket is of one kind, whatever the options say.
  const isPipe = this[kBoundSource] && this._handle !== null ? this._handle.kind === kPipe : Boolean(path);
  if (this._handle === null) {
    this._handle = new StreamHandle(isPipe ? kPipe : kTcp);
    this._adoptHandle();
  }
  if (callback !== null) this.once('connect', callback);
  this._unrefTimer();
  this.connecting = true;
  if (isPipe) {
    connectToPath(this, path);
  } else {
    connectToHost(this, options);
  }
  return this;
};

ObjectDefineProperty(Socket, 'name', { __proto__: null, value: 'Socket', configurable: true });

module.exports = { Socket };
