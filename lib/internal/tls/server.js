'use strict';
// tls.Server: a net.Server that gives each connection to a TLSSocket.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  Boolean,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
  RegExp,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringPrototypeSlice,
} = primordials;

const EventEmitter = require('events');
const net = require('net');
const { Buffer } = require('buffer');
const {
  ConnResetException,
  codes: { ERR_INVALID_ARG_TYPE, ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS, ERR_TLS_REQUIRED_SERVER_NAME },
} = require('internal/errors');
const assert = require('internal/assert');
const { kEmptyObject } = require('internal/util');
const {
  validateBuffer, validateFunction, validateNumber, validateObject, validateString,
} = require('internal/validators');
const { SecureContext, createSecureContext } = require('internal/tls/secure_context');
const { TLSSocket } = require('internal/tls/socket');
const {
  kEnableTrace, kErrorEmitted, kHandshakeTimeout, kPskCallback, kPskIdentityHint, kSNICallback,
} = require('internal/tls/symbols');

const kDefaultHandshakeTimeout = 120_000;
const kTicketKeysSize = 48;

function onSecure() {
  if (this._requestCert) {
    const problem = this._handle.verifyError();
    if (problem) {
      this.authorizationError = problem.code;
      if (this._rejectUnauthorized) this.destroy();
    } else {
      this.authorized = true;
    }
  }
  if (!this.destroyed && this._releaseControl()) {
    this.secureConnecting = false;
    this._tlsOptions.server.emit('secureConnection', this);
  }
}

function onTlsError(error) {
  if (this._controlReleased || this[kErrorEmitted]) return;
  this[kErrorEmitted] = true;
  this._tlsOptions.server.emit('tlsClientError', error, this);
}

// The client has closed the connection before the handshake was complete.
function onClose(hadError) {
  if (!hadError) FunctionPrototypeCall(onTlsError, this, new ConnResetException('socket hang up'));
}

function onKeyLog(line) {
  this._tlsOptions.server.emit('keylog', line, this);
}

function onConnection(rawSocket) {
  const socket = new TLSSocket(rawSocket, {
    secureContext: this._sharedCreds,
    isServer: true,
    server: this,
    requestCert: this.requestCert,
    rejectUnauthorized: this.rejectUnauthorized,
    handshakeTimeout: this[kHandshakeTimeout],
    ALPNProtocols: this.ALPNProtocols,
    ALPNCallback: this.ALPNCallback,
    SNICallback: this[kSNICallback] || findContext,
    enableTrace: this[kEnableTrace],
    pauseOnConnect: this.pauseOnConnect,
    pskCallback: this[kPskCallback],
    pskIdentityHint: this[kPskIdentityHint],
  });
  socket.on('secure', onSecure);
  if (this.listenerCount('keylog') > 0) socket.on('keylog', onKeyLog);
  socket[kErrorEmitted] = false;
  socket.on('close', onClose);
  socket.on('_tlsError', onTlsError);
  socket.on('error', onTlsError);
}

// The context for a name, of those that were added with addContext(): the newest first.
function findContext(servername, callback) {
  const contexts = this.server._contexts;
  for (let i = contexts.length - 1; i >= 0; i--) {
    const { 0: pattern, 1: context } = contexts[i];
    if (RegExpPrototypeExec(pattern, servername) !== null) {
      callback(null, context);
      return;
    }
  }
  callback(null, undefined);
}
findContext.isOfServer = true;

function Server(options, listener) {
  if (!(this instanceof Server)) return new Server(options, listener);
  if (typeof options === 'function') {
    listener = options;
    options = kEmptyObject;
  } else if (options === undefined || options === null) {
    options = kEmptyObject;
  } else if (typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  this._contexts = [];
  this.requestCert = options.requestCert === true;
  this.rejectUnauthorized = options.rejectUnauthorized !== false;
  this.ALPNCallback = options.ALPNCallback;
  if (this.ALPNCallback && options.ALPNProtocols) throw new ERR_TLS_ALPN_CALLBACK_WITH_PROTOCOLS();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  if (options.ALPNProtocols) require('tls').convertALPNProtocols(options.ALPNProtocols, this);
  this.setSecureContext(options);
  this[kHandshakeTimeout] = options.handshakeTimeout || kDefaultHandshakeTimeout;
  this[kSNICallback] = options.SNICallback;
  this[kPskCallback] = options.pskCallback;
  this[kPskIdentityHint] = options.pskIdentityHint;
  validateNumber(this[kHandshakeTimeout], 'options.handshakeTimeout');
  if (this[kSNICallback]) validateFunction(this[kSNICallback], 'options.SNICallback');
  if (this[kPskCallback]) validateFunction(this[kPskCallback], 'options.pskCallback');
  if (this[kPskIdentityHint]) validateString(this[kPskIdentityHint], 'options.pskIdentityHint');
  FunctionPrototypeCall(net.Server, this, options, onConnection);
  if (listener) this.on('secureConnection', listener);
  this[kEnableTrace] = options.enableTrace;
}
ObjectSetPrototypeOf(Server.prototype, net.Server.prototype);
ObjectSetPrototypeOf(Server, net.Server);

const { prototype } = Server;

// The options that are properties of the server as well: those that are not set are undefined.
const falsyIsUnset = [
  'pfx', 'key', 'passphrase', 'cert', 'clientCertEngine', 'ca', 'minVersion', 'maxVersion', 'secureProtocol', 'crl',
  'ciphers', 'dhparam', 'secureOptions',
];
const asTheyAre = [
  'sigalgs', 'ecdhCurve', 'privateKeyIdentifier', 'privateKeyEngine', 'certificateCompression',
];

// Connections of the same program have the same context, so that they can resume each other's sessions.
function defaultSessionIdContext() {
  const { createHash } = require('crypto');
  const hash = createHash('sha1').update(ArrayPrototypeJoin(process.argv, ' ')).digest('hex');
  return StringPrototypeSlice(hash, 0, 32);
}

prototype.setSecureContext = function(options) {
  validateObject(options, 'options');
  for (let i = 0; i < falsyIsUnset.length; i++) this[falsyIsUnset[i]] = options[falsyIsUnset[i]] || undefined;
  for (let i = 0; i < asTheyAre.length; i++) this[asTheyAre[i]] = options[asTheyAre[i]];
  this.honorCipherOrder = options.honorCipherOrder === undefined || Boolean(options.honorCipherOrder);
  this.sessionIdContext = options.sessionIdContext || defaultSessionIdContext();
  if (options.sessionTimeout) this.sessionTimeout = options.sessionTimeout;
  if (options.ticketKeys) this.ticketKeys = options.ticketKeys;
  const { honorCipherOrder, sessionIdContext, sessionTimeout, ticketKeys } = this;
  const own = { honorCipherOrder, sessionIdContext, sessionTimeout, ticketKeys };
  for (let i = 0; i < falsyIsUnset.length; i++) own[falsyIsUnset[i]] = this[falsyIsUnset[i]];
  for (let i = 0; i < asTheyAre.length; i++) own[asTheyAre[i]] = this[asTheyAre[i]];
  this._sharedCreds = createSecureContext(own);
};

prototype._getServerData = function() {
  return { ticketKeys: this.getTicketKeys().toString('hex') };
};

prototype._setServerData = function(data) {
  this.setTicketKeys(Buffer.from(data.ticketKeys, 'hex'));
};

prototype.getTicketKeys = function getTicketKeys() {
  return this._sharedCreds.context.getTicketKeys();
};

prototype.setTicketKeys = function setTicketKeys(keys) {
  validateBuffer(keys);
  assert(keys.byteLength === kTicketKeysSize, 'Session ticket keys must be a 48-byte buffer');
  this._sharedCreds.context.setTicketKeys(keys);
};

prototype.addContext = function(servername, context) {
  if (!servername) throw new ERR_TLS_REQUIRED_SERVER_NAME();
  // A `*` stands for a part of one label.
  const pattern = RegExpPrototypeSymbolReplace(/[.^$+?\-\\[\]{}*]/g, servername,
    (character) => (character === '*' ? '[^.]*' : `\\${character}`));
  const secureContext = context instanceof SecureContext ? context : createSecureContext(context);
  ArrayPrototypePush(this._contexts, [new RegExp(`^${pattern}$`, 'i'), secureContext.context]);
};

prototype[EventEmitter.captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'secureConnection') {
    socket.destroy(error);
  } else {
    FunctionPrototypeCall(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, error, event, socket);
  }
};

function createServer(options, listener) {
  return new Server(options, listener);
}

module.exports = { Server, createServer };
