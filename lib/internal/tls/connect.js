'use strict';
// tls.connect(): a client, which checks the certificate of the server.

const { Boolean, ObjectAssign } = primordials;

const net = require('net');
const {
  ConnResetException, codes: { ERR_INVALID_ARG_VALUE, ERR_TLS_DH_PARAM_SIZE },
} = require('internal/errors');
const { isIP } = require('internal/net');
const { validateFunction, validateNumber } = require('internal/validators');
const { serverOf, sessionToUse } = require('internal/tls/session_state');
const { TLSSocket } = require('internal/tls/socket');
const { kConnectOptions, kIsVerified, kPendingSession } = require('internal/tls/symbols');

let hasWarned = false;

function allowsUnauthorized() {
  const isAllowed = process.env.NODE_TLS_REJECT_UNAUTHORIZED === '0';
  if (isAllowed && !hasWarned) {
    hasWarned = true;
    process.emitWarning(
      'Setting the NODE_TLS_REJECT_UNAUTHORIZED environment variable to \'0\' makes TLS connections and HTTPS ' +
      'requests insecure by disabling certificate verification.');
  }
  return isAllowed;
}

// ([port[, host]][, options][, callback]): options of the second or third argument replace those before them.
function normalize(args) {
  const { 0: options, 1: callback } = net._normalizeArgs(args);
  if (args[1] !== null && typeof args[1] === 'object') {
    ObjectAssign(options, args[1]);
  } else {
    ObjectAssign(options, args[2]);
  }
  return { options, callback };
}

// The handshake is done: checks that this is the right server.
function onSecure() {
  // Another listener may have destroyed the socket.
  if (!this._handle || this.ssl === null) return;
  const options = this[kConnectOptions];
  const key = this.getEphemeralKeyInfo();
  if (key.type === 'DH' && key.size < options.minDHSize) {
    this.emit('error', new ERR_TLS_DH_PARAM_SIZE(key.size));
    this.destroy();
    return;
  }
  let problem = this._handle.verifyError();
  // The certificate of a resumed session was checked when the session began.
  if (!problem && !this.isSessionReused()) {
    problem = options.checkServerIdentity(serverOf(options), this.getPeerCertificate(true));
  }
  if (problem) {
    this.authorized = false;
    this.authorizationError = problem.code || problem.message;
    if (options.rejectUnauthorized !== false) {
      this.destroy(problem);
      return;
    }
  } else {
    this.authorized = true;
  }
  this.secureConnecting = false;
  this.emit('secureConnect');
  this[kIsVerified] = true;
  const session = this[kPendingSession];
  this[kPendingSession] = null;
  if (session) this.emit('session', session);
  this.removeListener('end', onEnd);
}

function onEnd() {
  if (this._hadError) return;
  this._hadError = true;
  const { path, host, port, localAddress } = this[kConnectOptions];
  const error = new ConnResetException(
    'Client network socket disconnected before secure TLS connection was established');
  this.destroy(ObjectAssign(error, { path, host, port, localAddress }));
}

function connect(...args) {
  const { options: given, callback } = normalize(args);
  const tls = require('tls'); // A program may change the defaults.
  const options = {
    rejectUnauthorized: !allowsUnauthorized(),
    ciphers: tls.DEFAULT_CIPHERS,
    checkServerIdentity: tls.checkServerIdentity,
    minDHSize: 1024,
    ...given,
  };
  if (!options.keepAlive) options.singleUse = true;
  validateFunction(options.checkServerIdentity, 'options.checkServerIdentity');
  validateNumber(options.minDHSize, 'options.minDHSize', 1);
  const secureContext = options.secureContext || tls.createSecureContext(options);
  if (options.servername && isIP(options.servername) !== 0) {
    throw new ERR_INVALID_ARG_VALUE('options.servername', options.servername,
      'Setting the TLS ServerName to an IP address is not permitted.');
  }
  options.session = sessionToUse(options.session, options);
  // An explicit undefined has replaced the default.
  const rejectUnauthorized = options.rejectUnauthorized !== false;
  const socket = new TLSSocket(options.socket, {
    allowHalfOpen: options.allowHalfOpen,
    pipe: Boolean(options.path),
    secureContext,
    isServer: false,
    requestCert: true,
    rejectUnauthorized,
    session: options.session,
    ALPNProtocols: options.ALPNProtocols,
    requestOCSP: options.requestOCSP,
    enableTrace: options.enableTrace,
    pskCallback: options.pskCallback,
    highWaterMark: options.highWaterMark,
    onread: options.onread,
    signal: options.signal,
    noDelay: options.noDelay,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
  });
  options.rejectUnauthorized = rejectUnauthorized;
  socket[kConnectOptions] = options;
  if (callback) socket.once('secureConnect', callback);
  // A signal may have been aborted before.
  if (!options.socket && !socket.destroyed) {
    if (options.timeout) socket.setTimeout(options.timeout);
    socket.connect(options, socket._start);
  }
  socket._releaseControl();
  if (options.servername && socket._handle) socket.setServername(options.servername);
  if (options.socket) socket._start();
  socket.on('secure', onSecure);
  socket.prependListener('end', onEnd);
  return socket;
}

module.exports = { connect };
