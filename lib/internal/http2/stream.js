'use strict';
// Http2Stream: a Duplex around the native object of a stream, which it has once its id is known.

const {
  ArrayPrototypeMap,
  Float64Array,
  FunctionPrototypeCall,
  ObjectAssign,
  ObjectDefineProperty,
} = primordials;

const { Duplex } = require('stream');
const { setImmediate } = require('timers');
const {
  AbortError,
  codes: {
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_STREAM_ERROR,
    ERR_HTTP2_TRAILERS_ALREADY_SENT,
    ERR_HTTP2_TRAILERS_NOT_READY,
  },
} = require('internal/errors');
const { asyncIdSymbol } = require('internal/async_hooks');
const { customInspectSymbol, deprecate } = require('internal/util');
const { format } = require('internal/util/inspect');
const { validateFunction, validateInteger } = require('internal/validators');
const { channels } = require('internal/http2/channels');
const { constants, nameForErrorCode } = require('internal/http2/constants');
const { debugStream } = require('internal/http2/debug');
const { buildNgHeaderString, sentHeadersOf } = require('internal/http2/headers');
const { hasProgress } = require('internal/http2/session');
const { reportStream } = require('internal/http2/statistics');
const { checkEnd, isLatin1, shutDown, startWrite, toBytes, toList } = require('internal/http2/stream_write');
const {
  NghttpError,
  assertIsObject,
  assertValidPseudoHeaderTrailer,
  kHandle,
  kID,
  kInfoHeaders,
  kInit,
  kMaybeDestroy,
  kProceed,
  kProxySocket,
  kRawHeaders,
  kRequest,
  kSentHeaders,
  kSentTrailers,
  kSession,
  kState,
  kStrictSingleValueFields,
  kTimeout,
  kType,
  kUpdateTimer,
  setTimeout,
} = require('internal/http2/util');
const { kStateCount, stateIndexes } = internalBinding('http2_streams');

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_CLIENT } = constants;
const kMaxUint32 = 2 ** 32 - 1;

// When closeStream() resets the stream: never, when the writable side has finished, or at once.
const kNoReset = 0;
const kReset = 1;
const kResetAtOnce = 2;

const stateNumbers = new Float64Array(kStateCount);

function isOfClient(stream) {
  return stream[kSession]?.[kType] === NGHTTP2_SESSION_CLIENT;
}

function onResume() {
  if (!this.destroyed) this[kHandle].readStart();
}

function onPause() {
  if (!this.destroyed && !this.pending) this[kHandle].readStop();
}

// Runs in an immediate, because nghttp2 is on the stack when 'wantTrailers' is emitted.
function finishTrailers(stream, headersList) {
  if (stream.destroyed) return;
  stream[kState].hasTrailers = false;
  const status = stream[kHandle].submitTrailers(headersList[0], headersList[1]);
  if (status < 0) {
    stream.destroy(new NghttpError(status));
  } else {
    stream[kMaybeDestroy]();
  }
}

function submitReset(stream, code) {
  if (stream.pending) {
    stream.push(null);
    stream.once('ready', () => stream[kHandle]?.reset(code));
  } else {
    stream[kHandle]?.reset(code);
  }
}

// Ends both sides of the stream.
function closeStream(stream, code, reset = kReset) {
  const isClient = isOfClient(stream);
  const state = stream[kState];
  state.isClosed = true;
  state.rstCode = code;
  stream.setTimeout(0);
  stream.removeAllListeners('timeout');
  const { ending } = stream._writableState;
  if (!ending) {
    if (!stream.aborted) {
      state.isAborted = true;
      stream.emit('aborted');
    }
    stream.end();
  }
  if (reset !== kNoReset) {
    if (!ending || stream.writableFinished || code !== NGHTTP2_NO_ERROR || reset === kResetAtOnce) {
      submitReset(stream, code);
    } else {
      stream.once('finish', () => submitReset(stream, code));
    }
  }
  const closes = isClient ? channels.clientClose : channels.serverClose;
  if (closes.hasSubscribers) closes.publish({ stream });
}

class Http2Stream extends Duplex {
  constructor(session, options) {
    options.allowHalfOpen = true;
    options.decodeStrings = false;
    options.autoDestroy = false;
    super(options);
    this[asyncIdSymbol] = -1;
    // Writes wait until the stream has an id.
    this.cork();
    this[kSession] = session;
    session[kState].pendingStreams.add(this);
    // Set so that push() before the first read() does not start reading.
    this._readableState.readingMore = true;
    this[kTimeout] = null;
    this[kState] = {
      didRead: false,
      isClosed: false,
      headersSent: false,
      isHead: false,
      isAborted: false,
      hasTrailers: false,
      trailersReady: false,
      endAfterHeaders: false,
      isShutDown: false,
      rstCode: NGHTTP2_NO_ERROR,
      writeQueueSize: 0,
      writeCallback: null,
      writeError: null,
      endError: null,
      writeSteps: 0,
      fd: -1,
    };
    this[kRequest] = null;
    this[kProxySocket] = null;
    this.on('pause', onPause);
  }

  [kUpdateTimer]() {
    if (this.destroyed) return;
    if (this[kTimeout]) this[kTimeout].refresh();
    this[kSession]?.[kUpdateTimer]();
  }

  // The stream has got its id and its native object.
  [kInit](id, handle) {
    const { pendingStreams, streams } = this[kSession][kState];
    pendingStreams.delete(this);
    streams.set(id, this);
    this[kID] = id;
    this[asyncIdSymbol] = handle.getAsyncId();
    handle.owner = this;
    this[kHandle] = handle;
    this.uncork();
    this.emit('ready');
  }

  [customInspectSymbol](depth, options) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Http2Stream ${format({
      id: this[kID] || '<pending>',
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      readableState: this._readableState,
      writableState: this._writableState,
    })}`;
  }

  get bufferSize() {
    return this[kState].writeQueueSize + this.writableLength;
  }

  get endAfterHeaders() {
    return this[kState].endAfterHeaders;
  }

  get sentHeaders() {
    if (!this[kSentHeaders] && this[kRawHeaders]) this[kSentHeaders] = sentHeadersOf(this[kRawHeaders]);
    return this[kSentHeaders];
  }

  get sentTrailers() {
    return this[kSentTrailers];
  }

  get sentInfoHeaders() {
    return this[kInfoHeaders];
  }

  get pending() {
    return this[kID] === undefined;
  }

  get id() {
    return this[kID];
  }

  get session() {
    return this[kSession];
  }

  get headersSent() {
    return this[kState].headersSent;
  }

  get aborted() {
    return this[kState].isAborted;
  }

  get headRequest() {
    return this[kState].isHead;
  }

  get rstCode() {
    return this[kState].rstCode;
  }

  get closed() {
    return this[kState].isClosed;
  }

  get state() {
    if (this.destroyed || this[kID] === undefined) return {};
    this[kHandle].readState(stateNumbers);
    const state = {};
    for (const name in stateIndexes) state[name] = stateNumbers[stateIndexes[name]];
    return state;
  }

  _onTimeout() {
    if (this.destroyed) return;
    if (hasProgress(this, this[kSession])) {
      this[kUpdateTimer]();
    } else {
      this.emit('timeout');
    }
  }

  #write(isMany, data, encoding, callback) {
    // The program may have uncorked the stream too early.
    if (this.pending) {
      this.once('ready', () => this.#write(isMany, data, encoding, callback));
      return;
    }
    if (this.destroyed) return;
    this[kUpdateTimer]();
    if (!this.headersSent) this[kProceed]();
    const state = this[kState];
    state.writeCallback = callback;
    state.writeError = null;
    state.endError = null;
    state.writeSteps = state.hasTrailers ? 1 : 2;
    if (!state.hasTrailers) process.nextTick(checkEnd, this);
    if (isMany) {
      startWrite(this, toList(data), false);
    } else {
      startWrite(this, toBytes(data, encoding), isLatin1(encoding));
    }
    if (isOfClient(this) && channels.clientBodyChunkSent.hasSubscribers) {
      // Chunks that are all bytes are published without their encodings.
      const published = isMany && data.allBuffers ? ArrayPrototypeMap(data, ({ chunk }) => chunk) : data;
      channels.clientBodyChunkSent.publish({ stream: this, writev: isMany, data: published, encoding });
    }
  }

  _write(data, encoding, callback) {
    this.#write(false, data, encoding, callback);
  }

  _writev(data, callback) {
    this.#write(true, data, '', callback);
  }

  _final(callback) {
    if (this.pending) {
      this.once('ready', () => this._final(callback));
      return;
    }
    shutDown(this, callback);
    if (isOfClient(this) && channels.clientBodySent.hasSubscribers) channels.clientBodySent.publish({ stream: this });
  }

  _read(size) {
    if (this.destroyed) {
      this.push(null);
      return;
    }
    if (!this[kState].didRead) {
      this._readableState.readingMore = false;
      this[kState].didRead = true;
    }
    if (this.pending) {
      this.once('ready', onResume);
    } else {
      FunctionPrototypeCall(onResume, this);
    }
  }

  sendTrailers(headers) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this[kSentTrailers]) throw new ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (!this[kState].trailersReady) throw new ERR_HTTP2_TRAILERS_NOT_READY();
    assertIsObject(headers, 'headers');
    headers = ObjectAssign({ __proto__: null }, headers);
    debugStream(this, 'sending trailers');
    this[kUpdateTimer]();
    const headersList =
      buildNgHeaderString(headers, assertValidPseudoHeaderTrailer, this.session[kStrictSingleValueFields]);
    this[kSentTrailers] = headers;
    setImmediate(finishTrailers, this, headersList);
  }

  close(code = NGHTTP2_NO_ERROR, callback) {
    validateInteger(code, 'code', 0, kMaxUint32);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.closed) return;
    if (callback !== undefined) this.once('close', callback);
    closeStream(this, code);
  }

  // The code with which the stream ends if it is destroyed with `error`.
  #codeOf(error, sessionCode) {
    if (error != null) {
      return sessionCode || (error instanceof AbortError ? NGHTTP2_CANCEL : NGHTTP2_INTERNAL_ERROR);
    }
    return this.closed ? this.rstCode : sessionCode;
  }

  // Calls back for a write in flight, whose end native code may never report.
  #settleWrite(error) {
    const state = this[kState];
    const { writeCallback } = state;
    if (writeCallback === null) return;
    state.writeCallback = null;
    state.writeSteps = 0;
    writeCallback(error);
  }

  _destroy(error, callback) {
    const { [kSession]: session, [kHandle]: handle, [kID]: id } = this;
    const isClient = isOfClient(this);
    debugStream(this, 'destroying stream');
    const sessionState = session[kState];
    const code = this.#codeOf(error, sessionState.goawayCode || sessionState.destroyCode);
    if (!this.closed) closeStream(this, code, handle !== undefined ? kResetAtOnce : kNoReset);
    this.push(null);
    if (handle !== undefined) {
      handle.destroy();
      reportStream(handle, id);
      sessionState.streams.delete(id);
    } else {
      sessionState.pendingStreams.delete(this);
    }
    sessionState.writeQueueSize -= this[kState].writeQueueSize;
    this[kState].writeQueueSize = 0;
    // A cancelled stream is not an error: it emits 'aborted'.
    if (error == null && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL) {
      error = new ERR_HTTP2_STREAM_ERROR(nameForErrorCode[code] || code);
    }
    this[kSession] = undefined;
    this[kHandle] = undefined;
    setImmediate(() => session[kMaybeDestroy]());
    if (error) {
      const errors = isClient ? channels.clientError : channels.serverError;
      if (errors.hasSubscribers) errors.publish({ stream: this, error });
    }
    this.#settleWrite(error);
    callback(error);
  }

  // Destroys the stream if it is closed, and everything was read.
  [kMaybeDestroy](code = NGHTTP2_NO_ERROR) {
    if (code !== NGHTTP2_NO_ERROR) {
      this.destroy();
      return;
    }
    if (!this.writableFinished) return;
    if (!this.readable && this.closed) {
      this.destroy();
      return;
    }
    // A server has answered without looking at the data of the request. Pushed streams can still be opened until the
    // immediate.
    const state = this[kState];
    if (this.headersSent && this[kSession] && !isOfClient(this) && !state.hasTrailers && !state.didRead &&
        this.readableFlowing === null) {
      setImmediate(() => this.close());
    }
  }
}

Http2Stream.prototype.priority = deprecate(function priority(options) {
  if (this.destroyed) throw new ERR_HTTP2_INVALID_STREAM();
}, 'http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113', 'DEP0194');

ObjectDefineProperty(Http2Stream.prototype, 'setTimeout', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  value: setTimeout,
  writable: true,
});

module.exports = { Http2Stream, closeStream, kNoReset };
