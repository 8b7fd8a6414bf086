'use strict';
// The steps of a handshake: native code calls these functions with the TlsHandle. Those of a server may wait for
// the program, and the handshake with them.

const {
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  RegExpPrototypeExec,
  TypeError,
} = primordials;

const { Buffer } = require('buffer');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_MULTIPLE_CALLBACK,
    ERR_SOCKET_CLOSED,
    ERR_TLS_ALPN_CALLBACK_INVALID_RESULT,
    ERR_TLS_RENEGOTIATION_DISABLED,
    ERR_TLS_SESSION_ATTACK,
  },
} = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateBuffer, validateObject, validateString } = require('internal/validators');
const { isNativeContext } = require('internal/tls/secure_context');
const { wrapSession } = require('internal/tls/session_state');
const {
  kALPNCallback,
  kConnectOptions,
  kDisableRenegotiation,
  kIsVerified,
  kPendingSession,
  kPskCallback,
} = require('internal/tls/symbols');

// Limits renegotiation: a peer could keep this side busy with handshakes.
function handshakeStart(handle, now) {
  const socket = handle.owner;
  if (!socket._tlsOptions.isServer) return;
  const before = handle.lastHandshakeTime;
  handle.lastHandshakeTime = now;
  if (before === 0) return;
  const { CLIENT_RENEG_LIMIT, CLIENT_RENEG_WINDOW } = require('tls');
  handle.handshakes = now - before >= CLIENT_RENEG_WINDOW * 1000 ? 1 : handle.handshakes + 1;
  if (handle.handshakes > CLIENT_RENEG_LIMIT) {
    socket._emitTLSError(new ERR_TLS_SESSION_ATTACK());
  } else if (socket[kDisableRenegotiation]) {
    socket._emitTLSError(new ERR_TLS_RENEGOTIATION_DISABLED());
  }
}

function handshakeDone(handle) {
  const socket = handle.owner;
  // Wait for a listener of 'newSession' that has not called back yet.
  if (socket._newSessionPending) {
    socket._securePending = true;
  } else {
    socket._finishInit();
  }
}

// A callback for the program that destroys the socket if it is called twice, with an error, or too late; otherwise
// `fn(result)` is called.
function answerOnce(socket, fn) {
  let isAnswered = false;
  return (error, result) => {
    if (isAnswered) {
      socket.destroy(new ERR_MULTIPLE_CALLBACK());
      return;
    }
    isAnswered = true;
    if (error) {
      socket.destroy(error);
    } else if (socket._handle === null) {
      socket.destroy(new ERR_SOCKET_CLOSED());
    } else {
      fn(result);
    }
  };
}

// The client wants to resume a session, which a program may have stored.
function clientHello(handle, sessionId, hasTicket) {
  const socket = handle.owner;
  const { server } = socket;
  const answer = answerOnce(socket, (session) => {
    socket._handle.loadSession(session);
    socket._handle.endParser();
  });
  if (sessionId.length === 0 || hasTicket) {
    handle.endParser();
    return;
  }
  if (!server) return;
  let isHeard = true;
  try {
    isHeard = server.emit('resumeSession', sessionId, answer);
  } catch (error) {
    answer(error);
  }
  if (!isHeard) handle.endParser();
}

// The server's certificate is needed: it may depend on the name that the client has asked for.
function certificate(handle, servername, wantsStatus) {
  const socket = handle.owner;
  if (!servername || !socket._SNICallback) {
    askForStatus(socket, wantsStatus);
    return;
  }
  try {
    socket._SNICallback(servername, answerOnce(socket, (context) => {
      if (context) handle.sni_context = context.context || context;
      askForStatus(socket, wantsStatus);
    }));
  } catch (error) {
    socket.destroy(error);
  }
}

// The client wants to know whether the certificate is still valid (OCSP).
function askForStatus(socket, isWanted) {
  const { server } = socket;
  let context = socket._handle.sni_context || server?._sharedCreds;
  if (!isWanted || !server || !context || server.listenerCount('OCSPRequest') === 0) {
    finishCertificate(socket);
    return;
  }
  context = context.context || context;
  try {
    server.emit('OCSPRequest', context.getCertificate(), context.getIssuer(), answerOnce(socket, (response) => {
      if (response) socket._handle.setOCSPResponse(response);
      finishCertificate(socket);
    }));
  } catch (error) {
    socket.destroy(error);
  }
}

function finishCertificate(socket) {
  const handle = socket._handle;
  const context = handle.sni_context;
  if (typeof context === 'object' && context !== null && !isNativeContext(context)) {
    error(handle, new TypeError('Invalid SNI context'));
    return;
  }
  try {
    handle.finishCertificate(context);
  } catch (failure) {
    socket.destroy(failure);
  }
}

function newSession(handle, id, session) {
  const socket = handle.owner;
  if (!socket._tlsOptions.isServer) {
    const wrapped = wrapSession(session, socket[kConnectOptions]);
    if (socket[kIsVerified]) {
      socket.emit('session', wrapped);
    } else {
      socket[kPendingSession] = wrapped;
    }
    return;
  }
  const { server } = socket;
  if (!server) return;
  let isDone = false;
  const done = () => {
    if (isDone) return;
    isDone = true;
    if (socket._handle === null) {
      socket.destroy(new ERR_SOCKET_CLOSED());
      return;
    }
    handle.newSessionDone();
    socket._newSessionPending = false;
    if (socket._securePending) socket._finishInit();
    socket._securePending = false;
  };
  socket._newSessionPending = true;
  let isHeard = false;
  try {
    isHeard = server.emit('newSession', id, session, done);
  } catch (error) {
    server.emit('error', error);
  }
  if (!isHeard) done();
}

function keyLog(handle, line) {
  handle.owner.emit('keylog', line);
}

function ocspResponse(handle, bytes) {
  handle.owner.emit('OCSPResponse', bytes);
}

// The offset of the chosen one among the protocols, each of which is preceded by its size; undefined if there is none.
function alpn(handle, bytes) {
  const socket = handle.owner;
  try {
    const protocols = [];
    const offsets = [];
    for (let at = 0; at < bytes.length; at += 1 + bytes[at]) {
      ArrayPrototypePush(offsets, at);
      ArrayPrototypePush(protocols, bytes.toString('ascii', at + 1, at + 1 + bytes[at]));
    }
    const chosen = socket[kALPNCallback]({ servername: handle.getServername(), protocols });
    if (chosen === undefined) return undefined;
    const index = ArrayPrototypeIndexOf(protocols, chosen);
    if (index === -1) throw new ERR_TLS_ALPN_CALLBACK_INVALID_RESULT(chosen, protocols);
    return offsets[index];
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

function checkPsk(psk, most) {
  validateBuffer(psk, 'psk');
  if (psk.byteLength > most) throw new ERR_INVALID_ARG_VALUE('psk', psk, `Pre-shared key exceeds ${most} bytes`);
}

function pskServer(handle, identity, most) {
  const socket = handle.owner;
  try {
    const answer = socket[kPskCallback](socket, identity);
    if (answer === undefined || answer === null) return undefined;
    if (typeof answer !== 'object') {
      throw new ERR_INVALID_ARG_TYPE('ret', ['Object', 'Buffer', 'TypedArray', 'DataView'], answer);
    }
    const psk = isArrayBufferView(answer) ? answer : answer.psk;
    checkPsk(psk, most);
    return psk;
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

function pskClient(handle, hint, most, mostIdentity) {
  const socket = handle.owner;
  try {
    const answer = socket[kPskCallback](hint);
    if (answer === undefined || answer === null) return undefined;
    validateObject(answer, 'ret');
    const { identity, psk } = answer;
    checkPsk(psk, most);
    validateString(identity, 'identity');
    if (Buffer.byteLength(identity) > mostIdentity) {
      throw new ERR_INVALID_ARG_VALUE('identity', identity, `PSK identity exceeds ${mostIdentity} bytes`);
    }
    return [psk, identity];
  } catch (error) {
    socket.destroy(error);
    return undefined;
  }
}

// The connection is unusable.
function error(handle, failure) {
  const socket = handle.owner;
  if (socket._hadError) return;
  socket._hadError = true;
  if (!socket._secureEstablished) {
    socket._closeAfterHandlingError = true;
    socket.destroy(failure);
  } else if (socket._tlsOptions?.isServer && socket._rejectUnauthorized &&
      RegExpPrototypeExec(/peer did not return a certificate/, failure.message) !== null) {
    socket.destroy();
  } else {
    socket._emitTLSError(failure);
  }
}

module.exports = {
  alpn,
  certificate,
  clientHello,
  error,
  handshakeDone,
  handshakeStart,
  keyLog,
  newSession,
  ocspResponse,
  pskClient,
  pskServer,
};
