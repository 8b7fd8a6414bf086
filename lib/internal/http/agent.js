'use strict';
// http.Agent: the connections of a client, by the name of their destination. A connection that a response leaves open
// is kept for the next request to the same destination.

const {
  ArrayPrototypeIncludes,
  ArrayPrototypeIndexOf,
  ArrayPrototypePop,
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeSplice,
  FunctionPrototypeCall,
  NumberIsFinite,
  ObjectKeys,
  ObjectSetPrototypeOf,
  ObjectValues,
  ReflectApply,
  RegExpPrototypeExec,
  SafeArrayIterator,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  Symbol,
} = primordials;

const EventEmitter = require('events');
const net = require('net');
const { AsyncResource } = require('internal/async_context/resource');
const { asyncIdSymbol } = require('internal/async_hooks');
const { isIP } = require('internal/net');
const { getOptionValue } = require('internal/options');
const { kEmptyObject, once } = require('internal/util');
const { validateNumber, validateOneOf, validateString } = require('internal/validators');
const { kProxyConfig, kWaitsForTunnel } = require('internal/http/symbols');

const kOptions = Symbol('requestOptions'); // Of a request that waits for a connection.
const kResource = Symbol('requestAsyncResource');
const kOnKeylog = Symbol('onkeylog');
const kGuard = Symbol('freeSocketDataGuard');
const timeoutHint = /^timeout=(\d+)/;

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  FunctionPrototypeCall(EventEmitter, this);
  this.options = { __proto__: null, ...options };
  this.defaultPort = this.options.defaultPort || 80;
  this.protocol = this.options.protocol || 'http:';
  this.options.noDelay ??= true;
  // A path in the options of the agent would be used as that of a Unix socket.
  this.options.path = null;
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  const buffer = this.options.agentKeepAliveTimeoutBuffer;
  this.agentKeepAliveTimeoutBuffer =
    typeof buffer === 'number' && buffer >= 0 && NumberIsFinite(buffer) ? buffer : 1000;
  const { proxyEnv } = this.options;
  if (typeof proxyEnv === 'object' && proxyEnv !== null) {
    const { readProxyConfig } = require('internal/http/proxy');
    this[kProxyConfig] = readProxyConfig(proxyEnv, this.protocol, this.keepAlive);
  }
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets === undefined) {
    this.maxTotalSockets = Infinity;
  } else {
    validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  }
  this.on('free', onFree);
  this.on('newListener', onNewListener);
}
ObjectSetPrototypeOf(Agent.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

// Sockets report TLS keys only if there is a listener.
function onNewListener(event) {
  if (event !== 'keylog') return;
  this.removeListener('newListener', onNewListener);
  const agent = this;
  this[kOnKeylog] = function(line) { agent.emit('keylog', line, this); };
  for (const lists of new SafeArrayIterator([ObjectValues(this.freeSockets), ObjectValues(this.sockets)])) {
    for (let i = 0; i < lists.length; i++) {
      for (let j = 0; j < lists[i].length; j++) lists[i][j].on('keylog', this[kOnKeylog]);
    }
  }
}

// A connection has become free: it goes to the next request, or is kept, or closed.
function onFree(socket, options) {
  const name = this.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = this.requests[name];
  if (waiting?.length) {
    const request = ArrayPrototypeShift(waiting);
    const resource = request[kResource];
    if (resource) {
      request[kResource] = null;
      resource.runInAsyncScope(() => {
        resetAsyncId(socket);
        giveSocket(this, request, socket);
      });
    } else {
      giveSocket(this, request, socket);
    }
    if (waiting.length === 0) delete this.requests[name];
    return;
  }
  if (!socket._httpMessage?.shouldKeepAlive || !this.keepAlive || !hasRoomFor(this, name) ||
      !this.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  const free = this.freeSockets[name] ??= [];
  socket[asyncIdSymbol] = -1;
  socket._httpMessage = null;
  this.removeSocket(socket, options);
  socket.once('error', onFreeSocketError);
  guard(socket);
  ArrayPrototypePush(free, socket);
}

function hasRoomFor(agent, name) {
  const free = agent.freeSockets[name]?.length ?? 0;
  const used = agent.sockets[name]?.length ?? 0;
  return agent.totalSocketCount <= agent.maxTotalSockets && free + used <= agent.maxSockets &&
    free < agent.maxFreeSockets;
}

function onFreeSocketError() {
  this.destroy();
  this.emit('agentRemove');
}

// Data that arrives without a request would be taken for the response to the next request, so such a
// connection is not used again.
function guard(socket) {
  if (socket.readableLength > 0) {
    socket.destroy();
  } else if (socket.connecting) {
    socket[kGuard] = () => {
      socket[kGuard] = null;
      guard(socket);
    };
    socket.once('connect', socket[kGuard]);
  } else {
    const handle = socket._handle;
    if (!handle) return;
    handle.onread = destroyOwner;
    if (!handle.reading && handle.readStart()) socket.destroy();
  }
}

function destroyOwner(handle) {
  handle.owner.destroy();
}

function unguard(socket) {
  if (socket[kGuard]) {
    socket.removeListener('connect', socket[kGuard]);
    socket[kGuard] = null;
  }
  if (socket._handle?.onread === destroyOwner) socket._adoptHandle();
}

Agent.prototype.createConnection = function createConnection(...args) {
  if (this[kProxyConfig]) {
    const { connectToProxy, isProxied } = require('internal/http/proxy');
    const { 0: options, 1: callback } = net._normalizeArgs(args);
    if (isProxied(this[kProxyConfig], options)) return connectToProxy(this[kProxyConfig], callback);
  }
  return ReflectApply(net.createConnection, net, args);
};

Agent.prototype.getName = function getName(options = kEmptyObject) {
  let name = `${options.host || 'localhost'}:${options.port || ''}:${options.localAddress || ''}`;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

// Options of the agent replace those of the request.
function mergeOptions(agent, options, request) {
  options = { __proto__: null, ...options, ...agent.options };
  if (options.socketPath) options.path = options.socketPath;
  if (!options.servername && options.servername !== '') options.servername = serverName(options, request);
  return options;
}

// The name for TLS: from the Host header, without its port. An address is not a name.
function serverName(options, request) {
  let name = options.host;
  const header = request.getHeader('host');
  if (header) {
    validateString(header, 'options.headers.host');
    if (header[0] === '[') {
      const end = StringPrototypeIndexOf(header, ']');
      name = end === -1 ? header : StringPrototypeSlice(header, 1, end);
    } else {
      const colon = StringPrototypeIndexOf(header, ':');
      name = colon === -1 ? header : StringPrototypeSlice(header, 0, colon);
    }
  }
  return isIP(name) ? '' : name;
}

Agent.prototype.addRequest = function addRequest(request, options, port, localAddress) {
  if (typeof options === 'string') options = { __proto__: null, host: options, port, localAddress };
  options = mergeOptions(this, options, request);
  const name = this.getName(options);
  this.sockets[name] ??= [];
  const socket = takeFree(this, name);
  if (socket !== undefined) {
    const { highWaterMark } = options;
    if (highWaterMark !== undefined && highWaterMark !== null) socket._writableState.highWaterMark = highWaterMark;
    resetAsyncId(socket);
    this.reuseSocket(socket, request);
    giveSocket(this, request, socket);
    ArrayPrototypePush(this.sockets[name], socket);
    return;
  }
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length;
  if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, created) => {
      if (error) {
        reportTunnel(error, request);
        request.onSocket(created, error);
      } else {
        giveSocket(this, request, created);
      }
    });
    return;
  }
  request[kOptions] = options;
  request[kResource] = new AsyncResource('QueuedRequest');
  ArrayPrototypePush(this.requests[name] ??= [], request);
};

function takeFree(agent, name) {
  const free = agent.freeSockets[name];
  if (free === undefined) return undefined;
  while (free.length !== 0 && free[0].destroyed) ArrayPrototypeShift(free);
  const socket = agent.scheduling === 'fifo' ? ArrayPrototypeShift(free) : ArrayPrototypePop(free);
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

function reportTunnel(error, request) {
  if (error.code !== 'ERR_PROXY_TUNNEL') return;
  if (error.proxyTunnelTimeout) request.emit('timeout');
  request.emit('error', error);
}

Agent.prototype.createSocket = function createSocket(request, options, callback) {
  options = mergeOptions(this, options, request);
  const timeout = request.timeout || this.options.timeout;
  if (timeout) options.timeout = timeout;
  const name = this.getName(options);
  options._agentKey = name;
  options.encoding = null;
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  const onCreated = once((error, socket) => {
    if (error) {
      callback(error);
      return;
    }
    ArrayPrototypePush(this.sockets[name] ??= [], socket);
    this.totalSocketCount++;
    watch(this, socket, options);
    callback(null, socket);
  });
  const socket = this.createConnection(options, onCreated);
  if (socket && !socket[kWaitsForTunnel]) onCreated(null, socket);
};

function watch(agent, socket, options) {
  const whenFree = () => agent.emit('free', socket, options);
  const whenClosed = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  };
  const whenTimedOut = () => {
    const names = ObjectKeys(agent.freeSockets);
    for (let i = 0; i < names.length; i++) {
      if (ArrayPrototypeIncludes(agent.freeSockets[names[i]], socket)) {
        socket.destroy();
        return;
      }
    }
  };
  // The socket leaves the agent for good, for example after an upgrade.
  const whenRemoved = () => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
    socket.removeListener('close', whenClosed);
    socket.removeListener('free', whenFree);
    socket.removeListener('timeout', whenTimedOut);
    socket.removeListener('agentRemove', whenRemoved);
  };
  socket.on('free', whenFree);
  socket.on('close', whenClosed);
  socket.on('timeout', whenTimedOut);
  socket.on('agentRemove', whenRemoved);
  if (agent[kOnKeylog]) socket.on('keylog', agent[kOnKeylog]);
}

function removeFrom(lists, name, socket) {
  const index = lists[name] === undefined ? -1 : ArrayPrototypeIndexOf(lists[name], socket);
  if (index === -1) return;
  ArrayPrototypeSplice(lists[name], index, 1);
  if (lists[name].length === 0) delete lists[name];
}

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  removeFrom(this.sockets, name, socket);
  if (!socket.writable) removeFrom(this.freeSockets, name, socket);
  // There is room for another connection now: to the same destination first.
  let request = this.requests[name]?.[0];
  if (request === undefined) {
    const { 0: other } = ObjectKeys(this.requests);
    if (other === undefined || this.sockets[other]?.length) return;
    request = this.requests[other][0];
    options = request[kOptions];
  }
  if (!options) return;
  request[kOptions] = undefined;
  this.createSocket(request, options, (error, created) => {
    if (error) {
      reportTunnel(error, request);
      request.onSocket(null, error);
    } else {
      created.emit('free');
    }
  });
};

// Prepares a socket for being kept. Returns false if the server is about to close it.
Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  let isKept = true;
  const hint = socket._httpMessage?.res?.headers['keep-alive'];
  const match = hint ? RegExpPrototypeExec(timeoutHint, hint) : null;
  if (match !== null) {
    const serverTimeout = match[1] * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (serverTimeout <= 0) {
      isKept = false;
    } else if (serverTimeout < timeout) {
      timeout = serverTimeout;
    }
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return isKept;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, request) {
  socket.removeListener('error', onFreeSocketError);
  unguard(socket);
  request.reusedSocket = true;
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const lists of new SafeArrayIterator([this.freeSockets, this.sockets])) {
    const names = ObjectKeys(lists);
    for (let i = 0; i < names.length; i++) {
      const list = lists[names[i]];
      for (let j = 0; j < list.length; j++) list[j].destroy();
    }
  }
};

function giveSocket(agent, request, socket) {
  request.onSocket(socket);
  if (request.timeout === undefined || request.timeout === (agent.options.timeout || 0)) return;
  socket.setTimeout(request.timeout);
}

// To async_hooks, the use of a connection by another request is another resource.
function resetAsyncId(socket) {
  const handle = socket._handle;
  if (typeof handle?.asyncReset !== 'function') return;
  handle.asyncReset();
  socket[asyncIdSymbol] = handle.asyncId;
}

let globalAgent;

function createGlobalAgent(proxyEnv) {
  return new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000, proxyEnv });
}

function getGlobalAgent() {
  return globalAgent ??= createGlobalAgent(getOptionValue('--use-env-proxy') ? process.env : undefined);
}

function setGlobalAgent(agent) {
  globalAgent = agent;
}

module.exports = { Agent, createGlobalAgent, getGlobalAgent, setGlobalAgent };
