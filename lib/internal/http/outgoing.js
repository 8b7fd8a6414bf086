'use strict';
// http.OutgoingMessage: a response of a server, or a request of a client. It is written to its socket, or, while it has
// none or is not the first in line, queued in `outputData`. Its header fields are in outgoing_headers.js, what is
// written while it is corked in outgoing_chunks.js.

const {
  ArrayPrototypePush,
  ArrayPrototypeUnshift,
  Boolean,
  FunctionPrototypeCall,
  NumberPrototypeToString,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Symbol,
} = primordials;

const EventEmitter = require('events');
const Stream = require('stream');
const { Buffer } = require('buffer');
const { asyncIdSymbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED,
    ERR_HTTP_CONTENT_LENGTH_MISMATCH,
    ERR_INVALID_ARG_TYPE,
    ERR_METHOD_NOT_IMPLEMENTED,
    ERR_STREAM_ALREADY_FINISHED,
    ERR_STREAM_CANNOT_PIPE,
    ERR_STREAM_DESTROYED,
    ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END,
    ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const { getDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { isUint8Array } = require('internal/util/types');
const {
  chunksLength,
  failChunks,
  kChunks,
  kChunksSize,
  lineEnd,
  nothing,
  sendChunks,
} = require('internal/http/outgoing_chunks');
const {
  kBytesWritten,
  kCorked,
  kErrored,
  kHighWaterMark,
  kNeedDrain,
  kOutHeaders,
  kRejectsBody,
  kSocket,
} = require('internal/http/symbols');

const kIsFinished = Symbol('kWritableFinished');
const kEndCallbacks = Symbol('kEndCallbacks');
const kFlushError = Symbol('kFlushError');

function OutgoingMessage(options) {
  FunctionPrototypeCall(Stream, this);
  this.outputData = []; // { data, encoding, callback }
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false; // The connection ends after this message.
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytesWritten] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this[kChunks] = null;
  this[kChunksSize] = 0;
  this._closed = false;
  this[kSocket] = null;
  this._header = null;
  this[kOutHeaders] = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nothing;
  this[kErrored] = null;
  this[kIsFinished] = false;
  this[kEndCallbacks] = null;
  this[kFlushError] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? getDefaultHighWaterMark(false);
  this[kRejectsBody] = options?.rejectNonStandardBodyWrites ?? false;
}
ObjectSetPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
ObjectSetPrototypeOf(OutgoingMessage, Stream);

function define(name, get, more) {
  ObjectDefineProperty(OutgoingMessage.prototype, name, { __proto__: null, get, ...more });
}

define('errored', function() { return this[kErrored]; });
define('closed', function() { return this._closed; });
define('writableFinished', function() { return this[kIsFinished]; });
define('writableObjectMode', () => false);
define('writableLength', function() {
  return this.outputSize + chunksLength(this) + (this[kSocket] ? this[kSocket].writableLength : 0);
});
define('writableHighWaterMark', function() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : this[kHighWaterMark];
});
define('writableCorked', function() { return this[kCorked]; });
define('headersSent', function() { return Boolean(this._header); },
  { __proto__: null, configurable: true, enumerable: true });
define('writableEnded', function() { return this.finished; });
define('writableNeedDrain', function() { return !this.destroyed && !this.finished && this[kNeedDrain]; });
define('connection', function() { return this[kSocket]; },
  { __proto__: null, set(socket) { this.socket = socket; } });
define('socket', function() { return this[kSocket]; }, {
  __proto__: null,
  set(socket) {
    for (let i = 0; i < this[kCorked]; i++) {
      socket?.cork();
      this[kSocket]?.uncork();
    }
    this[kSocket] = socket;
  },
});

OutgoingMessage.prototype.cork = function() {
  this[kCorked]++;
  this[kSocket]?.cork();
};

OutgoingMessage.prototype.uncork = function() {
  this[kCorked]--;
  const socket = this[kSocket];
  if (this[kCorked] === 0 && this[kChunks] !== null) {
    if (this.destroyed || socket?.destroyed) {
      failChunks(this, this[kErrored] || socket?._writableState?.errored || new ERR_STREAM_DESTROYED('write'));
    } else {
      sendChunks(this);
    }
  }
  socket?.uncork();
};

// Undoes all calls of cork().
function uncorkAll(message) {
  message[kCorked] = 1;
  message.uncork();
}

OutgoingMessage.prototype.setTimeout = function setTimeout(milliseconds, callback) {
  if (callback) this.on('timeout', callback);
  if (this[kSocket]) {
    this[kSocket].setTimeout(milliseconds);
  } else {
    this.once('socket', (socket) => socket.setTimeout(milliseconds));
  }
  return this;
};

OutgoingMessage.prototype.destroy = function(error) {
  if (this.destroyed) return this;
  if (this[kChunks] !== null) uncorkAll(this);
  this.destroyed = true;
  this[kErrored] = error;
  if (this[kSocket]) {
    this[kSocket].destroy(error);
  } else {
    process.nextTick(emitCloseOnce, this);
  }
  return this;
};

function emitCloseOnce(message) {
  if (message._closed) return;
  message._closed = true;
  message.emit('close');
}

// Sends data, together with the header fields if they have not been sent.
OutgoingMessage.prototype._send = function(data, encoding, callback, size) {
  if (!this._headerSent && this._header !== null) {
    this._headerSent = true;
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) {
      data = this._header + data;
    } else {
      ArrayPrototypeUnshift(this.outputData, { data: this._header, encoding: 'latin1', callback: null });
      this.outputSize += this._header.length;
      this._onPendingData(this._header.length);
    }
  }
  return this._writeRaw(data, encoding, callback, size);
};

OutgoingMessage.prototype._writeRaw = function(data, encoding, callback, size) {
  const socket = this[kSocket];
  // 'close' has not been emitted yet.
  if (socket?.destroyed) return false;
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (socket && socket._httpMessage === this && socket.writable) {
    if (this.outputData.length !== 0) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  ArrayPrototypePush(this.outputData, { data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kHighWaterMark];
};

OutgoingMessage.prototype._implicitHeader = function() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype.write = function(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const goesOn = writeBody(this, chunk, encoding, callback, false);
  if (!goesOn) this[kNeedDrain] = true;
  return goesOn;
};

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function isLengthChecked(message) {
  return message.strictContentLength && message._contentLength !== null && message._contentLength !== undefined &&
    message._hasBody && !message._removedContLen && !message.chunkedEncoding && !message.hasHeader('transfer-encoding');
}

function fail(message, error, callback) {
  if (message.destroyed) return;
  const trigger = message.socket?.[asyncIdSymbol];
  defaultTriggerAsyncIdScope(trigger, process.nextTick, reportFailure, message, error, callback);
}

function reportFailure(message, error, callback) {
  callback(error);
  if (typeof message.emit === 'function' && !message.destroyed) message.emit('error', error);
}

function uncorkLater(message) {
  if (message[kCorked] !== 0) message.uncork();
}

function writeBody(message, chunk, encoding, callback, isLast) {
  if (typeof callback !== 'function') callback = nothing;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isUint8Array(chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  if (message.finished) {
    const error = new ERR_STREAM_WRITE_AFTER_END();
    if (message.destroyed) {
      process.nextTick(callback, error);
    } else {
      fail(message, error, callback);
    }
    return false;
  }
  if (message.destroyed) {
    process.nextTick(callback, new ERR_STREAM_DESTROYED('write'));
    return false;
  }

  let size;
  if (message.strictContentLength) {
    size = sizeOf(chunk, encoding);
    const total = message[kBytesWritten] + size;
    if (isLengthChecked(message) && (isLast ? total !== message._contentLength : total > message._contentLength)) {
      throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, message._contentLength);
    }
    message[kBytesWritten] = total;
  }
  if (!message._header) {
    if (isLast) message._contentLength = size ??= sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectsBody]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    process.nextTick(callback);
    return true;
  }
  if (message.chunkedEncoding && typeof chunk === 'string' && encoding && !Buffer.isEncoding(encoding)) {
    throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  // Writes of one tick leave together, as one chunk.
  const { socket } = message;
  if (!isLast && socket && !socket.writableCorked) {
    message.cork();
    process.nextTick(uncorkLater, message);
  }
  const isCollected = message.chunkedEncoding && message[kCorked] !== 0;
  if (isCollected && (chunk.length !== 0 || message[kChunks] !== null)) {
    size ??= sizeOf(chunk, encoding);
    message[kChunks] ??= [];
    ArrayPrototypePush(message[kChunks], chunk, encoding, callback);
    message[kChunksSize] += size;
    return message.writableLength < message.writableHighWaterMark;
  }
  if (!message.chunkedEncoding || chunk.length === 0) return message._send(chunk, encoding, callback, size);
  size ??= sizeOf(chunk, encoding);
  message._send(NumberPrototypeToString(size, 16), 'latin1', null);
  message._send(lineEnd, null, null);
  message._send(chunk, encoding, null, size);
  return message._send(lineEnd, null, callback);
}

function callEndCallbacks(message, error) {
  const callbacks = message[kEndCallbacks];
  if (callbacks === null) return;
  message[kEndCallbacks] = null;
  for (let i = 0; i < callbacks.length; i++) callbacks[i](error);
}

function addEndCallback(message, callback) {
  if (message[kIsFinished]) {
    callback(new ERR_STREAM_ALREADY_FINISHED('end'));
  } else if (message[kFlushError] !== null) {
    process.nextTick(callback, message[kFlushError]);
  } else {
    ArrayPrototypePush(message[kEndCallbacks] ??= [], callback);
  }
}

// All data has been given to the kernel, or could not be.
function onFlushed(message, error) {
  const socket = message[kSocket];
  if (error || message[kErrored] || socket?.errored || socket?._hadError) {
    message[kFlushError] = error ?? message[kErrored] ?? socket?.errored ?? new ERR_STREAM_DESTROYED('end');
    callEndCallbacks(message, message[kFlushError]);
    return;
  }
  message[kIsFinished] = true;
  callEndCallbacks(message, null);
  message.emit('finish');
}

OutgoingMessage.prototype.end = function(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  let hasCallback = typeof callback === 'function';
  if (this.finished) {
    if (chunk) {
      fail(this, new ERR_STREAM_WRITE_AFTER_END(), hasCallback ? callback : nothing);
    } else if (hasCallback) {
      addEndCallback(this, callback);
    }
    return this;
  }
  let finish = null;
  if (chunk) {
    const leavesAtOnce = isOneWrite(this, chunk, encoding);
    if (!leavesAtOnce) this[kSocket]?.cork();
    // Nothing follows the chunk: its callback is that of the message.
    if (isWholeRest(this, chunk, encoding)) {
      if (hasCallback) addEndCallback(this, callback);
      hasCallback = false;
      finish = (error) => onFlushed(this, error);
    } else if (leavesAtOnce) {
      this[kSocket]?.cork();
    }
    writeBody(this, chunk, encoding, finish, true);
  } else if (!this._header) {
    this[kSocket]?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (hasCallback) addEndCallback(this, callback);
  if (isLengthChecked(this) && this[kBytesWritten] !== this._contentLength) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(this[kBytesWritten], this._contentLength);
  }

  if (this[kChunks] !== null) {
    this[kSocket]?.cork();
    uncorkAll(this);
  }
  if (finish === null) sendEnd(this, chunk, (error) => onFlushed(this, error));
  if (this[kSocket] && this[kSocket]._writableState.corked !== 0) {
    // Undoes all calls of cork().
    this[kSocket]._writableState.corked = 1;
    this[kSocket].uncork();
  }
  if (this[kCorked] !== 0) uncorkAll(this);
  this.finished = true;
  if (this.outputData.length === 0 && this[kSocket] && this[kSocket]._httpMessage === this) this._finish();
  return this;
};

// True if _send() makes one write of a response's header fields and its only chunk, so that the socket need not be
// corked.
function isOneWrite(message, chunk, encoding) {
  return typeof chunk === 'string' && (!encoding || encoding === 'utf8' || encoding === 'latin1') &&
    message.req !== undefined && message.outputData.length === 0 && message[kCorked] === 0;
}

// True if the chunk of end() is all that is still to be sent. Makes the header fields, which decide that.
function isWholeRest(message, chunk, encoding) {
  if (typeof chunk !== 'string' && !isUint8Array(chunk)) return false;
  if (message.destroyed || message.strictContentLength) return false;
  if (!message._header) {
    message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  return Boolean(message._header) && message._hasBody && !message.chunkedEncoding;
}

function sendEnd(message, chunk, finish) {
  if (message._hasBody && message.chunkedEncoding) {
    message._send(`0\r\n${message._trailer}\r\n`, 'latin1', finish);
  } else if (!message._headerSent || message.writableLength || chunk) {
    message._send('', 'latin1', finish);
  } else {
    process.nextTick(finish);
  }
}

// Everything has been given to the socket, which may still have to send it.
OutgoingMessage.prototype._finish = function() {
  this.emit('prefinish');
};

// The message has become the first in line.
OutgoingMessage.prototype._flush = function() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const goesOn = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (this[kNeedDrain] && goesOn !== false) {
    // The socket has taken everything, so it will not emit 'drain'.
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function(socket) {
  const queue = this.outputData;
  if (queue.length === 0) return undefined;
  let goesOn;
  socket.cork();
  for (let i = 0; i < queue.length; i++) {
    goesOn = socket.write(queue[i].data, queue[i].encoding, queue[i].callback);
  }
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return goesOn;
};

OutgoingMessage.prototype.flushHeaders = function() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

OutgoingMessage.prototype.pipe = function() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[EventEmitter.captureRejectionSymbol] = function(error, event) {
  this.destroy(error);
};

module.exports = { OutgoingMessage };
