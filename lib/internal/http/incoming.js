'use strict';
// http.IncomingMessage: a request on a server, a response on a client.

const {
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Symbol,
} = primordials;

const { Readable, finished } = require('stream');
const { AbortController } = require('internal/abort_controller');
const { addDistinct, addField, toRawHeaders } = require('internal/http/received_headers');

const kFields = Symbol('kHeaders');
const kDistinct = Symbol('kHeadersDistinct');
const kRaw = Symbol('kRawHeaders');
// The arguments of toRawHeaders(), until they are needed.
const kHead = Symbol('kHead');
const kEnds = Symbol('kEnds');
const kMost = Symbol('kMost');
const kFlags = Symbol('kFlags'); // Of a request: what native code has found in its head; -1 if unknown.
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kRawTrailers = Symbol('kRawTrailers');
const kAbortController = Symbol('kAbortController');
const kCloseListener = Symbol('kCloseListener'); // Null, or a listener for 'close' of the socket.
const kIsOver = Symbol('kIsOver');
const kNotParsed = Symbol('kNotParsed'); // Set on a message whose remaining data is ignored.

function startReading(socket) {
  if (socket && !socket._paused && socket.readable) socket.resume();
}

function stopReading(socket) {
  if (socket) socket.pause();
}

function IncomingMessage(socket) {
  FunctionPrototypeCall(Readable, this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
  // Data arrives by itself: request it only when the program reads.
  this._readableState.readingMore = true;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kFields] = null;
  this[kDistinct] = null;
  this[kRaw] = null;
  this[kHead] = null;
  this[kEnds] = '';
  this[kMost] = Infinity;
  this[kFlags] = -1;
  this[kTrailers] = null;
  this[kTrailersDistinct] = null;
  this[kRawTrailers] = null;
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  // Only in requests:
  this.url = '';
  this.method = null;
  // Only in responses:
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consuming = false; // The program has read from the message.
  this._dumped = false; // The remaining data is discarded.
  this[kAbortController] = null;
  this[kCloseListener] = null;
  this[kIsOver] = false;
}
ObjectSetPrototypeOf(IncomingMessage.prototype, Readable.prototype);
ObjectSetPrototypeOf(IncomingMessage, Readable);

function define(name, get, set) {
  ObjectDefineProperty(IncomingMessage.prototype, name, { __proto__: null, get, set, configurable: true });
}

define('connection', function() { return this.socket; }, function(socket) { this.socket = socket; });

define('rawHeaders', function() {
  if (this[kRaw] === null) {
    this[kRaw] = this[kHead] === null ? [] : toRawHeaders(this[kHead], this[kEnds], this[kMost]);
    this[kHead] = null;
  }
  return this[kRaw];
}, function(list) { this[kRaw] = list; });

define('rawTrailers', function() { return this[kRawTrailers] ??= []; }, function(list) { this[kRawTrailers] = list; });

function collect(message, raw) {
  const fields = {};
  for (let i = 0; i + 1 < raw.length; i += 2) message._addHeaderLine(raw[i], raw[i + 1], fields);
  return fields;
}

function collectDistinct(message, raw) {
  const fields = { __proto__: null };
  for (let i = 0; i + 1 < raw.length; i += 2) message._addHeaderLineDistinct(raw[i], raw[i + 1], fields);
  return fields;
}

define('headers', function() { return this[kFields] ??= collect(this, this.rawHeaders); },
  function(fields) { this[kFields] = fields; });
define('headersDistinct', function() { return this[kDistinct] ??= collectDistinct(this, this.rawHeaders); },
  function(fields) { this[kDistinct] = fields; });
define('trailers', function() { return this[kTrailers] ??= collect(this, this.rawTrailers); },
  function(fields) { this[kTrailers] = fields; });
define('trailersDistinct', function() { return this[kTrailersDistinct] ??= collectDistinct(this, this.rawTrailers); },
  function(fields) { this[kTrailersDistinct] = fields; });

IncomingMessage.prototype._addHeaderLine = function(name, value, fields) {
  addField(fields, name, value, this.joinDuplicateHeaders);
};

IncomingMessage.prototype._addHeaderLineDistinct = function(name, value, fields) {
  addDistinct(fields, name, value);
};

// Sets the header fields, or the trailers of a message that is complete: the first `count` strings of `raw`.
IncomingMessage.prototype._addHeaderLines = function(raw, count) {
  if (!raw?.length) return;
  let fields;
  if (this.complete) {
    this[kRawTrailers] = raw;
    fields = this[kTrailers];
  } else {
    this[kRaw] = raw;
    fields = this[kFields];
  }
  if (fields === null) return;
  for (let i = 0; i < count; i += 2) this._addHeaderLine(raw[i], raw[i + 1], fields);
};

function setReceivedHeaders(message, head, ends, most) {
  message[kHead] = head;
  message[kEnds] = ends;
  message[kMost] = most;
}

// True if a request has this field, for which native code sets `flag`. `headers` is made only if it may differ from
// that: a program has set it, or the message has more fields than are used.
function hasField(message, flag, name) {
  const flags = message[kFlags];
  if (flags >= 0 && message[kFields] === null && message[kEnds].length <= message[kMost]) return (flags & flag) !== 0;
  return message.headers[name] !== undefined;
}

// Aborted if the connection closes before the message, and on a server its response, is complete.
define('signal', function() {
  if (this[kAbortController] === null) {
    this[kAbortController] = new AbortController();
    if (this.destroyed && (!this.readableEnded || !this.complete)) {
      this[kAbortController].abort();
    } else {
      watchSocket(this);
    }
  }
  return this[kAbortController].signal;
}, undefined);

function watchSocket(message) {
  const { socket } = message;
  if (!socket || message[kIsOver]) return;
  if (socket.destroyed) {
    abort(message);
    return;
  }
  const listener = () => abort(message);
  message[kCloseListener] = { socket, listener };
  socket.once('close', listener);
}

// The signal is not aborted any more: all is done.
function detachSignal(message) {
  message[kIsOver] = true;
  const watched = message[kCloseListener];
  if (watched === null) return;
  message[kCloseListener] = null;
  watched.socket.removeListener('close', watched.listener);
}

function abort(message) {
  detachSignal(message);
  message[kAbortController]?.abort();
}

IncomingMessage.prototype.setTimeout = function setTimeout(milliseconds, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(milliseconds);
  return this;
};

IncomingMessage.prototype._read = function(size) {
  if (!this._consuming) {
    this._readableState.readingMore = false;
    this._consuming = true;
  }
  if (this.socket.readable) startReading(this.socket);
};

IncomingMessage.prototype._destroy = function(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
    abort(this);
  }
  const { socket } = this;
  if (!this.aborted && (error === null || error === undefined)) {
    callback();
    return;
  }
  if (!socket || socket.destroyed || !this.aborted) {
    process.nextTick(reportIfHeard, this, error, callback);
    return;
  }
  socket.destroy(error);
  const cleanUp = finished(socket, (problem) => {
    if (problem?.code === 'ERR_STREAM_PREMATURE_CLOSE') problem = null;
    cleanUp();
    process.nextTick(reportIfHeard, this, problem || error, callback);
  });
};

// An aborted message emits its error only if there are listeners.
function reportIfHeard(message, error, callback) {
  if (message.listenerCount('error') === 0) {
    callback();
  } else {
    callback(error);
  }
}

// Marks a message without a body as read to its end, without any event.
IncomingMessage.prototype._dumpAndCloseReadable = function() {
  this._dumped = true;
  const state = this._readableState;
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
};

// Discards the remaining data.
IncomingMessage.prototype._dump = function() {
  if (this._dumped) return;
  this._dumped = true;
  this.removeAllListeners('data');
  // Without data, reading leads to 'end' at once; resume() would take a tick more.
  if (this.complete && !this.destroyed && this.readableLength === 0) {
    this.read(0);
  } else {
    this.resume();
  }
};

module.exports = {
  IncomingMessage,
  detachSignal,
  hasField,
  kFlags,
  kNotParsed,
  setReceivedHeaders,
  startReading,
  stopReading,
};
