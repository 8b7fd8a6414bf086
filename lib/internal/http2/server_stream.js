'use strict';
// ServerHttp2Stream: a request of a client, or a stream that the server pushes, and the response to it.

const { ArrayPrototypePush, Boolean, ObjectAssign } = primordials;

const {
  codes: {
    ERR_HTTP2_HEADERS_AFTER_RESPOND,
    ERR_HTTP2_HEADERS_SENT,
    ERR_HTTP2_INVALID_INFO_STATUS,
    ERR_HTTP2_INVALID_STREAM,
    ERR_HTTP2_NESTED_PUSH,
    ERR_HTTP2_OUT_OF_STREAMS,
    ERR_HTTP2_PUSH_DISABLED,
    ERR_HTTP2_STATUS_101,
  },
} = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateFunction } = require('internal/validators');
const { channels } = require('internal/http2/channels');
const { constants } = require('internal/http2/constants');
const { buildNgHeaderString, prepareResponseHeaders } = require('internal/http2/headers');
const { beginStream } = require('internal/http2/native');
const { debugStream } = require('internal/http2/debug');
const { Http2Stream } = require('internal/http2/stream');
const {
  NghttpError,
  assertIsObject,
  assertValidPseudoHeader,
  assertValidPseudoHeaderResponse,
  getAuthority,
  kAuthority,
  kHandle,
  kID,
  kInfoHeaders,
  kInit,
  kProceed,
  kProtocol,
  kSentHeaders,
  kSession,
  kState,
  kStrictSingleValueFields,
  kUpdateTimer,
} = require('internal/http2/util');
const { kStreamClosed, kStreamIdNotAvailable } = internalBinding('http2');

const {
  HTTP_STATUS_NO_CONTENT,
  HTTP_STATUS_NOT_MODIFIED,
  HTTP_STATUS_RESET_CONTENT,
  HTTP_STATUS_SWITCHING_PROTOCOLS,
} = constants;

function hasNoData(statusCode) {
  return statusCode === HTTP_STATUS_NO_CONTENT || statusCode === HTTP_STATUS_RESET_CONTENT ||
    statusCode === HTTP_STATUS_NOT_MODIFIED;
}

function checkUnanswered(stream) {
  if (stream.destroyed || stream.closed) throw new ERR_HTTP2_INVALID_STREAM();
  if (stream.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
}

function pushError(status) {
  switch (status) {
    case kStreamIdNotAvailable: return new ERR_HTTP2_OUT_OF_STREAMS();
    case kStreamClosed: return new ERR_HTTP2_INVALID_STREAM();
    default: return new NghttpError(status);
  }
}

class ServerHttp2Stream extends Http2Stream {
  constructor(session, handle, id, options, headers) {
    super(session, options);
    this[kInit](id, handle);
    this[kProtocol] = headers[':scheme'];
    this[kAuthority] = getAuthority(headers);
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.session.closed && !this.session.destroyed &&
      this[kSession].remoteSettings.enablePush;
  }

  pushStream(headers, options, callback) {
    if (!this.pushAllowed) throw new ERR_HTTP2_PUSH_DISABLED();
    if (this[kID] % 2 === 0) throw new ERR_HTTP2_NESTED_PUSH();
    debugStream(this, 'initiating push stream');
    this[kUpdateTimer]();
    if (typeof options === 'function') {
      callback = options;
      options = undefined;
    }
    validateFunction(callback, 'callback');
    assertIsObject(options, 'options');
    options = { ...options };
    options.endStream = Boolean(options.endStream);
    assertIsObject(headers, 'headers');
    headers = ObjectAssign({ __proto__: null }, headers);
    if (headers[':method'] === undefined) headers[':method'] = 'GET';
    if (getAuthority(headers) === undefined) headers[':authority'] = this[kAuthority];
    if (headers[':scheme'] === undefined) headers[':scheme'] = this[kProtocol];
    if (headers[':path'] === undefined) headers[':path'] = '/';
    const isHead = headers[':method'] === 'HEAD';
    if (isHead) options.endStream = true;
    const { 0: text, 1: count } =
      buildNgHeaderString(headers, assertValidPseudoHeader, this.session[kStrictSingleValueFields]);
    const handle = this[kHandle].submitPush(text, count, options.endStream);
    if (typeof handle === 'number') {
      process.nextTick(callback, pushError(handle));
      return;
    }
    beginStream(handle, false);
    const stream = new ServerHttp2Stream(this[kSession], handle, handle.id(), options, headers);
    stream[kSentHeaders] = headers;
    stream.push(null);
    if (options.endStream) stream.end();
    if (isHead) stream[kState].isHead = true;
    process.nextTick(() => {
      if (channels.serverStart.hasSubscribers) channels.serverStart.publish({ stream, headers });
      callback(null, stream, headers, 0);
    });
    if (channels.serverCreated.hasSubscribers) channels.serverCreated.publish({ stream, headers });
  }

  respond(headersParam, options) {
    checkUnanswered(this);
    const state = this[kState];
    assertIsObject(options, 'options');
    options ??= kEmptyObject;
    debugStream(this, 'initiating response');
    this[kUpdateTimer]();
    const isEmpty = Boolean(options.endStream);
    const hasTrailers = Boolean(options.waitForTrailers);
    if (hasTrailers) state.hasTrailers = true;
    const { headers, headersList, statusCode } = prepareResponseHeaders(this, headersParam, options);
    state.headersSent = true;
    if (isEmpty || hasNoData(statusCode) || this.headRequest) this.end();
    const status = this[kHandle].respond(headersList[0], headersList[1], isEmpty, hasTrailers);
    if (status < 0) {
      this.destroy(new NghttpError(status));
    } else if (channels.serverFinish.hasSubscribers) {
      channels.serverFinish.publish({ stream: this, headers, flags: flagsOf(state) });
    }
  }

  respondWithFD(fd, headers, options) {
    checkUnanswered(this);
    require('internal/http2/file_response').respondWithFD(this, fd, headers, options);
  }

  respondWithFile(path, headers, options) {
    checkUnanswered(this);
    require('internal/http2/file_response').respondWithFile(this, path, headers, options);
  }

  additionalHeaders(headers) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_AFTER_RESPOND();
    assertIsObject(headers, 'headers');
    headers = ObjectAssign({ __proto__: null }, headers);
    debugStream(this, 'sending additional headers');
    if (headers[':status'] != null) {
      const status = headers[':status'] |= 0;
      if (status === HTTP_STATUS_SWITCHING_PROTOCOLS) throw new ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new ERR_HTTP2_INVALID_INFO_STATUS(status);
    }
    this[kUpdateTimer]();
    const { 0: text, 1: count } =
      buildNgHeaderString(headers, assertValidPseudoHeaderResponse, this.session[kStrictSingleValueFields]);
    this[kInfoHeaders] ??= [];
    ArrayPrototypePush(this[kInfoHeaders], headers);
    const status = this[kHandle].submitInfo(text, count);
    if (status < 0) this.destroy(new NghttpError(status));
  }
}

// The state of a stream as the bits that Node publishes.
function flagsOf(state) {
  return 0x1 | (state.isClosed ? 0x2 : 0) | (state.headersSent ? 0x4 : 0) | (state.isHead ? 0x8 : 0) |
    (state.isAborted ? 0x10 : 0) | (state.hasTrailers ? 0x20 : 0);
}

ServerHttp2Stream.prototype[kProceed] = ServerHttp2Stream.prototype.respond;

module.exports = { ServerHttp2Stream, hasNoData };
