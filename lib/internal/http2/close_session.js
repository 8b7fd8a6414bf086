'use strict';
// The end of a session: its streams, then its frames, then its socket.

const { ArrayFrom } = primordials;

const { codes: { ERR_HTTP2_STREAM_CANCEL, ERR_SOCKET_CLOSED } } = require('internal/errors');
const { constants } = require('internal/http2/constants');
const { debugSession } = require('internal/http2/debug');
const { reportSession } = require('internal/http2/statistics');
const {
  kBoundSession,
  kHandle,
  kProxySocket,
  kServer,
  kSessions,
  kSocket,
  kState,
  kType,
} = require('internal/http2/util');

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

function emitClose(session, error) {
  if (error) session.emit('error', error);
  session.emit('close');
}

function detachSocket(session) {
  const { [kSocket]: socket, [kServer]: server } = session;
  session[kProxySocket] = undefined;
  session[kSocket] = undefined;
  session[kHandle] = undefined;
  server?.[kSessions].delete(session);
  if (socket === undefined) return;
  socket[kBoundSession] = undefined;
  socket[kServer] = undefined;
}

// All has been sent: closes the socket, then reports the end.
function finishClose(session, error) {
  debugSession(session, 'finishing close');
  const socket = session[kSocket];
  // The error belongs to the session: a Duplex of the program does not get it, as in Node.
  const socketError = session[kHandle]?.transport?.isDuplex ? undefined : error;
  if (session[kHandle] !== undefined) reportSession(session[kHandle], session[kType], session[kState].began);
  detachSocket(session);
  if (!socket || socket.destroyed) {
    process.nextTick(emitClose, session, error);
    return;
  }
  socket.on('close', () => emitClose(session, error));
  // Keep reading, to notice when the peer closes the connection.
  if (session.closed) socket.resume();
  socket.end((failure) => {
    debugSession(session, 'socket has ended', failure, error);
    // Wait until check: otherwise the peer might get a reset before the last data.
    if (!session.closed) require('timers').setImmediate(() => socket.destroy(socketError));
  });
}

// Goes through a copy, because `fn` removes streams.
function forEach(streams, fn) {
  const list = ArrayFrom(streams);
  for (let i = 0; i < list.length; i++) fn(list[i]);
}

function closeSession(session, code, error) {
  debugSession(session, 'start closing/destroying', error);
  const state = session[kState];
  state.isDestroyed = true;
  state.destroyCode = code;
  session.setTimeout(0);
  session.removeAllListeners('timeout');
  const { [kSocket]: socket, [kHandle]: handle } = session;
  if (state.pendingStreams.size > 0 || state.streams.size > 0) {
    const cancel = new ERR_HTTP2_STREAM_CANCEL(error);
    forEach(state.pendingStreams, (stream) => stream.destroy(cancel));
    forEach(state.streams.values(), (stream) => stream.destroy(error));
  }
  if (handle === undefined) {
    finishClose(session, error);
    return;
  }
  handle.onDone = () => finishClose(session, error);
  handle.destroy(code, socket.destroyed);
}

function socketOnError(error) {
  const session = this[kBoundSession];
  if (session === undefined) return;
  // After a GOAWAY the peer may reset the connection.
  if (error.code === 'ECONNRESET' && session[kState].goawayCode !== null) {
    session.destroy();
    return;
  }
  debugSession(session, 'socket error [%s]', error.message);
  session.destroy(error);
}

function socketOnClose() {
  const session = this[kBoundSession];
  if (session === undefined) return;
  debugSession(session, 'socket closed');
  const error = session.connecting ? new ERR_SOCKET_CLOSED() : null;
  const { streams, pendingStreams } = session[kState];
  forEach(streams.values(), (stream) => stream.close(NGHTTP2_CANCEL));
  forEach(pendingStreams, (stream) => stream.close(NGHTTP2_CANCEL));
  session.close();
  // close() has done it already if nothing was left to send.
  if (!session.destroyed) closeSession(session, NGHTTP2_NO_ERROR, error);
}

module.exports = { closeSession, socketOnClose, socketOnError };
