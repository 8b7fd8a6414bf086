'use strict';
// Connects a socket: looks the name up, tries the addresses, and reports the outcome to the socket.

const { ArrayPrototypePush, StringPrototypeIncludes } = primordials;

const {
  codes: {
    ERR_INVALID_ADDRESS_FAMILY,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_IP_ADDRESS,
    ERR_IP_BLOCKED,
    ERR_MISSING_ARGS,
    ERR_SOCKET_CONNECTION_TIMEOUT,
  },
  NodeAggregateError,
  errnoException,
  exceptionWithHostPort,
} = require('internal/errors');
const { bindCallback } = require('internal/async_hooks');
const { isIP } = require('internal/net');
const { beginning, report } = require('internal/perf/watched');
const { Timeout, clearTimeout, insertNew } = require('internal/timers');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateNumber,
  validatePort,
  validateString,
} = require('internal/validators');
const {
  getDefaultAutoSelectFamily,
  getDefaultAutoSelectFamilyAttemptTimeout,
  kLeastAttemptTimeout,
} = require('internal/net/arguments');
const { StreamHandle, kTcp } = require('internal/net/stream_handle');
const {
  kBoundSource,
  kSetKeepAlive,
  kSetKeepAliveCount,
  kSetKeepAliveInitialDelay,
  kSetKeepAliveInterval,
  kSetNoDelay,
  kTypeOfService,
} = require('internal/net/symbols');

const { UV_ECANCELED, UV_ETIMEDOUT } = internalBinding('uv');

function destroyNT(socket, error) {
  socket.destroy(error);
}

// One attempt: the remote address, and the local one if given.
function makeAttempt(address, port, family, localAddress, localPort) {
  return { address, port, family, localAddress, localPort, start: 0 };
}

function connectionError(attempt, status) {
  let details;
  if (attempt.localAddress && attempt.localPort) details = `${attempt.localAddress}:${attempt.localPort}`;
  const error = exceptionWithHostPort(status, 'connect', attempt.address, attempt.port, details);
  if (details) {
    error.localAddress = attempt.localAddress;
    error.localPort = attempt.localPort;
  }
  return error;
}

// The connection stands, or not.
function afterConnect(socket, attempt, status) {
  if (socket.destroyed) return;
  socket.connecting = false;
  socket._sockname = null;
  const handle = socket._handle;
  if (status !== 0) {
    const error = connectionError(attempt, status);
    socket.emit('connectionAttemptFailed', attempt.address, attempt.port, attempt.family || undefined, error);
    socket.destroy(error);
    return;
  }
  if (attempt.start !== 0) report('net', 'connect', attempt.start, { host: attempt.address, port: attempt.port });
  socket._unrefTimer();
  if (handle.kind === kTcp) {
    if (socket[kSetNoDelay]) handle.setNoDelay(true);
    if (socket[kSetKeepAlive]) {
      handle.setKeepAlive(true, socket[kSetKeepAliveInitialDelay], socket[kSetKeepAliveInterval],
        socket[kSetKeepAliveCount]);
    }
    const tos = socket[kTypeOfService];
    const failed = tos === undefined ? 0 : handle.setTypeOfService(tos);
    if (failed !== 0) socket.emit('error', errnoException(failed, 'setTypeOfService'));
  }
  socket.emit('connect');
  socket.emit('ready');
  // The socket must be read, or the end would not be noticed.
  if (!socket.destroyed && socket._handle === handle && !socket.isPaused()) socket.read(0);
}

function isBlocked(socket, { address, family }) {
  return family !== 0 && socket.blockList !== undefined && socket.blockList.check(address, `ipv${family}`);
}

// Returns 0, a negative errno of connect(2), or a positive one of bind(2). 'connectionAttempt' is emitted once the
// local address is bound. After that the socket may be on its way to somewhere else.
function startAttempt(socket, attempt, callback) {
  const { address, port, family } = attempt;
  const handle = socket._handle;
  const isBound = family !== 0 && (attempt.localAddress || attempt.localPort);
  const isPath = family === 0;
  let status = 0;
  if (isBound) {
    attempt.localAddress ||= family === 4 ? '0.0.0.0' : '::';
    const localPort = attempt.localPort ? attempt.localPort & 0xffff : 0;
    status = handle.connect(address, port, attempt.localAddress, localPort, callback);
    if (status > 0) return status;
  }
  socket.emit('connectionAttempt', address, port, isPath ? undefined : family);
  if (!socket.connecting || socket._handle !== handle) return 0;
  if (isBlocked(socket, attempt)) {
    socket.destroy(new ERR_IP_BLOCKED(address));
    return 0;
  }
  if (!isPath) attempt.start = beginning('net');
  if (!isBound) status = handle.connect(address, isPath ? undefined : port, undefined, undefined, callback);
  return status;
}

function bindError(attempt, status) {
  return exceptionWithHostPort(-status, 'bind', attempt.localAddress, attempt.localPort);
}

// Of an attempt that connect(2) refuses at once: the socket has its local address, which is still none if it was not
// bound.
function refusalAtOnce(socket, attempt, status) {
  const { address, port, family } = attempt;
  let local = `${attempt.localAddress ?? (family === 6 ? '::' : '0.0.0.0')}:${attempt.localPort ?? 0}`;
  if (family === 0) local = 'undefined:undefined';
  const { boundAddress } = socket._handle;
  if (boundAddress !== undefined) local = `${boundAddress.address}:${boundAddress.port}`;
  return exceptionWithHostPort(status, 'connect', address, port, local);
}

// To an address of family 4 or 6, or to a path, which is family 0.
function connectTo(socket, address, port, family, localAddress, localPort) {
  const attempt = makeAttempt(address, port, family, localAddress, localPort);
  const handle = socket._handle;
  const status = startAttempt(socket, attempt, (result) => {
    // It may have been destroyed meanwhile, and be on its way to somewhere else.
    if (socket._handle === handle) afterConnect(socket, attempt, result);
  });
  if (status > 0) {
    socket.destroy(bindError(attempt, status));
  } else if (status < 0) {
    socket.destroy(refusalAtOnce(socket, attempt, status));
  }
}

// One address after the other, each for as long as options say, until one answers.
class Contest {
  constructor(socket, addresses, port, localPort, timeout) {
    this.socket = socket;
    this.addresses = addresses;
    this.current = 0;
    this.port = port;
    this.localPort = localPort;
    this.timeout = timeout;
    this.timer = null;
    this.errors = [];
  }

  next(isCanceled = false) {
    clearTimeout(this.timer);
    const { socket } = this;
    if (!socket.connecting) return;
    if (isCanceled || this.current === this.addresses.length) {
      socket.destroy(this.errors.length === 0 ?
        new ERR_SOCKET_CONNECTION_TIMEOUT() :
        new NodeAggregateError(this.errors));
      return;
    }
    const index = this.current++;
    if (index > 0) socket._replaceHandle(new StreamHandle(kTcp));
    const { address, family } = this.addresses[index];
    const attempt = makeAttempt(address, this.port, family, undefined, this.localPort);
    const handle = socket._handle;
    if (isBlocked(socket, attempt)) {
      this.#failed(attempt, new ERR_IP_BLOCKED(address));
      this.next();
      return;
    }
    const status = startAttempt(socket, attempt, (result) => this.#finished(index, attempt, handle, result));
    if (status > 0) {
      ArrayPrototypePush(this.errors, bindError(attempt, status));
      this.next();
      return;
    }
    if (!socket.connecting || socket._handle !== handle) return;
    ArrayPrototypePush(socket.autoSelectFamilyAttemptedAddresses, `${address}:${this.port}`);
    if (status < 0) {
      this.#failed(attempt, refusalAtOnce(socket, attempt, status));
      this.next();
      return;
    }
    if (index < this.addresses.length - 1) {
      this.timer = new Timeout(() => this.#timedOut(attempt, handle), this.timeout, undefined, false, true);
      insertNew(this.timer);
    }
  }

  #failed(attempt, error) {
    ArrayPrototypePush(this.errors, error);
    this.socket.emit('connectionAttemptFailed', attempt.address, attempt.port, attempt.family, error);
  }

  #finished(index, attempt, handle, status) {
    // The attempt was given up by its timer.
    if (attempt.isOver) return;
    clearTimeout(this.timer);
    const { socket } = this;
    if (socket.destroyed || socket._handle !== handle) {
      handle.close();
      return;
    }
    if (status !== 0) {
      this.#failed(attempt, connectionError(attempt, status));
      if (socket.connecting) this.next(status === UV_ECANCELED);
      return;
    }
    afterConnect(socket, attempt, 0);
  }

  #timedOut(attempt, handle) {
    attempt.isOver = true;
    this.socket.emit('connectionAttemptTimeout', attempt.address, attempt.port, attempt.family);
    ArrayPrototypePush(this.errors, connectionError(attempt, UV_ETIMEDOUT));
    handle.close();
    if (this.socket._handle === handle && this.socket.connecting) this.next();
  }
}

// The families by turns, beginning with that of the first address.
function inTurns(addresses) {
  const first = [];
  const second = [];
  for (let i = 0; i < addresses.length; i++) {
    ArrayPrototypePush(addresses[i].family === addresses[0].family ? first : second, addresses[i]);
  }
  const result = [];
  for (let i = 0; i < first.length || i < second.length; i++) {
    if (i < first.length) ArrayPrototypePush(result, first[i]);
    if (i < second.length) ArrayPrototypePush(result, second[i]);
  }
  return result;
}

function lookupAll(socket, lookup, host, options, dnsOptions, port, timeout) {
  const { localAddress, localPort } = options;
  dnsOptions.all = true;
  lookup(host, dnsOptions, bindCallback('GETADDRINFOREQWRAP', function emitLookup(err, addresses) {
    if (!socket.connecting) return;
    if (err) {
      socket.emit('lookup', err, undefined, undefined, host);
      process.nextTick(destroyNT, socket, err);
      return;
    }
    const valid = [];
    for (let i = 0; i < addresses.length; i++) {
      const { address, family } = addresses[i];
      socket.emit('lookup', err, address, family, host);
      if (!socket.connecting) return;
      if (typeof address === 'string' && isIP(address) !== 0 &&
          (family === 4 || family === 6)) ArrayPrototypePush(valid, { address, family });
    }
    if (valid.length === 0) {
      const { address, family } = addresses[0] ?? {};
      const error = typeof address !== 'string' || isIP(address) === 0 ?
        new ERR_INVALID_IP_ADDRESS(address) :
        new ERR_INVALID_ADDRESS_FAMILY(family, options.host, options.port);
      process.nextTick(destroyNT, socket, error);
      return;
    }
    socket._unrefTimer();
    if (valid.length === 1) {
      connectTo(socket, valid[0].address, port, valid[0].family, localAddress, localPort);
      return;
    }
    socket.autoSelectFamilyAttemptedAddresses = [];
    new Contest(socket, inTurns(valid), port, localPort, timeout).next();
  }));
}

function lookupOne(socket, lookup, host, options, dnsOptions, port) {
  lookup(host, dnsOptions, bindCallback('GETADDRINFOREQWRAP', function emitLookup(err, ip, family) {
    socket.emit('lookup', err, ip, family, host);
    if (!socket.connecting) return;
    if (err) {
      process.nextTick(destroyNT, socket, err);
    } else if (typeof ip !== 'string' || isIP(ip) === 0) {
      process.nextTick(destroyNT, socket, new ERR_INVALID_IP_ADDRESS(ip));
    } else if (family !== 4 && family !== 6) {
      process.nextTick(destroyNT, socket, new ERR_INVALID_ADDRESS_FAMILY(family, options.host, options.port));
    } else {
      socket._unrefTimer();
      connectTo(socket, ip, port, family, options.localAddress, options.localPort);
    }
  }));
}

function connectLater(socket, host, port, family, localAddress, localPort) {
  if (socket.connecting) connectTo(socket, host, port, family, localAddress, localPort);
}

function dnsFamily(family) {
  if (family === 'IPv4') return 4;
  if (family === 'IPv6') return 6;
  return family;
}

// Connects to a host name or address. Throws if the options are invalid.
function connectToHost(socket, options) {
  const { localAddress, localPort } = options;
  const host = options.host || 'localhost';
  let { port, autoSelectFamily, autoSelectFamilyAttemptTimeout: timeout } = options;
  validateString(host, 'options.host');
  if (StringPrototypeIncludes(host, '\u0000')) {
    throw new ERR_INVALID_ARG_VALUE('options.host', host, 'must be a string without null bytes');
  }
  if (socket[kBoundSource]) {
    if (localAddress !== undefined || localPort !== undefined) {
      throw new ERR_INVALID_ARG_VALUE(
        'options', options, 'localAddress and localPort cannot be used with an adopted bound socket');
    }
    autoSelectFamily = false;
  }
  if (localAddress && isIP(localAddress) === 0) throw new ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (port !== undefined) {
    if (typeof port !== 'number' && typeof port !== 'string') {
      throw new ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    }
    validatePort(port);
  }
  port |= 0;
  if (autoSelectFamily !== undefined && autoSelectFamily !== null) {
    validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  } else {
    autoSelectFamily = getDefaultAutoSelectFamily();
  }
  if (timeout !== undefined && timeout !== null) {
    validateInt32(timeout, 'options.autoSelectFamilyAttemptTimeout', 1);
    if (timeout < kLeastAttemptTimeout) timeout = kLeastAttemptTimeout;
  } else {
    timeout = getDefaultAutoSelectFamilyAttemptTimeout();
  }
  const family = isIP(host);
  if (family !== 0) {
    if (socket[kBoundSource]) {
      // At once, so that the program can read the local address when connect() has returned.
      connectTo(socket, host, port, family);
      return;
    }
    process.nextTick(connectLater, socket, host, port, family, localAddress, localPort);
    return;
  }
  if (options.lookup !== undefined && options.lookup !== null) validateFunction(options.lookup, 'options.lookup');
  const dnsOptions = { family: dnsFamily(options.family), hints: options.hints || 0 };
  socket._host = host;
  const lookup = options.lookup || require('dns').lookup;
  const isAnyFamily = dnsOptions.family !== 4 && dnsOptions.family !== 6;
  // No addresses of a family that this machine has no way to.
  if (isAnyFamily && dnsOptions.hints === 0) dnsOptions.hints = require('dns').ADDRCONFIG;
  if (autoSelectFamily && isAnyFamily && !localAddress) {
    lookupAll(socket, lookup, host, options, dnsOptions, port, timeout);
  } else {
    lookupOne(socket, lookup, host, options, dnsOptions, port);
  }
}

function connectToPath(socket, path) {
  validateString(path, 'options.path');
  connectTo(socket, path, undefined, 0);
}

function checkTarget(options) {
  const { port, path } = options;
  if (port === undefined && (path === undefined || path === null)) {
    throw new ERR_MISSING_ARGS(['options', 'port', 'path']);
  }
}

module.exports = { checkTarget, connectToHost, connectToPath };
