'use strict';
// TLSSocket: a net.Socket whose handle encrypts. It connects by itself, or takes over another socket or Duplex.

const {
  Boolean,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
} = primordials;

const net = require('net');
const { FastBuffer } = require('internal/buffer/fast');
const {
  codes: {
    ERR_TLS_HANDSHAKE_TIMEOUT,
    ERR_TLS_INVALID_CONTEXT,
    ERR_TLS_INVALID_STATE,
    ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED,
    ERR_TLS_SNI_FROM_SERVER,
    ERR_WORKER_HANDLE_NOT_TRANSFERABLE,
  },
} = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { kCheckTransfer } = require('internal/structured_clone');
const {
  validateBoolean, validateBuffer, validateFunction, validateInt32, validateObject, validateString, validateUint32,
} = require('internal/validators');
const { StreamHandle, kPipe, kTcp } = require('internal/net/stream_handle');
const { DuplexTransport } = require('internal/tls/duplex_transport');
const { HandleTransport } = require('internal/tls/handle_transport');
const { error: reportFailure } = require('internal/tls/handshake');
const { SecureContext, createSecureContext, isNativeContext } = require('internal/tls/secure_context');
const { sessionToUse, wrapSession } = require('internal/tls/session_state');
const {
  kALPNCallback,
  kConnectOptions,
  kDisableRenegotiation,
  kIsVerified,
  kPendingSession,
  kPskCallback,
} = require('internal/tls/symbols');
const { TlsHandle, makeTlsHandle } = require('internal/tls/handle');
const { setImmediate } = require('timers');

let hasWarnedOfTrace = false;

// True if OpenSSL prints all messages of the handshake.
function readTrace(option) {
  if (option !== undefined && option !== null) {
    validateBoolean(option, 'options.enableTrace');
    return option;
  }
  if (!getOptionValue('--trace-tls')) return false;
  if (!hasWarnedOfTrace) {
    hasWarnedOfTrace = true;
    process.emitWarning('Enabling --trace-tls can expose sensitive data in the resulting log.');
  }
  return true;
}

// The handle of a socket is taken over; a stream without one is read and written as a Duplex.
function transportOf(socket) {
  const handle = socket instanceof net.Socket ? socket._handle : null;
  if (handle instanceof TlsHandle) return new HandleTransport(handle);
  return handle instanceof StreamHandle ? handle : new DuplexTransport(socket);
}

function TLSSocket(socket, options) {
  const tlsOptions = { ...options };
  const isTraced = readTrace(tlsOptions.enableTrace);
  if (tlsOptions.ALPNProtocols) require('tls').convertALPNProtocols(tlsOptions.ALPNProtocols, tlsOptions);

  this._tlsOptions = tlsOptions;
  this._secureEstablished = false;
  this._securePending = false;
  this._newSessionPending = false;
  this._controlReleased = false;
  this.secureConnecting = true;
  this._SNICallback = null;
  this[kALPNCallback] = null;
  this.servername = null;
  this.alpnProtocol = null;
  this.authorized = false;
  this.authorizationError = null;
  this[kIsVerified] = false;
  this[kPendingSession] = null;
  this.encrypted = true;

  let wrap = null;
  let transport;
  if (socket) {
    transport = transportOf(socket);
    if (!(transport instanceof DuplexTransport)) wrap = socket;
  }
  // Unencrypted data that is still queued must be sent first.
  const isHeld = wrap !== null && wrap.writableLength > 0;
  FunctionPrototypeCall(net.Socket, this, {
    handle: this._wrapHandle(wrap, transport, isHeld),
    allowHalfOpen: socket ? socket.allowHalfOpen : tlsOptions.allowHalfOpen,
    pauseOnCreate: tlsOptions.pauseOnConnect,
    manualStart: true,
    highWaterMark: tlsOptions.highWaterMark,
    onread: !socket ? tlsOptions.onread : null,
    signal: tlsOptions.signal,
    noDelay: tlsOptions.noDelay,
    keepAlive: tlsOptions.keepAlive,
    keepAliveInitialDelay: tlsOptions.keepAliveInitialDelay,
  });
  this.ssl = this._handle;
  this.on('error', this._tlsError);
  this._init(socket, wrap);
  if (isTraced) this._handle?.enableTrace();
  if (transport instanceof DuplexTransport) {
    transport.begin((error) => this._emitTLSError(error), () => this.destroy());
  }
  if (isHeld) {
    // Completes after all earlier writes.
    wrap.write('', (error) => {
      if (error) {
        this.destroy(error);
      } else {
        this._handle?.resume();
      }
    });
  }
  // The program can add listeners before data arrives.
  process.nextTick(startReading, this, socket);
}
ObjectSetPrototypeOf(TLSSocket.prototype, net.Socket.prototype);
ObjectSetPrototypeOf(TLSSocket, net.Socket);

const { prototype } = TLSSocket;

function startReading(tlsSocket, socket) {
  if (!tlsSocket._handle) return;
  if (socket?.readableLength) {
    // Decrypt the data that the socket had read before.
    let chunk;
    while (tlsSocket._handle && (chunk = socket.read()) !== null) tlsSocket._handle.receive(chunk);
  }
  tlsSocket.read(0);
}

function destroyLater() {
  // Deferred, because a function of OpenSSL may be on the stack.
  setImmediate(() => this._destroySSL());
}

prototype._wrapHandle = function(wrap, transport, isHeld) {
  const options = this._tlsOptions;
  transport ??= new StreamHandle(options.pipe ? kPipe : kTcp);
  const context = options.secureContext || options.credentials || createSecureContext(options);
  if (!isNativeContext(context.context)) throw new ERR_TLS_INVALID_CONTEXT('context');
  const handle = makeTlsHandle(transport, wrap, context.context, Boolean(options.isServer), isHeld);
  // This function runs again for each further attempt to connect.
  if (this.listenerCount('close', destroyLater) === 0) this.on('close', destroyLater);
  wrap?.on('close', () => this.destroy());
  return handle;
};

// Called for the next attempt to connect, with another address.
prototype._replaceHandle = function(handle) {
  const old = this._handle;
  const servername = old.getServername();
  const session = old.getSession();
  FunctionPrototypeCall(net.Socket.prototype._replaceHandle, this, this._wrapHandle(null, handle, false));
  this.ssl = this._handle;
  this._init();
  if (readTrace(this._tlsOptions.enableTrace)) this._handle.enableTrace();
  if (session) this._handle.setSession(session);
  if (servername) this._handle.setServername(servername);
};

prototype._destroySSL = function() {
  if (!this.ssl) return;
  this.ssl.destroySSL();
  this.ssl = null;
  this[kPendingSession] = null;
  this[kIsVerified] = false;
};

// Native code reports keys and sessions only if there are listeners.
function enableKeyLog(event) {
  if (event !== 'keylog' || !this._handle) return;
  this._handle.enableKeylogCallback();
  this.removeListener('newListener', enableKeyLog);
}

function enableSessions(event) {
  if (event !== 'session' || !this._handle) return;
  this._handle.enableSessionCallbacks();
  this.removeListener('newListener', enableSessions);
}

let hasWarnedOfKeyLog = false;
let hasWarnedOfKeyLogError = false;

// --tls-keylog=FILE
function logKeys(socket, file) {
  if (!hasWarnedOfKeyLog) {
    hasWarnedOfKeyLog = true;
    process.emitWarning(
      `Using --tls-keylog makes TLS connections insecure by writing secret key material to file ${file}`);
  }
  const { appendFile } = require('fs');
  socket.on('keylog', (line) => {
    appendFile(file, line, { mode: 0o600 }, (error) => {
      if (!error || hasWarnedOfKeyLogError) return;
      hasWarnedOfKeyLogError = true;
      process.emitWarning(`Failed to write TLS keylog (this warning will not be repeated): ${error}`);
    });
  });
}

prototype._init = function(socket, wrap) {
  const options = this._tlsOptions;
  const handle = this._handle;
  this.server = options.server;
  this._requestCert = Boolean(options.requestCert) || !options.isServer;
  this._rejectUnauthorized = Boolean(options.rejectUnauthorized);
  if (this._requestCert || this._rejectUnauthorized) {
    handle.setVerifyMode(this._requestCert, this._rejectUnauthorized);
  }
  if (this.listenerCount('newListener', enableKeyLog) === 0) this.on('newListener', enableKeyLog);
  if (options.isServer) {
    initServerSide(this, handle, options);
  } else {
    if (options.session) handle.setSession(options.session);
    if (this.listenerCount('newListener', enableSessions) === 0) this.on('newListener', enableSessions);
  }
  const keyLogFile = getOptionValue('--tls-keylog');
  if (keyLogFile) logKeys(this, keyLogFile);
  if (options.ALPNProtocols) handle.setALPNProtocols(options.ALPNProtocols);
  if (options.pskCallback) initPsk(this, handle, options);
  const servername = this[kConnectOptions]?.servername;
  if (!options.isServer && servername) this.setServername(servername);
  if (options.handshakeTimeout > 0) this.setTimeout(options.handshakeTimeout, this._handleTimeout);
  if (socket instanceof net.Socket) {
    this._parent = socket;
    this.connecting = socket.connecting || !socket._handle;
    socket.once('connect', () => {
      this.connecting = false;
      this.emit('connect');
    });
  }
  if (!socket) {
    this.connecting = true;
  } else {
    wrap?.on('error', (error) => this._emitTLSError(error));
  }
};

function initServerSide(socket, handle, options) {
  if (options.ALPNCallback) {
    validateFunction(options.ALPNCallback, 'options.ALPNCallback');
    socket[kALPNCallback] = options.ALPNCallback;
    handle.enableALPNCb();
  }
  const { server } = options;
  if (server) {
    if (server.listenerCount('resumeSession') > 0 || server.listenerCount('newSession') > 0) {
      handle.enableSessionCallbacks();
    }
    if (server.listenerCount('OCSPRequest') > 0) handle.enableCertCb();
  }
  const { SNICallback } = options;
  // The default SNICallback of a server is only needed if there are contexts for names.
  if (SNICallback && (!SNICallback.isOfServer || server?._contexts.length)) {
    validateFunction(SNICallback, 'options.SNICallback');
    socket._SNICallback = SNICallback;
    handle.enableCertCb();
  }
}

function initPsk(socket, handle, options) {
  validateFunction(options.pskCallback, 'pskCallback');
  socket[kPskCallback] = options.pskCallback;
  handle.enablePskCallback();
  if (!options.pskIdentityHint) return;
  validateString(options.pskIdentityHint, 'options.pskIdentityHint');
  if (handle.setPskIdentityHint(options.pskIdentityHint) === false) {
    reportFailure(handle, new ERR_TLS_PSK_SET_IDENTITY_HINT_FAILED());
  }
}

prototype.disableRenegotiation = function disableRenegotiation() {
  this[kDisableRenegotiation] = true;
};

prototype.renegotiate = function(options, callback) {
  validateObject(options, 'options');
  if (callback !== undefined) validateFunction(callback, 'callback');
  if (this.destroyed) return;
  const requests = options.requestCert === undefined ? Boolean(this._requestCert) : Boolean(options.requestCert);
  const rejects = options.rejectUnauthorized === undefined ?
    Boolean(this._rejectUnauthorized) : Boolean(options.rejectUnauthorized);
  if (requests !== this._requestCert || rejects !== this._rejectUnauthorized) {
    this._handle.setVerifyMode(requests, rejects);
    this._requestCert = requests;
    this._rejectUnauthorized = rejects;
  }
  // An empty write makes OpenSSL send the messages that it has prepared.
  this.write('');
  try {
    this._handle.renegotiate();
  } catch (error) {
    if (callback) process.nextTick(callback, error);
    return false;
  }
  this.write('');
  if (callback) this.once('secure', () => callback(null));
  return true;
};

prototype.exportKeyingMaterial = function(length, label, context) {
  validateUint32(length, 'length', true);
  validateString(label, 'label');
  if (context !== undefined) validateBuffer(context, 'context');
  if (!this._secureEstablished) throw new ERR_TLS_INVALID_STATE();
  return new FastBuffer(this._handle.exportedBytes(length, label, context));
};

prototype.setMaxSendFragment = function setMaxSendFragment(size) {
  validateInt32(size, 'size');
  return this._handle.setMaxSendFragment(size) === 1;
};

prototype._handleTimeout = function() {
  this._emitTLSError(new ERR_TLS_HANDSHAKE_TIMEOUT());
};

prototype._emitTLSError = function(error) {
  const visible = this._tlsError(error);
  if (visible) this.emit('error', visible);
};

// Until a server has given the socket to the program, its errors belong to the server.
prototype._tlsError = function(error) {
  this.emit('_tlsError', error);
  return this._controlReleased ? error : null;
};

prototype._releaseControl = function() {
  if (this._controlReleased) return false;
  this._controlReleased = true;
  this.removeListener('error', this._tlsError);
  return true;
};

// The handshake is done.
prototype._finishInit = function() {
  // A listener may have destroyed the socket because of earlier data in the same record.
  if (!this._handle) return;
  this.alpnProtocol = this._handle.getALPNNegotiatedProtocol();
  if (this.servername === null) this.servername = this._handle.getServername();
  this._secureEstablished = true;
  if (this._tlsOptions.handshakeTimeout > 0) this.setTimeout(0, this._handleTimeout);
  this.emit('secure');
};

// Begins the handshake of a client.
prototype._start = function() {
  if (this.connecting) {
    this.once('connect', this._start);
    return;
  }
  if (!this._handle) return;
  if (this._tlsOptions.requestOCSP) this._handle.requestOCSP();
  this._handle.start();
};

prototype.setServername = function(name) {
  validateString(name, 'name');
  if (this._tlsOptions.isServer) throw new ERR_TLS_SNI_FROM_SERVER();
  this._handle.setServername(name);
};

prototype.setSession = function(session) {
  const bytes = sessionToUse(session, this[kConnectOptions] || this._tlsOptions);
  if (bytes !== undefined) this._handle.setSession(bytes);
};

prototype.getSession = function() {
  if (!this._handle) return null;
  return wrapSession(this._handle.getSession(), this[kConnectOptions] || this._tlsOptions);
};

prototype.getPeerCertificate = function(detailed) {
  if (!this._handle) return null;
  return require('internal/tls/certificates').peerCertificate(this._handle, detailed);
};

prototype.getCertificate = function() {
  if (!this._handle) return null;
  return require('internal/tls/certificates').ownCertificate(this._handle);
};

prototype.getPeerX509Certificate = function(detailed) {
  return require('internal/tls/certificates').toX509(this._handle?.peerCertificate());
};

prototype.getX509Certificate = function() {
  return require('internal/tls/certificates').toX509(this._handle?.certificateHandle());
};

prototype.setKeyCert = function(context) {
  if (!this._handle) return;
  const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
  this._handle.setKeyCert(secureContext.context);
};

function addProxy(name) {
  prototype[name] = function(...args) {
    return this._handle ? ReflectApply(this._handle[name], this._handle, args) : null;
  };
}
addProxy('getCipher');
addProxy('getSharedSigalgs');
addProxy('getEphemeralKeyInfo');
addProxy('getFinished');
addProxy('getPeerFinished');
addProxy('getProtocol');
addProxy('getTLSTicket');
addProxy('isSessionReused');
addProxy('enableTrace');

ObjectDefineProperty(prototype, kCheckTransfer, {
  __proto__: null,
  configurable: true,
  writable: true,
  value() { throw new ERR_WORKER_HANDLE_NOT_TRANSFERABLE('TLSSocket'); },
});
ObjectDefineProperty(prototype, '_replaceHandle', { __proto__: null, enumerable: false });

module.exports = { TLSSocket };
