'use strict';
// session.socket: the socket of a session, without what would disturb the session.

const { FunctionPrototypeBind, ReflectGetPrototypeOf } = primordials;

const {
  codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION, ERR_HTTP2_SOCKET_UNBOUND },
} = require('internal/errors');
const { kSocket } = require('internal/http2/util');

// These are methods of the session.
function isOfSession(name) {
  return name === 'setTimeout' || name === 'ref' || name === 'unref' || name === 'destroy';
}

function refuseManipulation(name) {
  switch (name) {
    case 'emit':
    case 'end':
    case 'pause':
    case 'read':
    case 'resume':
    case 'write':
    case 'setEncoding':
    case 'setKeepAlive':
    case 'setNoDelay':
      throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
  }
}

function socketOf(session) {
  const socket = session[kSocket];
  if (socket === undefined) throw new ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

module.exports = {
  get(session, name) {
    if (isOfSession(name)) return FunctionPrototypeBind(session[name], session);
    refuseManipulation(name);
    const socket = socketOf(session);
    const value = socket[name];
    return typeof value === 'function' ? FunctionPrototypeBind(value, socket) : value;
  },
  getPrototypeOf(session) {
    return ReflectGetPrototypeOf(socketOf(session));
  },
  set(session, name, value) {
    if (isOfSession(name)) {
      session[name] = value;
      return true;
    }
    refuseManipulation(name);
    socketOf(session)[name] = value;
    return true;
  },
};
