'use strict';
// net.Server: an EventEmitter around a ServerHandle.

const {
  Boolean,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  Promise,
  PromiseResolve,
  RegExpPrototypeExec,
} = primordials;

const EventEmitter = require('events');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_SERVER_ALREADY_LISTEN,
    ERR_SERVER_NOT_RUNNING,
  },
  errnoException,
  uvExceptionWithHostPort,
} = require('internal/errors');
const { isIP } = require('internal/net');
const { asyncIdSymbol } = require('internal/async_hooks');
const { kCheckTransfer, kTransfer, registerMovable } = require('internal/structured_clone');
const { SymbolAsyncDispose } = require('internal/util');
const { validateFunction, validateNumber, validatePort } = require('internal/validators');
const { isPipeName, normalizeArgs, onAbortSignal, toNumber } = require('internal/net/arguments');
const { ServerHandle } = require('internal/net/server_handle');
const { AcceptedOptions, checkBlockList } = require('internal/net/socket_options');
const { Socket } = require('internal/net/socket_details');
const { kConsumeBound, kSetKeepAlive, kSetKeepAliveInitialDelay, kSetNoDelay } = require('internal/net/symbols');
const { channel, tracingChannel } = require('diagnostics_channel');

const loop = internalBinding('loop');

const { UV_EADDRINUSE, UV_EINVAL, UV_EMFILE, UV_ENFILE } = internalBinding('uv');
const kDefaultBacklog = 511;
// The bits of a mode that let everybody read from, or write to, the file of a Unix socket.
const kReadable = 0o444;
const kWritable = 0o222;

const serverSockets = channel('net.server.socket');
const listens = tracingChannel('net.server.listen');

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  FunctionPrototypeCall(EventEmitter, this);

  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
    this.on('connection', connectionListener);
  } else if (options === undefined || options === null || typeof options === 'object') {
    options = { ...options };
    if (typeof connectionListener === 'function') this.on('connection', connectionListener);
  } else {
    throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) options.highWaterMark = undefined;
  }

  checkBlockList(options.blockList);

  this._connections = 0;
  this[asyncIdSymbol] = -1;
  this._handle = null;
  this._usingWorkers = false;
  this._workers = [];
  this._unref = false;
  this._listeningId = 1;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = Boolean(options.pauseOnConnect);
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  if (options.blockList) this.blockList = options.blockList;
  this.highWaterMark = options.highWaterMark ?? require('stream').getDefaultHighWaterMark(false);
}
ObjectSetPrototypeOf(Server.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Server, EventEmitter);

function emitErrorNT(server, error) {
  server.emit('error', error);
}

function failToListen(server, error) {
  if (listens.hasSubscribers) listens.error.publish({ server, error });
  process.nextTick(emitErrorNT, server, error);
}

function emitListeningNT(server) {
  // It may have been closed meanwhile.
  if (server._handle) server.emit('listening');
}

function emitCloseNT(server) {
  server.emit('close');
}

function bindHandle(address, port, family, fd, ipv6Only, reusePort) {
  let handle;
  let status;
  if (typeof fd === 'number' && fd >= 0) {
    const type = require('internal/net/stream_handle').guessHandleType(fd);
    if (type !== 'PIPE' && type !== 'TCP') return UV_EINVAL;
    handle = new ServerHandle(type === 'PIPE');
    status = handle.open(fd);
  } else if (port === -1 && family === -1) {
    handle = new ServerHandle(true);
    status = handle.bind(address);
  } else {
    handle = new ServerHandle(false);
    status = handle.bind(address, port, ipv6Only, reusePort === true);
  }
  if (status === 0) return handle;
  handle.close();
  return status;
}

// Binds synchronously. 'listening' is emitted in a tick, so that listeners added after listen() are still called
// (NET-01).
Server.prototype._listen2 = function(address, port, family, backlog, fd, ipv6Only, reusePort) {
  if (!this._handle) {
    let result;
    if (!address && typeof fd !== 'number') {
      // All addresses of both families, where there is IPv6.
      result = bindHandle('::', port, 6, fd, ipv6Only, reusePort);
      if (typeof result === 'number' && result !== UV_EADDRINUSE) {
        address = '0.0.0.0';
        family = 4;
        result = bindHandle(address, port, family, fd, ipv6Only, reusePort);
      } else {
        address = '::';
        family = 6;
      }
    } else {
      result = bindHandle(address, port, family, fd, ipv6Only, reusePort);
    }
    if (typeof result === 'number') {
      failToListen(this, uvExceptionWithHostPort(result, 'listen', address, port));
      return;
    }
    this._handle = result;
  }
  const handle = this._handle;
  handle.onconnection = onconnection;
  handle.owner = this;
  this[asyncIdSymbol] = handle.getAsyncId();
  const status = handle.listen(backlog || kDefaultBacklog);
  if (status !== 0) {
    handle.close();
    this._handle = null;
    failToListen(this, uvExceptionWithHostPort(status, 'listen', address, port));
    return;
  }
  this._connectionKey = `${family}:${address}:${port}`;
  if (listens.hasSubscribers) listens.asyncEnd.publish({ server: this });
  if (this._unref) this.unref();
  process.nextTick(emitListeningNT, this);
};

function listenOnPath(server, options, backlog) {
  if (options.path[0] === '\0' && (options.readableAll || options.writableAll)) {
    throw new ERR_INVALID_ARG_VALUE(
      'options', options, 'can not set readableAll or writableAllt to true when path is abstract unix socket');
  }
  server._pipeName = options.path;
  server._listen2(options.path, -1, -1, backlog);
  if (!server._handle) return;
  let mode = 0;
  if (options.readableAll === true) mode |= kReadable;
  if (options.writableAll === true) mode |= kWritable;
  if (mode === 0) return;
  const status = server._handle.addMode(options.path, mode);
  if (status === 0) return;
  server._handle.close();
  server._handle = null;
  throw errnoException(status, 'uv_pipe_chmod');
}

// The first that is not of a single link: such an address says nothing without its interface.
function preferredAddress(addresses) {
  for (let i = 0; i < addresses.length; i++) {
    const { address } = addresses[i];
    if (isIP(address) !== 6 || RegExpPrototypeExec(/^fe[89ab]/i, address) === null) return addresses[i];
  }
  return addresses[0];
}

function listenOnHost(server, port, host, backlog, ipv6Only, reusePort) {
  const site = loop.creationSite(); // The place of the call of listen(), which has returned by then.
  const listeningId = server._listeningId;
  require('dns').lookup(host, { all: true }, (err, addresses) => {
    if (listeningId !== server._listeningId) return; // close() or another listen() was called meanwhile.
    if (err) {
      server.emit('error', err);
    } else {
      const { address: ip, family = 4 } = preferredAddress(addresses);
      loop.assumeCreationSite(site);
      try {
        server._listen2(ip, port, family, backlog, undefined, ipv6Only, reusePort);
      } finally {
        loop.assumeCreationSite(0);
      }
    }
  });
}

// With the socket of a net.BoundSocket, which is the server's from then on.
function listenOnBound(server, bound, backlog) {
  const { handle, path } = bound[kConsumeBound]();
  server._handle = handle;
  if (path !== undefined) server._pipeName = path;
  server._listeningId++;
  server._listen2(null, -1, -1, backlog);
  return server;
}

Server.prototype.listen = function(...args) {
  const normalized = normalizeArgs(args);
  let { 0: options } = normalized;
  const { 1: callback } = normalized;
  if (this._handle) throw new ERR_SERVER_ALREADY_LISTEN();
  if (listens.hasSubscribers) listens.asyncStart.publish({ server: this, options });
  if (callback !== null) this.once('listening', callback);
  const backlogOfArgs = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);

  const bound = options[kConsumeBound] ? options : options.handle;
  if (bound?.[kConsumeBound]) return listenOnBound(this, bound, backlogOfArgs);
  options = options._handle || options.handle || options;
  this._listeningId++;
  if (options instanceof ServerHandle) {
    this._handle = options;
    this[asyncIdSymbol] = options.getAsyncId();
    this._listen2(null, -1, -1, backlogOfArgs);
    return this;
  }
  onAbortSignal(options, () => this.close());
  if (typeof options.fd === 'number' && options.fd >= 0) {
    this._listen2(null, null, null, backlogOfArgs, options.fd);
    return this;
  }

  if (args.length === 0 || typeof args[0] === 'function' || ('port' in options && options.port === undefined) ||
      options.port === null) {
    options.port = 0;
  }
  const backlog = options.backlog || backlogOfArgs;
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    validatePort(options.port, 'options.port');
    const ipv6Only = options.ipv6Only === true;
    if (options.host) {
      listenOnHost(this, options.port | 0, options.host, backlog, ipv6Only, options.reusePort === true);
    } else {
      this._listen2(null, options.port | 0, 4, backlog, undefined, ipv6Only, options.reusePort === true);
    }
    return this;
  }
  if (options.path && isPipeName(options.path)) {
    listenOnPath(this, options, backlog);
    return this;
  }
  if (!('port' in options || 'path' in options)) {
    throw new ERR_INVALID_ARG_VALUE('options', options, 'must have the property "port" or "path"');
  }
  throw new ERR_INVALID_ARG_VALUE('options', options);
};

function drop(server, handle, isPipe) {
  if (isPipe) {
    server.emit('drop');
    handle.close();
    return;
  }
  const local = handle.localAddress();
  const remote = handle.peerAddress();
  const data = { __proto__: null };
  if (typeof local === 'object') {
    data.localAddress = local.address;
    data.localPort = local.port;
    data.localFamily = local.family;
  }
  if (typeof remote === 'object') {
    data.remoteAddress = remote.address;
    data.remotePort = remote.port;
    data.remoteFamily = remote.family;
  }
  server.emit('drop', data);
  handle.close();
}

function isBlocked(server, handle) {
  const remote = handle.peerAddress();
  const family = isIP(remote?.address);
  return family !== 0 && server.blockList.check(remote.address, `ipv${family}`);
}

// A method of the ServerHandle, which programs may replace.
function onconnection(status, handle) {
  const server = this.owner;
  const { isPipe } = this;
  if (status !== 0) {
    // Without descriptors connections wait in the backlog until there are some: the program is not notified.
    if (status !== UV_EMFILE && status !== UV_ENFILE) server.emit('error', errnoException(status, 'accept'));
    return;
  }
  if (server.maxConnections !== undefined && server.maxConnections !== null &&
      server._connections >= server.maxConnections) {
    drop(server, handle, isPipe);
    return;
  }
  if (server.blockList !== undefined && isBlocked(server, handle)) {
    handle.close();
    return;
  }
  const socket = new Socket(
    new AcceptedOptions(handle, server.allowHalfOpen, server.pauseOnConnect, server.highWaterMark));
  if (!isPipe) {
    if (server.noDelay) {
      socket[kSetNoDelay] = true;
      handle.setNoDelay(true);
    }
    if (server.keepAlive) {
      socket[kSetKeepAlive] = true;
      socket[kSetKeepAliveInitialDelay] = server.keepAliveInitialDelay;
      handle.setKeepAlive(true, server.keepAliveInitialDelay);
    }
  }
  socket.server = server;
  // The constructor destroys a socket that cannot be read: it would never be counted off again.
  if (!socket.destroyed) {
    server._connections++;
    socket._server = server;
  }
  server.emit('connection', socket);
  if (serverSockets.hasSubscribers) serverSockets.publish({ socket });
}

Server.prototype.address = function() {
  const handle = this._handle;
  if (handle && !handle.isPipe) {
    const address = {};
    const status = handle.getsockname(address);
    if (status !== 0) throw errnoException(status, 'address');
    return address;
  }
  return this._pipeName ?? null;
};

Server.prototype.getConnections = function(callback) {
  validateFunction(callback, 'callback');
  if (this._usingWorkers) return require('internal/child_process/shared_server').getConnections(this, callback);
  process.nextTick(callback, null, this._connections);
  return this;
};

Server.prototype.close = function(callback) {
  this._listeningId++;
  if (typeof callback === 'function') {
    this.once('close', this._handle ? callback : () => callback(new ERR_SERVER_NOT_RUNNING()));
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
  }
  if (this._usingWorkers) return require('internal/child_process/shared_server').closeWhenDrained(this);
  this._emitCloseIfDrained();
  return this;
};

Server.prototype[SymbolAsyncDispose] = function() {
  if (!this._handle) return PromiseResolve();
  return new Promise((resolve, reject) => {
    this.close((error) => (error ? reject(error) : resolve()));
  });
};

Server.prototype._emitCloseIfDrained = function() {
  if (this._handle || this._connections) return;
  process.nextTick(emitCloseNT, this);
};

Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, socket) {
  if (event === 'connection') {
    socket.destroy(error);
  } else {
    this.emit('error', error);
  }
};

Server.prototype[kCheckTransfer] = function() {
  require('internal/net/transfer').checkServer(this);
};

Server.prototype[kTransfer] = function() {
  return require('internal/net/transfer').moveServer(this);
};
registerMovable(Server.prototype);

// There are no worker processes to share a port with.
Server.prototype._setupWorker = function() {};

Server.prototype.ref = function() {
  this._unref = false;
  if (this._handle) this._handle.ref();
  return this;
};

Server.prototype.unref = function() {
  this._unref = true;
  if (this._handle) this._handle.unref();
  return this;
};

ObjectDefineProperty(Server.prototype, 'listening', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return Boolean(this._handle); },
});

module.exports = { Server, bindHandle };
