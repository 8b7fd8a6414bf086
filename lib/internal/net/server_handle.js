'use strict';
// A socket that listens, of TCP or of a Unix path. net.Server is an EventEmitter around one of these.

const { ObjectAssign } = primordials;

const binding = internalBinding('stream_servers');
const asyncHooks = require('internal/async_hooks');
const { hooks } = asyncHooks;
const { StreamHandle, kPipe, kTcp, setUp } = require('internal/net/stream_handle');

const { UV_EACCES, UV_ENOENT } = internalBinding('uv');

// Called by stream_handle.js, as the asynchronous resource that the handle is.
function deliver(handle, status, wrap) {
  handle.onconnection(status, status === 0 ? handle.adopt(wrap) : undefined);
}

class ServerHandle {
  constructor(isPipe) {
    setUp();
    this.wrap = binding.create(isPipe); // Null once it is closed.
    this.wrap.owner = this;
    this.isPipe = isPipe;
    this.owner = null; // Free for the user of the handle.
    this.onconnection = undefined; // (status, the StreamHandle of the connection)
    this.deliver = deliver;
    this.closeCallback = undefined;
    this.isClosing = false;
    this.hasReference = true;
    this.asyncId = asyncHooks.newAsyncId();
    this.triggerId = asyncHooks.defaultTriggerAsyncId();
    this.frame = asyncHooks.getFrame();
    if (hooks.active) {
      asyncHooks.emitInit(this.asyncId, isPipe ? 'PIPESERVERWRAP' : 'TCPSERVERWRAP', this.triggerId, this);
    }
  }

  // All answer 0 or a negative errno.
  bind(host, port, ipv6Only, reusePort) {
    const status = binding.bind(this.wrap, host, port, ipv6Only, reusePort);
    // libuv reports a missing directory as EACCES.
    return this.isPipe && status === UV_ENOENT ? UV_EACCES : status;
  }

  // A descriptor that is bound already, or even listens.
  open(fd) {
    return binding.open(this.wrap, fd);
  }

  listen(backlog) {
    return binding.listen(this.wrap, backlog);
  }

  addMode(path, mode) {
    return binding.chmod(this.wrap, path, mode);
  }

  // The handle of a connection that native code has accepted.
  adopt(wrap) {
    const handle = new StreamHandle(this.isPipe ? kPipe : kTcp, wrap);
    // A connection has no cause in the program, so it does not inherit the server's AsyncLocalStorage values.
    handle.frame = undefined;
    return handle;
  }

  close(callback) {
    if (this.isClosing) return;
    this.isClosing = true;
    this.closeCallback = callback;
    binding.close(this.wrap);
  }

  // Takes the descriptor out, for another thread, and closes the handle.
  release() {
    const fd = binding.release(this.wrap);
    this.close();
    return fd;
  }

  ref() {
    this.hasReference = true;
    binding.setRef(this.wrap, true);
  }

  unref() {
    this.hasReference = false;
    binding.setRef(this.wrap, false);
  }

  hasRef() {
    return this.hasReference && !this.isClosing;
  }

  get fd() {
    return binding.fd(this.wrap);
  }

  // { address, family, port }, undefined for a Unix socket, or a negative errno.
  localAddress() {
    return binding.address(this.wrap);
  }

  // The same as Node's handles have it: 0, and the address in `out`, or a negative errno. For TCP only.
  getsockname(out) {
    const address = this.localAddress();
    if (typeof address === 'number') return address;
    ObjectAssign(out, address);
    return 0;
  }

  getAsyncId() {
    return this.asyncId;
  }
}

module.exports = { ServerHandle };
