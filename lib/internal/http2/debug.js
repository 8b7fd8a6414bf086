'use strict';
// Messages for NODE_DEBUG=http2.

const { SafeArrayIterator } = primordials;

const { constants } = require('internal/http2/constants');
const { kID, kSession, kType } = require('internal/http2/util');

let debug = require('internal/util/debuglog').debuglog('http2', (fn) => { debug = fn; });

function nameOf(session) {
  return session?.[kType] === constants.NGHTTP2_SESSION_CLIENT ? 'client' : 'server';
}

function debugSession(session, message, ...args) {
  if (!debug.enabled) return;
  debug(`Http2Session ${nameOf(session)}: ${message}`, ...new SafeArrayIterator(args));
}

function debugStream(stream, message, ...args) {
  if (!debug.enabled) return;
  debug(`Http2Stream ${stream[kID] ?? 'pending'} [Http2Session ${nameOf(stream[kSession])}]: ${message}`,
    ...new SafeArrayIterator(args));
}

module.exports = { debugSession, debugStream };
