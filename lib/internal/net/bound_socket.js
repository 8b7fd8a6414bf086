'use strict';
// net.BoundSocket: a socket with a local address that neither listens nor connects, until one net.Server or net.Socket
// adopts it. It is a ServerHandle before that, and stays one in a server.

const { ObjectSetPrototypeOf, Symbol } = primordials;

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_SOCKET_HANDLE_ADOPTED },
  errnoException,
  exceptionWithHostPort,
} = require('internal/errors');
const { isIP } = require('internal/net');
const { ServerHandle } = require('internal/net/server_handle');
const { StreamHandle, kPipe, kTcp } = require('internal/net/stream_handle');
const { kConsumeBound } = require('internal/net/symbols');
const { kCheckTransfer, kTransfer, registerMovable } = require('internal/structured_clone');
const { SymbolDispose, kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject, validatePort, validateString } = require('internal/validators');

// The handle of a socket that connects from the address of `source`, a ServerHandle that is bound.
class BoundStreamHandle extends StreamHandle {
  #source;

  constructor(source) {
    super(source.isPipe ? kPipe : kTcp);
    ObjectSetPrototypeOf(this, BoundStreamHandle.prototype);
    this.#source = source;
    // Stored for error messages: after a failed attempt the address cannot be queried.
    this.boundAddress = source.localAddress() ?? {};
  }

  connect(host, port, localAddress, localPort, callback) {
    if (this.#source.fd < 0) return super.connect(host, port, localAddress, localPort, callback);
    return this.awaitConnect(this.#source.connectFrom(this, host, port), callback);
  }

  // Closing the source removes the file of a Unix socket.
  closeBy(isReset, callback) {
    super.closeBy(isReset, callback);
    this.#source.close();
  }

  get fd() {
    const fd = super.fd;
    return fd >= 0 ? fd : this.#source.fd;
  }

  localAddress() {
    return this.#source.fd >= 0 ? this.boundAddress : super.localAddress();
  }
}

function bindTcp(options) {
  const port = validatePort(options.port ?? 0, 'options.port');
  const ipv6Only = options.ipv6Only ?? false;
  validateBoolean(ipv6Only, 'options.ipv6Only');
  const reusePort = options.reusePort ?? false;
  validateBoolean(reusePort, 'options.reusePort');
  let { host } = options;
  if (host === undefined || host === null) {
    host = ipv6Only ? '::' : '0.0.0.0';
  } else {
    validateString(host, 'options.host');
    if (isIP(host) === 0) {
      throw new ERR_INVALID_ARG_VALUE(
        'options.host', host, 'must be a numeric IP address; net.BoundSocket does not perform DNS resolution');
    }
  }
  const handle = new ServerHandle(false);
  const status = handle.bind(host, port, ipv6Only, reusePort);
  if (status === 0) return handle;
  handle.close();
  throw exceptionWithHostPort(status, 'bind', host, port);
}

function bindPath(options) {
  const { path, host, port, ipv6Only, reusePort } = options;
  if (host !== undefined || port !== undefined || ipv6Only !== undefined || reusePort !== undefined) {
    throw new ERR_INVALID_ARG_VALUE(
      'options', options, 'path is mutually exclusive with host, port, ipv6Only, and reusePort');
  }
  validateString(path, 'options.path');
  const handle = new ServerHandle(true);
  const status = handle.bind(path);
  if (status === 0) return handle;
  handle.close();
  throw errnoException(status, 'bind');
}

let fromHandle;
const kNoOptions = Symbol('kNoOptions');

class BoundSocket {
  #handle = null; // Also null once it is adopted, moved or closed.
  #address;
  #path;

  constructor(options = kEmptyObject) {
    if (options === kNoOptions) return;
    validateObject(options, 'options');
    if (options.path !== undefined) {
      this.#handle = bindPath(options);
      this.#path = options.path;
    } else {
      this.#handle = bindTcp(options);
      this.#address = this.#handle.localAddress();
    }
  }

  #take() {
    const handle = this.#handle;
    if (handle === null) throw new ERR_SOCKET_HANDLE_ADOPTED();
    return handle;
  }

  // The path, or { address, family, port }, with the port that the system chose if none was given.
  address() {
    this.#take();
    return this.#path ?? this.#address;
  }

  fd() {
    return this.#take().fd;
  }

  close() {
    this.#take().close();
    this.#handle = null;
  }

  [SymbolDispose]() {
    if (this.#handle !== null) this.close();
  }

  [kConsumeBound]() {
    const handle = this.#take();
    this.#handle = null;
    return { handle, path: this.#path };
  }

  [kCheckTransfer]() {
    require('internal/net/transfer').checkBound(this.#handle);
  }

  [kTransfer]() {
    const moved = require('internal/net/transfer').moveBound(this.#handle);
    this.#handle = null;
    return moved;
  }

  // On the side to which a BoundSocket was moved.
  static #fromHandle(handle) {
    const bound = _TransferredBoundSocket();
    bound.#handle = handle;
    bound.#address = handle.localAddress();
    return bound;
  }

  static {
    fromHandle = BoundSocket.#fromHandle;
  }

  get isPipe() {
    return this.#path !== undefined;
  }
}
registerMovable(BoundSocket.prototype);

// Node has this public by accident: a BoundSocket that has nothing.
function _TransferredBoundSocket() {
  return new BoundSocket(kNoOptions);
}
_TransferredBoundSocket.prototype = BoundSocket.prototype;

// For the options of a net.Socket whose `handle` is a BoundSocket.
function adoptSource(options) {
  const { handle, path } = options.handle[kConsumeBound]();
  options.handle = new BoundStreamHandle(handle);
  options.isBound = true;
  options.boundPath = path;
}

module.exports = { BoundSocket, _TransferredBoundSocket, adoptSource, fromHandle };
