'use strict';
// Handles of UDP sockets with their name look-up: what the files of internal/dgram and their tests share.

const { Symbol } = primordials;

const { codes: { ERR_SOCKET_BAD_TYPE } } = require('internal/errors');
const { UDP } = require('internal/dgram/handle');
const { isIP } = require('internal/net');
const { guessHandleType } = require('internal/util');
const { isInt32, validateFunction } = require('internal/validators');
const { UV_EINVAL } = internalBinding('uv');

const kStateSymbol = Symbol('state symbol');

// An address of the right family needs no look-up, but the answer must not come before the call returns.
function defaultLookup(address, family, callback) {
  if (isIP(address) === family) {
    process.nextTick(callback, null, address, family);
  } else {
    require('dns').lookup(address, family, callback);
  }
}

// handle.lookup(address, callback) finds an address for the socket: by default one of this machine.
function newHandle(type, lookup) {
  if (lookup === undefined) {
    lookup = defaultLookup;
  } else {
    validateFunction(lookup, 'lookup');
  }
  if (type !== 'udp4' && type !== 'udp6') throw new ERR_SOCKET_BAD_TYPE();
  const isIPv6 = type === 'udp6';
  const family = isIPv6 ? 6 : 4;
  const loopback = isIPv6 ? '::1' : '127.0.0.1';
  const handle = new UDP(isIPv6);
  handle.lookup = (address, callback) => lookup(address || loopback, family, callback);
  return handle;
}

// Returns a bound handle, or a negative errno. `fd` is used if it is a positive number.
function _createSocketHandle(address, port, addressType, fd, flags) {
  const handle = newHandle(addressType);
  let status = 0;
  if (isInt32(fd) && fd > 0) {
    status = guessHandleType(fd) === 'UDP' ? handle.open(fd) : UV_EINVAL;
  } else if (port || address) {
    status = handle.bind(address, port || 0, flags);
  }
  if (status === 0) return handle;
  handle.close();
  return status;
}

module.exports = { _createSocketHandle, kStateSymbol, newHandle };
