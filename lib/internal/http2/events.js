'use strict';
// The events of sessions and streams that native code reports.

const { ReflectApply } = primordials;

const { setImmediate } = require('timers');
const { codes: { ERR_HTTP2_SESSION_ERROR, ERR_HTTP2_TOO_MANY_ORIGINS } } = require('internal/errors');
const { constants } = require('internal/http2/constants');
const { toHeaderObject } = require('internal/http2/headers');
const { debugSession } = require('internal/http2/debug');
const { initOriginSet } = require('internal/http2/session');
const { ClientHttp2Stream } = require('internal/http2/client_session');
const { ServerHttp2Stream } = require('internal/http2/server_stream');
const { channels } = require('internal/http2/channels');
const {
  NghttpError,
  emit,
  kMaxOriginSetSize,
  kMaybeDestroy,
  kOrigin,
  kRemoteSettings,
  kRequestResource,
  kState,
  kType,
  kUpdateTimer,
} = require('internal/http2/util');
const { closeStream, kNoReset } = require('internal/http2/stream');

const {
  HTTP_STATUS_MISDIRECTED_REQUEST,
  NGHTTP2_FLAG_END_STREAM,
  NGHTTP2_HCAT_PUSH_RESPONSE,
  NGHTTP2_HCAT_RESPONSE,
  NGHTTP2_NO_ERROR,
  NGHTTP2_REFUSED_STREAM,
  NGHTTP2_SESSION_SERVER,
} = constants;

function onError(session, failure, code) {
  if (session !== undefined) session.destroy(new NghttpError(failure, code));
}

function publishStart(created, started, stream, headers) {
  if (created.hasSubscribers) created.publish({ stream, headers });
  if (started.hasSubscribers) started.publish({ stream, headers });
}

// The first fields of a stream that the peer has opened.
function openStream(session, handle, id, headers, isAtEnd) {
  let stream;
  if (session[kType] === NGHTTP2_SESSION_SERVER) {
    stream = new ServerHttp2Stream(session, handle, id, {}, headers);
    publishStart(channels.serverCreated, channels.serverStart, stream, headers);
    if (isAtEnd) stream.push(null);
    if (headers[':method'] === 'HEAD') {
      // The response has no data.
      stream.end();
      stream[kState].isHead = true;
    }
  } else {
    stream = new ClientHttp2Stream(session, handle, id, {});
    publishStart(channels.clientCreated, channels.clientStart, stream, headers);
    if (isAtEnd) stream.push(null);
    stream.end();
  }
  if (isAtEnd) stream[kState].endAfterHeaders = true;
  return stream;
}

// The event for fields of a stream that exists.
function eventOf(category, status, isAtEnd) {
  if (category === NGHTTP2_HCAT_RESPONSE) {
    return !isAtEnd && status >= 100 && status < 200 ? 'headers' : 'response';
  }
  if (category === NGHTTP2_HCAT_PUSH_RESPONSE) return 'push';
  if (status >= 200) return 'response';
  return isAtEnd ? 'trailers' : 'headers';
}

function onHeaders(session, handle, id, category, flags, list, sensitive) {
  if (session.destroyed) {
    // A listener has destroyed the session while native code still processes received frames.
    handle.reset(NGHTTP2_REFUSED_STREAM);
    handle.destroy();
    return;
  }
  session[kUpdateTimer]();
  const isAtEnd = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  const headers = toHeaderObject(list, sensitive);
  let stream = session[kState].streams.get(id);
  if (stream === undefined) {
    if (session.closed) {
      handle.reset(NGHTTP2_REFUSED_STREAM);
      handle.destroy();
      return;
    }
    stream = openStream(session, handle, id, headers, isAtEnd);
    process.nextTick(emit, session, 'stream', stream, headers, flags, list);
  } else {
    const status = headers[':status'];
    const event = eventOf(category, status, isAtEnd);
    if (status === HTTP_STATUS_MISDIRECTED_REQUEST) initOriginSet(stream.session).delete(stream[kOrigin]);
    const resource = stream[kRequestResource];
    if (resource !== undefined) {
      resource.runInAsyncScope(process.nextTick, null, emit, stream, event, headers, flags, list);
    } else {
      process.nextTick(emit, stream, event, headers, flags, list);
    }
    if ((event === 'response' || event === 'push') && channels.clientFinish.hasSubscribers) {
      channels.clientFinish.publish({ stream, headers, flags });
    }
  }
  if (!isAtEnd) return;
  const resource = stream[kRequestResource];
  if (resource !== undefined) {
    resource.runInAsyncScope(() => stream.push(null));
  } else {
    stream.push(null);
  }
}

// Data of a stream, or its end if `size` is 0.
function onRead(handle, size, chunk) {
  const stream = handle.owner;
  if (stream === undefined) return;
  stream[kUpdateTimer]();
  if (size > 0) {
    if (stream.destroyed) return;
    if (!stream.push(chunk) && !stream.destroyed) handle.readStop();
    return;
  }
  if (stream._readableState.endEmitted) {
    stream[kMaybeDestroy]();
    return;
  }
  stream.on('end', stream[kMaybeDestroy]);
  stream.push(null);
  stream.read(0);
}

// The data of a stream has been sent, and trailers may follow.
function onWantTrailers(handle) {
  const stream = handle.owner;
  if (stream === undefined) return;
  stream[kState].trailersReady = true;
  if (stream.destroyed || stream.closed) return;
  if (!stream.emit('wantTrailers')) stream.sendTrailers({});
}

// The stream has ended in both directions, or was reset. False if there is nothing to destroy.
function onClosed(handle, code, isReset) {
  const stream = handle.owner;
  if (!stream || stream.destroyed) return false;
  if (!stream.closed) closeStream(stream, code, kNoReset);
  stream[kState].fd = -1;
  if (!stream.readable || code !== NGHTTP2_NO_ERROR) {
    stream.destroy();
    return true;
  }
  // There is data that the program has not read yet. After a reset nothing is written any more.
  stream.on('end', isReset ? stream.destroy : stream[kMaybeDestroy]);
  stream.push(null);
  if (stream.session[kType] === NGHTTP2_SESSION_SERVER && !stream[kState].didRead &&
      stream.readableFlowing === null) {
    // The program has answered without reading.
    stream.resume();
  } else {
    stream.read(0);
  }
  return true;
}

function onSettings(session) {
  if (session.destroyed) return;
  session[kUpdateTimer]();
  debugSession(session, 'new settings received');
  session[kRemoteSettings] = undefined;
  if (session.listenerCount('remoteSettings') > 0) session.emit('remoteSettings', session.remoteSettings);
}

function onPing(session, payload) {
  if (session.destroyed) return;
  session[kUpdateTimer]();
  debugSession(session, 'new ping received');
  session.emit('ping', payload);
}

function onPriority(session, id, parent, weight, isExclusive) {
  if (session.destroyed) return;
  const emitter = session[kState].streams.get(id) || session;
  if (emitter.destroyed) return;
  emitter[kUpdateTimer]();
  emitter.emit('priority', id, parent, weight, isExclusive);
}

function onFrameError(session, id, type, code) {
  if (session.destroyed) return;
  debugSession(session, 'error sending frame type %d on stream %d, code: %d', type, id, code);
  const stream = session[kState].streams.get(id);
  const emitter = stream || session;
  emitter[kUpdateTimer]();
  emitter.emit('frameError', type, code, id);
  // Deferred: a GOAWAY with the right code may still arrive.
  setImmediate(() => {
    stream?.close(code);
    session.close();
  });
}

function onAltsvc(session, stream, origin, alt) {
  if (session.destroyed) return;
  debugSession(session, 'altsvc received: stream: %d, origin: %s, alt: %s', stream, origin, alt);
  session[kUpdateTimer]();
  session.emit('altsvc', alt, origin, stream);
}

function onOrigin(session, origins) {
  if (session.destroyed) return;
  debugSession(session, 'origin received: %j', origins);
  session[kUpdateTimer]();
  if (!session.encrypted) return;
  const set = initOriginSet(session);
  for (let i = 0; i < origins.length; i++) {
    if (set.size >= session[kMaxOriginSetSize]) {
      session.destroy(new ERR_HTTP2_TOO_MANY_ORIGINS(session[kMaxOriginSetSize]));
      return;
    }
    set.add(origins[i]);
  }
  session.emit('origin', origins);
}

function onGoaway(session, code, lastStreamID, opaqueData) {
  if (session.destroyed) return;
  debugSession(session, 'goaway %d received [last stream id: %d]', code, lastStreamID);
  session[kState].goawayCode = code;
  session[kState].goawayLastStreamID = lastStreamID;
  session.emit('goaway', code, lastStreamID, opaqueData);
  if (code === NGHTTP2_NO_ERROR) {
    session.close();
  } else {
    // The peer reported the error: our own GOAWAY has no error code.
    session.destroy(new ERR_HTTP2_SESSION_ERROR(code), NGHTTP2_NO_ERROR);
  }
}

function onClosedGently(session) {
  if (session !== undefined) ReflectApply(session[kMaybeDestroy], session, []);
}

module.exports = {
  onAltsvc,
  onClosed,
  onClosedGently,
  onError,
  onFrameError,
  onGoaway,
  onHeaders,
  onOrigin,
  onPing,
  onPriority,
  onRead,
  onSettings,
  onWantTrailers,
};
