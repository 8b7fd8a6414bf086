'use strict';
// Http2ServerRequest: the request of a stream, as in `http`.

const { ArrayPrototypePush, ObjectAssign, StringPrototypeTrim, Symbol } = primordials;

const { Readable } = require('stream');
const assert = require('internal/assert');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { socketOf } = require('internal/http2/compat_socket');
const { getAuthority, kProxySocket, kRequest } = require('internal/http2/util');

const kState = Symbol('state');
const kStream = Symbol('stream');
const kHeaders = Symbol('headers');
const kRawHeaders = Symbol('rawHeaders');
const kTrailers = Symbol('trailers');
const kRawTrailers = Symbol('rawTrailers');
const kAborted = Symbol('aborted');

// Listeners of the stream. It has no request any more once it has closed.
function onData(chunk) {
  const request = this[kRequest];
  if (request !== undefined && !request.push(chunk)) this.pause();
}

function onTrailers(trailers, flags, rawTrailers) {
  const request = this[kRequest];
  if (request === undefined) return;
  ObjectAssign(request[kTrailers], trailers);
  for (let i = 0; i < rawTrailers.length; i++) ArrayPrototypePush(request[kRawTrailers], rawTrailers[i]);
}

function onEnd() {
  this[kRequest]?.push(null);
}

// As in Node, errors of streams are not reported by requests.
function onError() {}

function onAborted() {
  const request = this[kRequest];
  if (request === undefined || request[kState].closed) return;
  request[kAborted] = true;
  request.emit('aborted');
}

function onClose() {
  const request = this[kRequest];
  if (request === undefined) return;
  const state = request[kState];
  state.closed = true;
  request.push(null);
  // The program does not read it: discard the data, as `http` does.
  if (!state.didRead && !request._readableState.resumeScheduled) request.resume();
  this[kProxySocket] = null;
  this[kRequest] = undefined;
  request.emit('close');
}

function onTimeout() {
  this[kRequest].emit('timeout');
}

// Listeners of the request.
function onPause() {
  this[kStream].pause();
}

function onResume() {
  this[kStream].resume();
}

function resume(stream) {
  stream.resume();
}

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this[kState] = { closed: false, didRead: false };
    this[kHeaders] = headers;
    this[kRawHeaders] = rawHeaders;
    this[kTrailers] = {};
    this[kRawTrailers] = [];
    this[kStream] = stream;
    this[kAborted] = false;
    stream[kProxySocket] = null;
    stream[kRequest] = this;
    stream.on('trailers', onTrailers);
    stream.on('end', onEnd);
    stream.on('error', onError);
    stream.on('aborted', onAborted);
    stream.on('close', onClose);
    stream.on('timeout', onTimeout);
    this.on('pause', onPause);
    this.on('resume', onResume);
  }

  get aborted() {
    return this[kAborted];
  }

  get complete() {
    return this[kAborted] || this.readableEnded || this[kState].closed || this[kStream].destroyed;
  }

  get stream() {
    return this[kStream];
  }

  get headers() {
    return this[kHeaders];
  }

  get rawHeaders() {
    return this[kRawHeaders];
  }

  get trailers() {
    return this[kTrailers];
  }

  get rawTrailers() {
    return this[kRawTrailers];
  }

  get httpVersionMajor() {
    return 2;
  }

  get httpVersionMinor() {
    return 0;
  }

  get httpVersion() {
    return '2.0';
  }

  get socket() {
    return socketOf(this[kStream]);
  }

  get connection() {
    return this.socket;
  }

  _read(size) {
    const state = this[kState];
    assert(!state.closed);
    if (!state.didRead) {
      state.didRead = true;
      this[kStream].on('data', onData);
    } else {
      process.nextTick(resume, this[kStream]);
    }
  }

  get method() {
    return this[kHeaders][':method'];
  }

  set method(method) {
    validateString(method, 'method');
    if (StringPrototypeTrim(method) === '') throw new ERR_INVALID_ARG_VALUE('method', method);
    this[kHeaders][':method'] = method;
  }

  get authority() {
    return getAuthority(this[kHeaders]);
  }

  get scheme() {
    return this[kHeaders][':scheme'];
  }

  get url() {
    return this[kHeaders][':path'];
  }

  set url(url) {
    this[kHeaders][':path'] = url;
  }

  setTimeout(msecs, callback) {
    if (!this[kState].closed) this[kStream].setTimeout(msecs, callback);
    return this;
  }
}

module.exports = { Http2ServerRequest };
