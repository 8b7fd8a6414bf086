'use strict';
// The session of a client, and the streams of its requests.

const { ArrayIsArray, ArrayPrototypePush, Boolean } = primordials;

const { AsyncResource } = require('internal/async_context/resource');
const {
  AbortError,
  codes: {
    ERR_HTTP2_GOAWAY_SESSION,
    ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_OUT_OF_STREAMS,
    ERR_HTTP2_STREAM_SELF_DEPENDENCY,
    ERR_INVALID_ARG_TYPE,
  },
} = require('internal/errors');
const { addAbortListener } = require('internal/events/targets');
const { SymbolDispose, deprecate } = require('internal/util');
const { validateAbortSignal, validateBoolean, validateNumber } = require('internal/validators');
const { channels } = require('internal/http2/channels');
const { constants } = require('internal/http2/constants');
const {
  isPayloadMeaningless,
  prepareRequestHeadersArray,
  prepareRequestHeadersObject,
} = require('internal/http2/headers');
const { beginStream } = require('internal/http2/native');
const { debugSession } = require('internal/http2/debug');
const { Http2Session } = require('internal/http2/session');
const { Http2Stream } = require('internal/http2/stream');
const {
  NghttpError,
  assertIsObject,
  kHandle,
  kInit,
  kOrigin,
  kRawHeaders,
  kRequestResource,
  kSentHeaders,
  kSession,
  kState,
  kUpdateTimer,
} = require('internal/http2/util');
const { kInvalidArgument, kStreamIdNotAvailable } = internalBinding('http2');

const { HTTP_STATUS_CONTINUE, NGHTTP2_DEFAULT_WEIGHT, NGHTTP2_SESSION_CLIENT } = constants;

const warnAboutWeight = deprecate(() => {}, 'Priority signaling has been deprecated as of RFC 9113.', 'DEP0194');

function checkWeight(options) {
  if ('weight' in options) warnAboutWeight();
}

function onHeaders(headers) {
  if (headers[':status'] === HTTP_STATUS_CONTINUE) this.emit('continue');
}

class ClientHttp2Stream extends Http2Stream {
  constructor(session, handle, id, options) {
    super(session, options);
    this[kState].headersSent = true;
    if (id !== undefined) this[kInit](id, handle);
    this.on('headers', onHeaders);
  }
}

// Checks the options about priority, which have no effect any more, and sets their defaults.
function checkPriority(options) {
  checkWeight(options);
  if (options.parent === undefined) {
    options.parent = 0;
  } else {
    validateNumber(options.parent, 'options.parent', 0);
  }
  if (options.exclusive === undefined) options.exclusive = false;
  validateBoolean(options.exclusive, 'options.exclusive');
  if (options.silent === undefined) options.silent = false;
  validateBoolean(options.silent, 'options.silent');
}

// Opens the stream of a request, once the session is connected.
function openRequest(stream, headersList, options) {
  const session = stream[kSession];
  // The session was destroyed, and the stream with it.
  if (session === undefined || session.destroyed) return;
  if (session.closed) {
    stream.destroy(new ERR_HTTP2_GOAWAY_SESSION());
    return;
  }
  debugSession(session, 'connected, initializing request');
  checkWeight(options);
  const handle = session[kHandle].request(headersList[0], headersList[1], Boolean(options.endStream),
    Boolean(options.waitForTrailers), options.parent | 0, NGHTTP2_DEFAULT_WEIGHT, Boolean(options.exclusive));
  if (typeof handle === 'number') {
    if (handle === kStreamIdNotAvailable) {
      stream.destroy(new ERR_HTTP2_OUT_OF_STREAMS());
    } else if (handle === kInvalidArgument) {
      stream.destroy(new ERR_HTTP2_STREAM_SELF_DEPENDENCY());
    } else {
      session.destroy(new NghttpError(handle));
    }
    return;
  }
  beginStream(handle, false);
  stream[kInit](handle.id(), handle);
  if (channels.clientStart.hasSubscribers) channels.clientStart.publish({ stream, headers: stream.sentHeaders });
}

function prepareHeaders(headers, session) {
  if (ArrayIsArray(headers)) return prepareRequestHeadersArray(headers, session);
  if (headers === undefined) return prepareRequestHeadersObject({}, session);
  if (headers !== null && typeof headers === 'object') return prepareRequestHeadersObject(headers, session);
  throw new ERR_INVALID_ARG_TYPE('headers', ['Object', 'Array'], headers);
}

function abortWith(stream, signal) {
  validateAbortSignal(signal, 'options.signal');
  const onAbort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    onAbort();
    return;
  }
  const listening = addAbortListener(signal, onAbort);
  stream.once('close', listening[SymbolDispose]);
}

class ClientHttp2Session extends Http2Session {
  // Functions that open the requests which were made before the session was connected.
  #pending = null;

  constructor(options, socket) {
    super(NGHTTP2_SESSION_CLIENT, options, socket);
  }

  #whenConnected(open) {
    if (!this.connecting) {
      open();
      return;
    }
    if (this.#pending !== null) {
      ArrayPrototypePush(this.#pending, open);
      return;
    }
    this.#pending = [open];
    this.once('connect', () => {
      const pending = this.#pending;
      for (let i = 0; i < pending.length; i++) pending[i]();
      this.#pending = null;
    });
  }

  request(headersParam, options) {
    debugSession(this, 'initiating request');
    // Wrong arguments throw; the state of the session is reported by the stream.
    let failure;
    if (this.destroyed) {
      failure = new ERR_HTTP2_INVALID_SESSION();
    } else if (this.closed) {
      failure = new ERR_HTTP2_GOAWAY_SESSION();
    }
    this[kUpdateTimer]();
    const { headersObject, rawHeaders, headersList, scheme, authority, method } = prepareHeaders(headersParam, this);
    assertIsObject(options, 'options');
    options = { ...options };
    checkPriority(options);
    if (options.endStream === undefined) {
      options.endStream = isPayloadMeaningless(method);
    } else {
      validateBoolean(options.endStream, 'options.endStream');
    }
    const stream = new ClientHttp2Stream(this, undefined, undefined, {});
    stream[kSentHeaders] = headersObject;
    stream[kRawHeaders] = rawHeaders;
    stream[kOrigin] = `${scheme}://${authority}`;
    const resource = new AsyncResource('PendingRequest');
    stream[kRequestResource] = resource;
    if (options.endStream) stream.end();
    if (options.waitForTrailers) stream[kState].hasTrailers = true;
    if (options.signal) abortWith(stream, options.signal);
    if (failure !== undefined) {
      process.nextTick(resource.bind(() => stream.destroy(failure)));
    } else {
      this.#whenConnected(resource.bind(() => openRequest(stream, headersList, options)));
    }
    if (channels.clientCreated.hasSubscribers) channels.clientCreated.publish({ stream, headers: stream.sentHeaders });
    return stream;
  }
}

module.exports = { ClientHttp2Session, ClientHttp2Stream };
