'use strict';
// request.socket and response.socket: looks like the socket of a connection, but belongs to one stream.

const { FunctionPrototypeBind, Proxy, ReflectGetPrototypeOf } = primordials;

const { codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION } } = require('internal/errors');
const { kProxySocket, kRequest, kSocket } = require('internal/http2/util');

function refuseManipulation(name) {
  if (name === 'write' || name === 'read' || name === 'pause' || name === 'resume') {
    throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
  }
}

// The socket of the session; the stream itself if it has left the session.
function targetOf(stream) {
  return stream.session !== undefined ? stream.session[kSocket] : stream;
}

const handler = {
  has(stream, name) {
    return name in stream || name in targetOf(stream);
  },
  get(stream, name) {
    switch (name) {
      case 'on':
      case 'once':
      case 'end':
      case 'emit':
      case 'destroy':
        return FunctionPrototypeBind(stream[name], stream);
      case 'writable':
      case 'destroyed':
        return stream[name];
      case 'readable':
        if (stream.destroyed) return false;
        return (stream[kRequest] || stream).readable;
      case 'setTimeout': {
        const owner = stream.session ?? stream;
        return FunctionPrototypeBind(owner.setTimeout, owner);
      }
    }
    refuseManipulation(name);
    const target = targetOf(stream);
    const value = target[name];
    return typeof value === 'function' ? FunctionPrototypeBind(value, target) : value;
  },
  getPrototypeOf(stream) {
    return ReflectGetPrototypeOf(targetOf(stream));
  },
  set(stream, name, value) {
    switch (name) {
      case 'writable':
      case 'readable':
      case 'destroyed':
      case 'on':
      case 'once':
      case 'end':
      case 'emit':
      case 'destroy':
        stream[name] = value;
        return true;
      case 'setTimeout':
        (stream.session ?? stream).setTimeout = value;
        return true;
    }
    refuseManipulation(name);
    targetOf(stream)[name] = value;
    return true;
  },
};

function socketOf(stream) {
  stream[kProxySocket] ??= new Proxy(stream, handler);
  return stream[kProxySocket];
}

module.exports = { socketOf };
