'use strict';
// send() for dgram.Socket.prototype.

const { Array, ArrayIsArray, ArrayPrototypePush } = primordials;

const {
  ExceptionWithHostPort,
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS,
    ERR_INVALID_ARG_TYPE,
    ERR_IP_BLOCKED,
    ERR_SOCKET_DGRAM_IS_CONNECTED,
  },
} = require('internal/errors');
const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer/fast');
const { asyncIdSymbol, bindCallback, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const {
  callWhenBound,
  kBound,
  kConnected,
  kStateSymbol,
  kUnbound,
  runningState,
} = require('internal/dgram/state');
const { isArrayBufferView } = require('internal/util/types');
const { validateNumber, validatePort, validateString } = require('internal/validators');

const kDataTypes = ['Buffer', 'TypedArray', 'DataView', 'string'];

// Bytes of a string or a view; undefined for other values.
function toBytes(data) {
  if (typeof data === 'string') return Buffer.from(data);
  return isArrayBufferView(data) ? data : undefined;
}

// The part of `data` that send(data, offset, length, ...) means.
function slice(data, offset, length) {
  const bytes = toBytes(data);
  if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buffer', kDataTypes, data);
  offset >>>= 0;
  length >>>= 0;
  if (offset > bytes.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > bytes.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return Buffer.from(bytes.buffer, bytes.byteOffset + offset, length);
}

// The pieces of one datagram.
function toList(data) {
  if (!ArrayIsArray(data)) {
    const bytes = toBytes(data);
    if (bytes === undefined) throw new ERR_INVALID_ARG_TYPE('buffer', kDataTypes, data);
    return [bytes];
  }
  const list = new Array(data.length);
  for (let i = 0; i < data.length; i++) {
    list[i] = toBytes(data[i]);
    if (list[i] === undefined) throw new ERR_INVALID_ARG_TYPE('buffer list arguments', kDataTypes, data);
  }
  return list;
}

// A datagram that waits for room in the kernel.
class SendWrap {
  constructor(address, port, callback) {
    this.oncomplete = callback && bindCallback('UDPSENDWRAP', (status, size) => {
      callback(status ? new ExceptionWithHostPort(status, 'send', address, port) : null, size);
    });
  }
}

// A look-up has found `ip`, or the socket is connected and there is neither an address nor a port.
function sendTo(socket, error, ip, list, address, port, callback) {
  const state = socket[kStateSymbol];
  if (error) {
    if (typeof callback === 'function') {
      process.nextTick(callback, error);
    } else {
      process.nextTick(() => socket.emit('error', error));
    }
    return;
  }
  if (!state.handle) return;
  if (ip && state.blocksSendingTo(ip)) {
    if (callback) process.nextTick(callback, new ERR_IP_BLOCKED(ip));
    return;
  }
  const request = new SendWrap(address, port, callback);
  const status = port ? state.handle.send(request, list, ip, port) : state.handle.send(request, list);
  if (status === 0 || !callback) return;
  if (status > 0) {
    process.nextTick(callback, null, status - 1);
  } else {
    process.nextTick(callback, new ExceptionWithHostPort(status, 'send', address, port));
  }
}

// Either (data, offset, length, port, address, callback) or (data, port, address, callback); a connected socket takes
// neither a port nor an address.
function send(data, offset, length, port, address, callback) {
  const state = this[kStateSymbol];
  const isConnected = state.connectState === kConnected;
  if (isConnected) {
    if (typeof length === 'number') {
      data = slice(data, offset, length);
      if (typeof port === 'function') {
        callback = port;
        port = null;
      }
    } else {
      callback = offset;
    }
    if (port || address) throw new ERR_SOCKET_DGRAM_IS_CONNECTED();
  } else if (address || (port && typeof port !== 'function')) {
    data = slice(data, offset, length);
  } else {
    callback = port;
    port = offset;
    address = length;
  }
  const list = toList(data);
  if (!isConnected) port = validatePort(port, 'Port', false);
  if (typeof callback !== 'function') callback = undefined;
  if (typeof address === 'function') {
    callback = address;
    address = undefined;
  } else if (address != null) {
    validateString(address, 'address');
  }

  runningState(this);
  if (state.bindState === kUnbound) this.bind({ port: 0, exclusive: true }, null);
  if (list.length === 0) ArrayPrototypePush(list, new FastBuffer());
  if (state.bindState !== kBound) {
    callWhenBound(this, () => this.send(list, port, address, callback));
    return;
  }
  const whenFound = (error, ip) => {
    defaultTriggerAsyncIdScope(this[asyncIdSymbol], sendTo, this, error, ip, list, address, port, callback);
  };
  if (isConnected) {
    whenFound(null, null);
  } else {
    state.handle.lookup(address, whenFound);
  }
}

// The older form, with all arguments.
function sendto(buffer, offset, length, port, address, callback) {
  validateNumber(offset, 'offset');
  validateNumber(length, 'length');
  validateNumber(port, 'port');
  validateString(address, 'address');
  this.send(buffer, offset, length, port, address, callback);
}

module.exports = { SendWrap, send, sendto };
