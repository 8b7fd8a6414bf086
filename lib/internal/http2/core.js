'use strict';
// Servers, and connect().

const {
  ArrayPrototypePush,
  ArrayPrototypeUnshift,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  Promise,
  ReflectApply,
  SafeSet,
  StringPrototypeSlice,
} = primordials;

const EventEmitter = require('events');
const net = require('net');
const tls = require('tls');
const { clearTimeout, setTimeout } = require('timers');
const {
  codes: { ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS, ERR_HTTP2_UNSUPPORTED_PROTOCOL },
} = require('internal/errors');
const { SymbolAsyncDispose, kEmptyObject, promisify } = require('internal/util');
const { validateBoolean, validateFunction, validateNumber, validateUint32 } = require('internal/validators');
const { isIP } = require('internal/net');
const { ClientHttp2Session } = require('internal/http2/client_session');
const { Http2ServerRequest, Http2ServerResponse, onServerStream } = require('internal/http2/compat');
const { ServerHttp2Session } = require('internal/http2/server_session');
const { validateSettings } = require('internal/http2/settings');
const {
  assertIsArray,
  assertIsObject,
  kAuthority,
  kMaxOriginSetSize,
  kOptions,
  kProtocol,
  kServer,
  kSessions,
} = require('internal/http2/util');
const { kMostCustomSettings } = internalBinding('http2');

let debug = require('internal/util/debuglog').debuglog('http2', (fn) => { debug = fn; });

const kUnknownProtocolTimeout = 10_000;
const kMaxOrigins = 128;

// Listeners of the sessions of a server.
function onSessionStream(stream, headers, flags, rawHeaders) {
  this[kServer]?.emit('stream', stream, headers, flags, rawHeaders);
}

function onSessionPriority(stream, parent, weight, exclusive) {
  this[kServer]?.emit('priority', stream, parent, weight, exclusive);
}

function onSessionError(error) {
  this[kServer]?.emit('sessionError', error, this);
}

function onSessionTimeout() {
  if (this.destroyed || this.closed) return;
  if (!this[kServer].emit('timeout', this)) this.destroy();
}

// A client of a secure server that does not support HTTP/2.
function refuseProtocol(server, socket, options) {
  debug('Unknown protocol from %s:%s', socket.remoteAddress, socket.remotePort);
  if (server.emit('unknownProtocol', socket)) return;
  const timer = setTimeout(() => {
    if (!socket.destroyed) socket.destroy();
  }, options.unknownProtocolTimeout);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
  // The client may support HTTP/1.
  socket.end('HTTP/1.0 403 Forbidden\r\n' +
    'Content-Type: text/plain\r\n\r\n' +
    'Missing ALPN Protocol, expected `h2` to be available.\n' +
    'If this is a HTTP request: The server was not ' +
    'configured with the `allowHTTP1` option or a ' +
    'listener for the `unknownProtocol` event.\n');
}

function connectionListener(socket) {
  debug('Http2Session server: received a connection');
  const options = this[kOptions] || {};
  if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') {
    if (options.allowHTTP1 === true) {
      FunctionPrototypeCall(require('internal/http/server').connectionListener, this, socket);
    } else {
      refuseProtocol(this, socket, options);
    }
    return;
  }
  const session = new ServerHttp2Session(options, socket, this);
  session.on('stream', onSessionStream);
  session.on('error', onSessionError);
  session.on('priority', onSessionPriority);
  if (this.timeout) session.setTimeout(this.timeout, onSessionTimeout);
  socket[kServer] = this;
  this.emit('session', session);
}

function copyRemoteSettings(options) {
  assertIsArray(options.remoteCustomSettings, 'options.remoteCustomSettings');
  if (!options.remoteCustomSettings) return;
  options.remoteCustomSettings = [...options.remoteCustomSettings];
  if (options.remoteCustomSettings.length > kMostCustomSettings) throw new ERR_HTTP2_TOO_MANY_CUSTOM_SETTINGS();
}

function readStrictness(options) {
  if (options.strictSingleValueFields !== undefined) {
    validateBoolean(options.strictSingleValueFields, 'options.strictSingleValueFields');
  } else {
    options.strictSingleValueFields = true;
  }
}

function initializeOptions(options) {
  assertIsObject(options, 'options');
  options = { ...options };
  assertIsObject(options.settings, 'options.settings');
  options.settings = { ...options.settings };
  copyRemoteSettings(options);
  const { maxSessionInvalidFrames, maxSessionRejectedStreams, unknownProtocolTimeout } = options;
  if (maxSessionInvalidFrames !== undefined) {
    validateUint32(maxSessionInvalidFrames, 'options.maxSessionInvalidFrames');
  }
  if (maxSessionRejectedStreams !== undefined) {
    validateUint32(maxSessionRejectedStreams, 'options.maxSessionRejectedStreams');
  }
  if (unknownProtocolTimeout !== undefined) {
    validateUint32(unknownProtocolTimeout, 'options.unknownProtocolTimeout');
  } else {
    options.unknownProtocolTimeout = kUnknownProtocolTimeout;
  }
  readStrictness(options);
  options.http1Options = { ...options.http1Options };
  // Older names.
  if (options.Http1IncomingMessage !== undefined) {
    options.http1Options.IncomingMessage ??= options.Http1IncomingMessage;
  }
  if (options.Http1ServerResponse !== undefined) {
    options.http1Options.ServerResponse ??= options.Http1ServerResponse;
  }
  options.Http2ServerRequest ||= Http2ServerRequest;
  options.Http2ServerResponse ||= Http2ServerResponse;
  return options;
}

function initializeTLSOptions(options, servername) {
  options = initializeOptions(options);
  if (!options.ALPNCallback) {
    options.ALPNProtocols = ['h2'];
    if (options.allowHTTP1 === true) ArrayPrototypePush(options.ALPNProtocols, 'http/1.1');
  }
  if (servername !== undefined && !options.servername) options.servername = servername;
  return options;
}

// The compatibility API is used once there is a listener for 'request'.
function setUpCompat(event) {
  if (event !== 'request') return;
  this.removeListener('newListener', setUpCompat);
  const { Http2ServerRequest: Request, Http2ServerResponse: Response } = this[kOptions];
  this.on('stream', (stream, headers, flags, rawHeaders) => {
    onServerStream(this, Request, Response, stream, headers, rawHeaders);
  });
}

function setUp(server, options, requestListener) {
  server[kOptions] = options;
  server[kSessions] = new SafeSet();
  server.timeout = 0;
  server.on('newListener', setUpCompat);
  if (typeof requestListener === 'function') server.on('request', requestListener);
}

// Methods of both kinds of servers.
function setServerTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.on('timeout', callback);
  }
  return this;
}

function updateSettings(settings) {
  assertIsObject(settings, 'settings');
  validateSettings(settings);
  this[kOptions].settings = { ...this[kOptions].settings, ...settings };
}

function closeSessions(server) {
  for (const session of server[kSessions]) session.close();
}

function onTlsClientError(error, socket) {
  if (!this.emit('clientError', error, socket)) socket.destroy(error);
}

class Http2SecureServer extends tls.Server {
  constructor(options, requestListener) {
    options = initializeTLSOptions(options);
    super(options, connectionListener);
    setUp(this, options);
    if (options.allowHTTP1 === true) {
      const { setupConnectionsTracking, storeHTTPOptions } = require('internal/http/server');
      FunctionPrototypeCall(storeHTTPOptions, this, { ...options, ...options.http1Options });
      this.shouldUpgradeCallback = function() {
        return this.listenerCount('upgrade') > 0;
      };
      this.on('listening', setupConnectionsTracking);
    }
    if (typeof requestListener === 'function') this.on('request', requestListener);
    this.on('tlsClientError', onTlsClientError);
  }

  setTimeout(msecs, callback) {
    return FunctionPrototypeCall(setServerTimeout, this, msecs, callback);
  }

  updateSettings(settings) {
    FunctionPrototypeCall(updateSettings, this, settings);
  }

  close(...args) {
    ReflectApply(tls.Server.prototype.close, this, args);
    if (this[kOptions].allowHTTP1 === true) require('internal/http/server').httpServerPreClose(this);
    closeSessions(this);
  }

  closeIdleConnections(...args) {
    if (this[kOptions].allowHTTP1 !== true) return;
    ReflectApply(require('internal/http/server').Server.prototype.closeIdleConnections, this, args);
  }
}

class Http2Server extends net.Server {
  constructor(options, requestListener) {
    options = initializeOptions(options);
    super(options, connectionListener);
    setUp(this, options, requestListener);
  }

  setTimeout(msecs, callback) {
    return FunctionPrototypeCall(setServerTimeout, this, msecs, callback);
  }

  updateSettings(settings) {
    FunctionPrototypeCall(updateSettings, this, settings);
  }

  close(...args) {
    ReflectApply(net.Server.prototype.close, this, args);
    closeSessions(this);
  }

  async [SymbolAsyncDispose]() {
    await FunctionPrototypeCall(promisify(net.Server.prototype.close), this);
  }
}

function failRequest(response) {
  if (response.headersSent || response.finished) {
    response.destroy();
    return;
  }
  // The fields that are set may not be meant for an error.
  const names = response.getHeaderNames();
  for (let i = 0; i < names.length; i++) response.removeHeader(names[i]);
  response.statusCode = 500;
  response.end(require('internal/http/status_codes')[500]);
}

Http2Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, ...args) {
  if (event === 'stream') {
    const { 0: stream } = args;
    if (stream.sentHeaders) {
      stream.destroy(error);
    } else {
      stream.respond({ ':status': 500 });
      stream.end();
    }
  } else if (event === 'request') {
    failRequest(args[1]);
  } else {
    ArrayPrototypeUnshift(args, error, event);
    ReflectApply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, args);
  }
};

function createSecureServer(options, handler) {
  return new Http2SecureServer(options, handler);
}

function createServer(options, handler) {
  if (typeof options === 'function') {
    handler = options;
    options = kEmptyObject;
  }
  return new Http2Server(options, handler);
}

function performServerHandshake(socket, options = kEmptyObject) {
  options = initializeOptions(options);
  return new ServerHttp2Session(options, socket, undefined);
}

function hostOf(authority) {
  const { hostname } = authority;
  if (hostname) return hostname[0] === '[' ? StringPrototypeSlice(hostname, 1, -1) : hostname;
  return authority.host || 'localhost';
}

function openSocket(authority, protocol, port, host, options) {
  if (typeof options.createConnection === 'function') return options.createConnection(authority, options);
  switch (protocol) {
    case 'http:':
      return net.connect({ port, host, ...options });
    case 'https:':
      return tls.connect(port, host, initializeTLSOptions(options, isIP(host) ? undefined : host));
    default:
      throw new ERR_HTTP2_UNSUPPORTED_PROTOCOL(protocol);
  }
}

function connect(authority, options, listener) {
  if (typeof options === 'function') {
    listener = options;
    options = undefined;
  }
  assertIsObject(options, 'options');
  options = { ...options };
  let { maxOriginSetSize } = options;
  if (maxOriginSetSize != null) {
    validateNumber(maxOriginSetSize, 'options.maxOriginSetSize', 0);
  } else {
    maxOriginSetSize = kMaxOrigins;
  }
  copyRemoteSettings(options);
  readStrictness(options);
  if (typeof authority === 'string') {
    const { URL } = require('internal/url');
    authority = new URL(authority);
  }
  assertIsObject(authority, 'authority', ['string', 'Object', 'URL']);
  const protocol = authority.protocol || options.protocol || 'https:';
  const port = `${authority.port !== '' ? authority.port : (authority.protocol === 'http:' ? 80 : 443)}`;
  const host = hostOf(authority);
  const socket = openSocket(authority, protocol, port, host, options);
  const session = new ClientHttp2Session(options, socket);
  session[kAuthority] = `${options.servername || host}:${port}`;
  session[kProtocol] = protocol;
  session[kMaxOriginSetSize] = maxOriginSetSize;
  if (typeof listener === 'function') session.once('connect', listener);
  return session;
}

function connectPromise(authority, options) {
  return new Promise((resolve, reject) => {
    const session = connect(authority, options, () => {
      session.removeListener('error', reject);
      resolve(session);
    });
    session.once('error', reject);
  });
}
ObjectDefineProperty(connectPromise, 'name', { __proto__: null, value: 'connect' });
ObjectDefineProperty(connect, promisify.custom, { __proto__: null, value: connectPromise });

module.exports = {
  Http2SecureServer,
  Http2Server,
  ServerHttp2Session,
  connect,
  createSecureServer,
  createServer,
  performServerHandshake,
};
