'use strict';
// The rest of net.Socket: time-outs, options of the system, addresses, counters.

const {
  ArrayIsArray,
  Boolean,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  SafeArrayIterator,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE }, errnoException } = require('internal/errors');
const { Timeout, clearTimeout, insertNew, restart } = require('internal/timers');
const { getTimerDuration } = require('internal/timers/duration');
const { validateFunction, validateInt32 } = require('internal/validators');
const { Socket } = require('internal/net/socket');
const { kCheckTransfer, kTransfer, registerMovable } = require('internal/structured_clone');
const { kTcp } = require('internal/net/stream_handle');
const {
  kBoundPath,
  kBytesRead,
  kBytesWritten,
  kLastWriteQueueSize,
  kSetKeepAlive,
  kSetKeepAliveCount,
  kSetKeepAliveInitialDelay,
  kSetKeepAliveInterval,
  kSetNoDelay,
  kTimeout,
  kTypeOfService,
} = require('internal/net/symbols');

const { prototype } = Socket;

prototype._unrefTimer = function() {
  for (let socket = this; socket !== null && socket !== undefined; socket = socket._parent) {
    if (socket[kTimeout]) socket[kTimeout].refresh();
  }
};

function onTimeout(socket) {
  socket._onTimeout();
}

prototype.setTimeout = function(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  msecs = getTimerDuration(msecs, 'msecs');
  clearTimeout(this[kTimeout]);
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (msecs === 0) {
    if (callback !== undefined) this.removeListener('timeout', callback);
  } else {
    if (!this[kTimeout] || !restart(this[kTimeout], onTimeout, msecs)) {
      this[kTimeout] = new Timeout(onTimeout, msecs, [this], false, false);
      insertNew(this[kTimeout]);
    }
    if (callback !== undefined) this.once('timeout', callback);
  }
  return this;
};

prototype._onTimeout = function() {
  const handle = this._handle;
  const before = this[kLastWriteQueueSize];
  // A write that the peer takes slowly is no silence. As in Node, the first comparison is with the size of the whole
  // write, so a part of it that was sent at once counts.
  if (before > 0 && handle) {
    const { writeQueueSize } = handle;
    if (before !== writeQueueSize) {
      this[kLastWriteQueueSize] = writeQueueSize;
      this._unrefTimer();
      return;
    }
  }
  this.emit('timeout');
};

// True if the handle supports this TCP option. Handles made by the program have no kind: look for the method instead.
function hasOption(handle, name) {
  return handle.kind === kTcp || (handle.kind === undefined && Boolean(handle[name]));
}

// Socket options are remembered as well, to be applied once the socket connects.
prototype.setNoDelay = function(enable) {
  enable = Boolean(enable === undefined ? true : enable);
  if (!this._handle) {
    this[kSetNoDelay] = enable;
    return this;
  }
  if (enable !== this[kSetNoDelay] && hasOption(this._handle, 'setNoDelay')) {
    this[kSetNoDelay] = enable;
    if (!this.connecting) this._handle.setNoDelay(enable);
  }
  return this;
};

prototype.setKeepAlive = function(enable, initialDelayMsecs, intervalMsecs, count) {
  if (enable !== null && typeof enable === 'object') {
    ({ enable, initialDelay: initialDelayMsecs, interval: intervalMsecs, count } = enable);
  }
  enable = Boolean(enable);
  const delay = ~~(initialDelayMsecs / 1000);
  const interval = intervalMsecs === undefined ? undefined : ~~(intervalMsecs / 1000);
  if (this._handle && !hasOption(this._handle, 'setKeepAlive')) return this;
  const isNew = enable !== this[kSetKeepAlive] || (enable && (this[kSetKeepAliveInitialDelay] !== delay ||
      this[kSetKeepAliveInterval] !== interval || this[kSetKeepAliveCount] !== count));
  this[kSetKeepAlive] = enable;
  this[kSetKeepAliveInitialDelay] = delay;
  this[kSetKeepAliveInterval] = interval;
  this[kSetKeepAliveCount] = count;
  if (isNew && this._handle && !this.connecting) this._handle.setKeepAlive(enable, delay, interval, count);
  return this;
};

prototype.setTypeOfService = function(tos) {
  if (NumberIsNaN(tos)) throw new ERR_INVALID_ARG_TYPE('tos', 'number', tos);
  validateInt32(tos, 'tos', 0, 255);
  const isNew = this[kTypeOfService] !== tos;
  this[kTypeOfService] = tos;
  if (!isNew || !this._handle || this._handle.kind !== kTcp || this.connecting) return this;
  const status = this._handle.setTypeOfService(tos);
  if (status !== 0) throw errnoException(status, 'setTypeOfService');
  return this;
};

prototype.getTypeOfService = function() {
  if (!this._handle || this._handle.kind !== kTcp || this.connecting) return this[kTypeOfService] ?? 0;
  const value = this._handle.getTypeOfService();
  if (value < 0) throw errnoException(value, 'getTypeOfService');
  return value;
};

prototype[kCheckTransfer] = function() {
  require('internal/net/transfer').checkSocket(this);
};

prototype[kTransfer] = function() {
  return require('internal/net/transfer').moveSocket(this);
};
registerMovable(prototype);

prototype.ref = function() {
  if (!this._handle) {
    this.once('connect', this.ref);
    return this;
  }
  this._handle.ref?.();
  return this;
};

prototype.unref = function() {
  if (!this._handle) {
    this.once('connect', this.unref);
    return this;
  }
  this._handle.unref?.();
  return this;
};

prototype._getpeername = function() {
  if (!this._handle || this.connecting) return this._peername || {};
  if (!this._peername) {
    const peer = this._handle.peerAddress?.();
    const name = typeof peer === 'object' ? peer : {};
    // Not cached: a later call may succeed.
    if (name.address === undefined) return name;
    this._peername = name;
  }
  return this._peername;
};

prototype._getsockname = function() {
  if (this[kBoundPath] !== undefined) return { address: this[kBoundPath] };
  if (!this._handle) return {};
  if (!this._sockname) {
    const local = this._handle.localAddress?.();
    if (typeof local !== 'object') return {};
    this._sockname = local;
  }
  return this._sockname;
};

prototype.address = function() {
  return this._getsockname();
};

function lengthOf(chunk, encoding) {
  const { Buffer } = require('buffer');
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function getter(get, isEnumerable = true) {
  return { __proto__: null, configurable: !isEnumerable, enumerable: isEnumerable, get };
}

// Not enumerable, so that they do not appear in lists of a socket's methods.
for (const name of new SafeArrayIterator(['_adoptHandle', '_replaceHandle', '_startReading', 'write'])) {
  ObjectDefineProperty(prototype, name, { __proto__: null, enumerable: false });
}

ObjectDefineProperties(prototype, {
  _connecting: getter(function() { return this.connecting; }, false),
  pending: getter(function() { return !this._handle || this.connecting; }, false),
  readyState: getter(function() {
    if (this.connecting) return 'opening';
    if (this.readable && this.writable) return 'open';
    if (this.readable) return 'readOnly';
    if (this.writable) return 'writeOnly';
    return 'closed';
  }, false),
  bufferSize: getter(function() { return this._handle ? this.writableLength : undefined; }, false),
  bytesRead: getter(function() { return this._handle ? this._handle.bytesRead : this[kBytesRead]; }),
  _bytesDispatched: getter(function() { return this._handle ? this._handle.bytesWritten : this[kBytesWritten]; }),
  // Bytes that were sent, and those that are still queued.
  bytesWritten: getter(function() {
    let bytes = this._bytesDispatched;
    const waiting = this.writableBuffer;
    if (!waiting) return undefined;
    for (let i = 0; i < waiting.length; i++) bytes += lengthOf(waiting[i].chunk, waiting[i].encoding);
    const held = this._handle?.held;
    if (held) {
      for (let i = 0; i < held.length; i += 2) bytes += lengthOf(held[i], held[i + 1] ? 'latin1' : 'utf8');
    }
    const data = this._pendingData;
    if (ArrayIsArray(data)) {
      for (let i = 0; i < data.length; i++) bytes += lengthOf(data[i].chunk, data[i].encoding);
    } else if (data) {
      bytes += lengthOf(data, this._pendingEncoding);
    }
    return bytes;
  }),
  remoteAddress: getter(function() { return this._getpeername().address; }),
  remoteFamily: getter(function() { return this._getpeername().family; }),
  remotePort: getter(function() { return this._getpeername().port; }),
  localAddress: getter(function() { return this._getsockname().address; }),
  localPort: getter(function() { return this._getsockname().port; }),
  localFamily: getter(function() { return this._getsockname().family; }),
});

module.exports = { Socket };
