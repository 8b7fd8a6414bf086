'use strict';
// http.ClientRequest.

const {
  ArrayIsArray,
  Boolean,
  FunctionPrototypeCall,
  NumberIsFinite,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  ReflectApply,
  RegExpPrototypeExec,
  String,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeStartsWith,
  StringPrototypeToUpperCase,
  Symbol,
} = primordials;

const net = require('net');
const { Buffer } = require('buffer');
const { channel } = require('diagnostics_channel');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_HTTP_TOKEN,
    ERR_INVALID_PROTOCOL,
    ERR_UNESCAPED_CHARACTERS,
  },
} = require('internal/errors');
const { hasObserver, startPerf } = require('internal/perf/observe');
const { getTimerDuration } = require('internal/timers/duration');
const { URL, isURL, urlToHttpOptions } = require('internal/url');
const { kEmptyObject, once } = require('internal/util');
const { validateBoolean, validateInteger, validateString } = require('internal/validators');
const { addAbortSignal } = require('stream');
const { getGlobalAgent } = require('internal/http/agent');
const { emitError, listenForTimeout, onSocketError, startOnSocket } = require('internal/http/client_socket');
const { observed } = require('internal/http/observe');
const { OutgoingMessage } = require('internal/http/outgoing_headers');
const {
  kAuthority,
  kErrored,
  kHighWaterMark,
  kOutHeaders,
  kProxyConfig,
  kStatistics,
  kUniqueHeaders,
} = require('internal/http/symbols');
const { isToken, readStrictness, readUniqueHeaders } = require('internal/http/validate');

const requestsCreated = channel('http.client.request.created');
const requestsStart = channel('http.client.request.start');
const forbiddenInPath = /[^\u0021-\u00ff]/;
const kPath = Symbol('kPath');
const kIsAbsolute = Symbol('kProxyRewrittenToAbsolute');

// Methods whose requests usually have no body.
const bodyless = { __proto__: null, CONNECT: true, DELETE: true, GET: true, HEAD: true, OPTIONS: true, TRACE: true };

function checkPath(path) {
  if (RegExpPrototypeExec(forbiddenInPath, path) !== null) throw new ERR_UNESCAPED_CHARACTERS('Request path');
}

function checkHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

// The arguments of request(): an address, options, or both.
function mergeArguments(input, options, callback) {
  if (typeof input === 'string') {
    input = urlToHttpOptions(new URL(input));
  } else if (isURL(input)) {
    input = urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') return { callback: options, options: input || kEmptyObject };
  return { callback, options: ObjectAssign({ __proto__: null }, input, options) };
}

function chooseAgent(options, standard) {
  const { agent } = options;
  if (agent === false) return new standard.constructor();
  if (agent === null || agent === undefined) {
    return typeof options.createConnection === 'function' ? agent : standard;
  }
  if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent;
}

function readMethod(method) {
  if (method !== null && method !== undefined) validateString(method, 'options.method');
  if (!method) return 'GET';
  if (!isToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  return StringPrototypeToUpperCase(method);
}

// An IPv6 address has brackets in a Host header.
function withBrackets(host) {
  const colon = StringPrototypeIndexOf(host, ':');
  const isAddress = colon !== -1 && StringPrototypeIncludes(host, ':', colon + 1);
  return isAddress && !StringPrototypeStartsWith(host, '[') ? `[${host}]` : host;
}

function ClientRequest(input, options, callback) {
  FunctionPrototypeCall(OutgoingMessage, this);
  ({ callback, options } = mergeArguments(input, options, callback));
  if (options.highWaterMark !== undefined && options.highWaterMark !== null) {
    this[kHighWaterMark] = options.highWaterMark;
  }
  const standardAgent = options._defaultAgent || getGlobalAgent();
  this.agent = chooseAgent(options, standardAgent);
  const protocol = options.protocol || standardAgent.protocol;
  const expected = this.agent?.protocol || standardAgent.protocol;
  if (options.path) checkPath(String(options.path));
  if (protocol !== expected) throw new ERR_INVALID_PROTOCOL(protocol, expected);

  const target = { __proto__: null, ...options };
  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const port = target.port = options.port || defaultPort || 80;
  const host = target.host =
    checkHost(options.hostname, 'hostname') || checkHost(options.host, 'host') || 'localhost';
  const hasNoDefaults = options.setDefaultHeaders === false;
  this._removedConnection = hasNoDefaults;
  this._removedContLen = hasNoDefaults;
  this._removedTE = hasNoDefaults;
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) this.timeout = getTimerDuration(options.timeout, 'timeout');
  if (options.signal) {
    addAbortSignal(options.signal, this);
    delete target.signal;
  }
  this.method = readMethod(options.method);
  if (options.maxHeaderSize !== undefined) validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  this.maxHeaderSize = options.maxHeaderSize;
  readStrictness(this, options);
  if (options.joinDuplicateHeaders !== undefined) {
    validateBoolean(options.joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  }
  this.joinDuplicateHeaders = options.joinDuplicateHeaders;
  this[kPath] = options.path || '/';
  if (callback) this.once('response', callback);
  this.useChunkedEncodingByDefault = bodyless[this.method] === undefined;
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = host;
  this.protocol = protocol;
  this[kIsAbsolute] = false;
  if (this.agent) {
    // No 'Connection: keep-alive' if the agent would not reuse the connection.
    this.shouldKeepAlive = Boolean(this.agent.keepAlive) || NumberIsFinite(this.agent.maxSockets);
    this._last = !this.shouldKeepAlive;
  }
  const hostName = withBrackets(host);
  this[kAuthority] = port && +port !== defaultPort ? `${hostName}:${port}` : hostName;
  if (observed.isOn) observed.clientStarted(this, port, hasNoDefaults || ArrayIsArray(options.headers));
  setFields(this, options, target, { host: hostName, port });
  this[kUniqueHeaders] = readUniqueHeaders(options.uniqueHeaders);
  connect(this, target);
  if (requestsCreated.hasSubscribers) requestsCreated.publish({ request: this });
}
ObjectSetPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
ObjectSetPrototypeOf(ClientRequest, OutgoingMessage);

function setFields(request, options, target, authority) {
  const { headers } = options;
  if (ArrayIsArray(headers)) {
    rewriteForProxy(request, target, authority, undefined, headers);
    request._storeHeader(firstLine(request), headers);
    return;
  }
  if (headers) {
    const names = ObjectKeys(headers);
    for (let i = 0; i < names.length; i++) request.setHeader(names[i], headers[names[i]]);
  }
  const ownHost = request.getHeader('host');
  const setsHost = options.setHost === undefined ? options.setDefaultHeaders !== false : Boolean(options.setHost);
  if (!ownHost && setsHost) {
    request.setHeader('Host',
      request.method === 'CONNECT' && options.path ? String(request.path) : request[kAuthority]);
  }
  if (options.auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  rewriteForProxy(request, target, authority, ownHost, undefined);
  if (request.getHeader('expect')) request._implicitHeader();
}

function rewriteForProxy(request, target, authority, ownHost, list) {
  const config = request.agent?.[kProxyConfig];
  if (!config || (target.protocol || request.agent.protocol) !== 'http:') return;
  const { isProxied, prepareRequest } = require('internal/http/proxy');
  if (isProxied(config, target)) request[kIsAbsolute] = prepareRequest(config, request, authority, ownHost, list);
}

function firstLine(request) {
  return `${request.method} ${request.path} HTTP/1.1\r\n`;
}

function connect(request, target) {
  if (request.agent) {
    request.agent.addRequest(request, target);
    return;
  }
  request._last = true;
  request.shouldKeepAlive = false;
  if (target.path || target.socketPath) target = { ...target, path: target.socketPath || undefined };
  if (typeof target.createConnection !== 'function') {
    request.onSocket(net.createConnection(target));
    return;
  }
  const onCreated = once((error, socket) => {
    if (error) {
      process.nextTick(emitError, request, error);
    } else {
      request.onSocket(socket);
    }
  });
  try {
    const socket = target.createConnection(target, onCreated);
    if (socket) onCreated(null, socket);
  } catch (error) {
    onCreated(error);
  }
}

ObjectDefineProperty(ClientRequest.prototype, 'path', {
  __proto__: null,
  get() { return this[kPath]; },
  set(value) {
    const path = String(value);
    checkPath(path);
    this[kPath] = path;
  },
  configurable: true,
  enumerable: true,
});

ClientRequest.prototype._finish = function() {
  FunctionPrototypeCall(OutgoingMessage.prototype._finish, this);
  if (hasObserver('http')) {
    const { method, path } = this;
    const url = this[kIsAbsolute] ? path : `${this.protocol}//${this[kAuthority]}${path}`;
    const headers = typeof this.getHeaders === 'function' ? this.getHeaders() : {};
    startPerf(this, kStatistics, { type: 'http', name: 'HttpClient', detail: { req: { method, url, headers } } });
  }
  if (requestsStart.hasSubscribers) requestsStart.publish({ request: this });
};

ClientRequest.prototype._implicitHeader = function() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(firstLine(this), this[kOutHeaders]);
};

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  process.nextTick(emitAbort, this);
  this.destroy();
};

function emitAbort(request) {
  request.emit('abort');
}

ClientRequest.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  // Discard the rest of the response: an unread response would keep its socket.
  this.res?._dump();
  // The request is complete, and the socket may soon belong to another one.
  if (this.writableFinished && this.res?.complete) return this;
  this[kErrored] = error;
  this.socket?.destroy(error);
  return this;
};

ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  // Report errors that the socket emits before the tick as errors of this request.
  if (socket && !error) {
    socket._httpMessage = this;
    socket.on('error', onSocketError);
  }
  process.nextTick(startOnSocket, this, socket, error);
};

// Calls a function of the socket once there is one, and it is connected.
ClientRequest.prototype._deferToConnect = function(name, args) {
  const call = () => {
    if (name) ReflectApply(this.socket[name], this.socket, args);
  };
  const callWhenWritable = () => {
    if (this.socket.writable) {
      call();
    } else {
      this.socket.once('connect', call);
    }
  };
  if (this.socket) {
    callWhenWritable();
  } else {
    this.once('socket', callWhenWritable);
  }
};

ClientRequest.prototype.setTimeout = function setTimeout(milliseconds, callback) {
  if (this._ended) return this;
  listenForTimeout(this);
  milliseconds = getTimerDuration(milliseconds, 'msecs');
  if (callback) this.once('timeout', callback);
  if (this.socket) {
    setSocketTimeout(this.socket, milliseconds);
  } else {
    this.once('socket', (socket) => setSocketTimeout(socket, milliseconds));
  }
  return this;
};

function setSocketTimeout(socket, milliseconds) {
  if (socket.connecting) {
    socket.once('connect', () => socket.setTimeout(milliseconds));
  } else {
    socket.setTimeout(milliseconds);
  }
}

ClientRequest.prototype.setNoDelay = function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
};

ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
};

ClientRequest.prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

module.exports = { ClientRequest };
