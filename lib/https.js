'use strict';
// The module `https`: HTTP over TLS.

const {
  ArrayPrototypeShift,
  ArrayPrototypeUnshift,
  FunctionPrototypeCall,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  ReflectApply,
  ReflectConstruct,
} = primordials;

const tls = require('tls');
const { kEmptyObject, promisify, SymbolAsyncDispose } = require('internal/util');
const { validateObject } = require('internal/validators');
const { ClientRequest } = require('internal/http/client_request');
const {
  Server: HttpServer,
  connectionListener,
  httpServerPreClose,
  setupConnectionsTracking,
  storeHTTPOptions,
} = require('internal/http/server');
const { Agent, getGlobalAgent, setGlobalAgent } = require('internal/https/agent');
const { kPerRequestCheck } = require('internal/https/symbols');
const { URL, isURL, urlToHttpOptions } = require('internal/url');

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  let ALPNProtocols = ['http/1.1'];
  if (typeof options === 'function') {
    requestListener = options;
    options = kEmptyObject;
  } else if (options === undefined || options === null) {
    options = kEmptyObject;
  } else {
    validateObject(options, 'options');
    // Only one of the two may be given.
    if (options.ALPNProtocols || options.ALPNCallback) ALPNProtocols = undefined;
  }
  FunctionPrototypeCall(storeHTTPOptions, this, options);
  FunctionPrototypeCall(tls.Server, this, { noDelay: true, ALPNProtocols, ...options }, connectionListener);
  this.httpAllowHalfOpen = false;
  if (requestListener) this.addListener('request', requestListener);
  this.addListener('tlsClientError', onTlsClientError);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.on('listening', setupConnectionsTracking);
}
ObjectSetPrototypeOf(Server.prototype, tls.Server.prototype);
ObjectSetPrototypeOf(Server, tls.Server);

function onTlsClientError(error, socket) {
  if (!this.emit('clientError', error, socket)) socket.destroy(error);
}

Server.prototype.closeAllConnections = HttpServer.prototype.closeAllConnections;
Server.prototype.closeIdleConnections = HttpServer.prototype.closeIdleConnections;
Server.prototype.setTimeout = HttpServer.prototype.setTimeout;

Server.prototype.close = function close(...args) {
  httpServerPreClose(this);
  ReflectApply(tls.Server.prototype.close, this, args);
  return this;
};

Server.prototype[SymbolAsyncDispose] = async function() {
  await FunctionPrototypeCall(promisify(this.close), this);
};

function createServer(options, requestListener) {
  return new Server(options, requestListener);
}

// True if the agent's own function checks the connections of the request.
function isCheckedByAgent(options) {
  let { agent } = options;
  if (agent === false) return false;
  if (agent === undefined || agent === null) {
    if (typeof options.createConnection === 'function') return false;
    agent = module.exports.globalAgent;
  }
  return agent?.options?.checkServerIdentity !== undefined;
}

let checks = 0;

function request(...args) {
  let options = {};
  if (typeof args[0] === 'string') {
    options = urlToHttpOptions(new URL(ArrayPrototypeShift(args)));
  } else if (isURL(args[0])) {
    options = urlToHttpOptions(ArrayPrototypeShift(args));
  }
  if (args[0] && typeof args[0] !== 'function') ObjectAssign(options, ArrayPrototypeShift(args));
  // A connection that was checked by one function must not serve requests with another.
  if (options.checkServerIdentity !== undefined && options.checkServerIdentity !== tls.checkServerIdentity &&
      !isCheckedByAgent(options)) {
    options[kPerRequestCheck] = ++checks;
  }
  options._defaultAgent = module.exports.globalAgent;
  ArrayPrototypeUnshift(args, options);
  return ReflectConstruct(ClientRequest, args);
}

function get(input, options, callback) {
  const result = request(input, options, callback);
  result.end();
  return result;
}

module.exports = {
  Agent,
  globalAgent: undefined, // Below; here for the order of the names.
  Server,
  createServer,
  get,
  request,
};

ObjectDefineProperty(module.exports, 'globalAgent', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: getGlobalAgent,
  set: setGlobalAgent,
});
