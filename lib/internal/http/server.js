'use strict';
// http.Server: a net.Server whose connections speak HTTP.

const {
  FunctionPrototypeCall,
  MathMin,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  Symbol,
} = primordials;

const EventEmitter = require('events');
const net = require('net');
const { asyncIdSymbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { codes: { ERR_OUT_OF_RANGE } } = require('internal/errors');
const { kEmptyObject, promisify, SymbolAsyncDispose } = require('internal/util');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');
const { clearInterval, setInterval } = require('timers');
const { Connection, failWithTimeout, kSkipsEmptyBodies, timeOr } = require('internal/http/connection');
const { IncomingMessage } = require('internal/http/incoming');
const { observed } = require('internal/http/observe');
const { ServerResponse } = require('internal/http/response');
const STATUS_CODES = require('internal/http/status_codes');
const { kConnections, kIncomingMessage, kServerResponse, kUniqueHeaders } = require('internal/http/symbols');
const { readStrictness, readUniqueHeaders } = require('internal/http/validate');

const {
  allConnections,
  createConnectionsList,
  expiredConnections,
  idleConnections,
} = internalBinding('http_parser');
const kCheckingInterval = Symbol('http.server.connectionsCheckingInterval');

function booleanOption(options, name, otherwise) {
  const value = options[name];
  if (value === undefined) return otherwise;
  validateBoolean(value, `options.${name}`);
  return value;
}

function integerOption(options, name, otherwise) {
  const value = options[name];
  if (value === undefined) return otherwise;
  validateInteger(value, name, 0);
  return value;
}

function hasUpgradeListener() {
  return this.listenerCount('upgrade') > 0;
}

// Also for https.Server, which is another kind of server with the same options.
function storeHTTPOptions(options) {
  this[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  this[kServerResponse] = options.ServerResponse || ServerResponse;
  this.maxHeaderSize = integerOption(options, 'maxHeaderSize', undefined);
  this[kSkipsEmptyBodies] = booleanOption(options, 'optimizeEmptyRequests', false);
  readStrictness(this, options);
  this.requestTimeout = integerOption(options, 'requestTimeout', 300_000);
  this.headersTimeout = integerOption(options, 'headersTimeout', MathMin(60_000, this.requestTimeout));
  if (this.requestTimeout > 0 && this.headersTimeout > this.requestTimeout) {
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', options.headersTimeout);
  }
  this.keepAliveTimeout = integerOption(options, 'keepAliveTimeout', 5000);
  this.keepAliveTimeoutBuffer = integerOption(options, 'keepAliveTimeoutBuffer', 1000);
  this.connectionsCheckingInterval = integerOption(options, 'connectionsCheckingInterval', 30_000);
  this.requireHostHeader = booleanOption(options, 'requireHostHeader', true);
  this.joinDuplicateHeaders = booleanOption(options, 'joinDuplicateHeaders', undefined);
  this.rejectNonStandardBodyWrites = booleanOption(options, 'rejectNonStandardBodyWrites', false);
  const { shouldUpgradeCallback } = options;
  if (shouldUpgradeCallback !== undefined) validateFunction(shouldUpgradeCallback, 'options.shouldUpgradeCallback');
  this.shouldUpgradeCallback = shouldUpgradeCallback ?? hasUpgradeListener;
}

// A listener for 'listening'. The interval runs even if there are no limits, as a program may set them later.
function setupConnectionsTracking() {
  this[kConnections] ??= createConnectionsList();
  observed.serverListens(this);
  clearInterval(this[kCheckingInterval]);
  this[kCheckingInterval] = setInterval(() => checkConnections(this), this.connectionsCheckingInterval).unref();
}

function checkConnections(server) {
  const headersTimeout = timeOr(server.headersTimeout, 0);
  const requestTimeout = timeOr(server.requestTimeout, 0);
  if (headersTimeout === 0 && requestTimeout === 0) return;
  const expired = expiredConnections(server[kConnections], headersTimeout, requestTimeout);
  for (let i = 0; i < expired.length; i++) {
    if (expired[i].socket) failWithTimeout(expired[i].socket);
  }
}

function httpServerPreClose(server) {
  server.closeIdleConnections();
  clearInterval(server[kCheckingInterval]);
}

function connectionListener(socket) {
  defaultTriggerAsyncIdScope(socket[asyncIdSymbol], () => new Connection(this, socket).start());
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = kEmptyObject;
  } else if (options === undefined || options === null) {
    options = kEmptyObject;
  } else {
    validateObject(options, 'options');
  }
  FunctionPrototypeCall(storeHTTPOptions, this, options);
  const { highWaterMark, keepAlive, keepAliveInitialDelay, noDelay = true } = options;
  FunctionPrototypeCall(net.Server, this,
    { allowHalfOpen: true, noDelay: noDelay ?? true, keepAlive, keepAliveInitialDelay, highWaterMark });
  if (requestListener) this.on('request', requestListener);
  this.httpAllowHalfOpen = false;
  this.on('connection', connectionListener);
  this.on('listening', setupConnectionsTracking);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this[kUniqueHeaders] = readUniqueHeaders(options.uniqueHeaders);
}
ObjectSetPrototypeOf(Server.prototype, net.Server.prototype);
ObjectSetPrototypeOf(Server, net.Server);

Server.prototype.close = function close(...args) {
  httpServerPreClose(this);
  ReflectApply(net.Server.prototype.close, this, args);
  return this;
};

ObjectDefineProperty(Server.prototype, SymbolAsyncDispose, {
  __proto__: null,
  configurable: true,
  writable: true,
  enumerable: true,
  value: async function() { await FunctionPrototypeCall(promisify(this.close), this); },
});

Server.prototype.closeAllConnections = function closeAllConnections() {
  if (!this[kConnections]) return;
  const all = allConnections(this[kConnections]);
  for (let i = 0; i < all.length; i++) all[i].socket.destroy();
};

Server.prototype.closeIdleConnections = function closeIdleConnections() {
  if (!this[kConnections]) return;
  const idle = idleConnections(this[kConnections]);
  for (let i = 0; i < idle.length; i++) {
    const { socket } = idle[i];
    // The request is complete, but not its response.
    if (socket._httpMessage && !socket._httpMessage.finished) continue;
    socket.destroy();
  }
};

Server.prototype.setTimeout = function setTimeout(milliseconds, callback) {
  this.timeout = milliseconds;
  if (callback) this.on('timeout', callback);
  return this;
};

Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, ...args) {
  if (event !== 'request') {
    ReflectApply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, arguments);
    return;
  }
  const { 1: response } = args;
  if (response.headersSent || response.writableEnded) {
    response.destroy();
    return;
  }
  // The fields that are set may not be meant for an error.
  const names = response.getHeaderNames();
  for (let i = 0; i < names.length; i++) response.removeHeader(names[i]);
  response.statusCode = 500;
  response.end(STATUS_CODES[500]);
};

module.exports = {
  Server,
  connectionListener,
  httpServerPreClose,
  kConnectionsCheckingInterval: kCheckingInterval,
  setupConnectionsTracking,
  storeHTTPOptions,
};
