'use strict';
// A socket that listens, of TCP or of a Unix path. net.Server is an EventEmitter around one of these. Like a
// StreamHandle, it is the native object itself.

const { ObjectAssign } = primordials;

const binding = internalBinding('stream_servers');
const {
  SocketHandle, addGetters, adopt, begin, kPipe, kTcp, setFields, setUp,
} = require('internal/net/stream_handle');

const { UV_EACCES, UV_ENOENT } = internalBinding('uv');

let isReady = false;
function setUpServers() {
  if (isReady) return;
  isReady = true;
  setUp();
  const pattern = binding.makePattern(ServerHandle.prototype);
  setFields(pattern);
  pattern.isPipe = false;
  pattern.onconnection = undefined; // (status, the StreamHandle of the connection)
}

class ServerHandle extends SocketHandle {
  constructor(isPipe) {
    setUpServers();
    const handle = binding.create(isPipe);
    handle.isPipe = isPipe;
    return begin(handle);
  }

  get typeName() {
    return this.isPipe ? 'PIPESERVERWRAP' : 'TCPSERVERWRAP';
  }

  // Called by stream_handle.js, as the asynchronous resource that the handle is.
  deliver(handle, status, stream) {
    handle.onconnection(status, status === 0 ? adopt(stream, handle.isPipe ? kPipe : kTcp) : undefined);
  }

  // Returns 0 or a negative errno, like all methods below.
  bind(host, port, ipv6Only, reusePort) {
    const status = this.bindTo(host, port, ipv6Only, reusePort);
    // libuv reports a missing directory as EACCES.
    return this.isPipe && status === UV_ENOENT ? UV_EACCES : status;
  }

  // The local address as Node's handles have it: 0, and the address in `out`, or a negative errno. For TCP only.
  getsockname(out) {
    const address = this.localAddress();
    if (typeof address === 'number') return address;
    ObjectAssign(out, address);
    return 0;
  }
}

ObjectAssign(ServerHandle.prototype, {
  addMode: binding.addMode,
  bindTo: binding.bindTo,
  connectFrom: binding.connectFrom,
  hasRef: binding.hasRef,
  listen: binding.listen,
  localAddress: binding.localAddress, // { address, family, port }, undefined for a Unix socket, or a negative errno.
  open: binding.open, // A descriptor that is bound already, or even listens.
  ref: binding.ref,
  startClose: binding.startClose,
  takeDescriptor: binding.takeDescriptor,
  unref: binding.unref,
});
addGetters(ServerHandle.prototype, { __proto__: null, fd: binding.fd });

module.exports = { ServerHandle };
