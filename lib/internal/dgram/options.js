'use strict';
// Addresses, groups and options, for dgram.Socket.prototype.

const { ErrnoException, codes: { ERR_MISSING_ARGS, ERR_SOCKET_DGRAM_NOT_CONNECTED } } = require('internal/errors');
const { bufferSize } = require('internal/dgram/bind');
const { kConnected, kStateSymbol, runningState } = require('internal/dgram/state');
const { validateNumber, validateString } = require('internal/validators');

function check(status, syscall) {
  if (status) throw new ErrnoException(status, syscall);
}

module.exports = {
  address() {
    const { handle } = runningState(this);
    const result = {};
    check(handle.getsockname(result), 'getsockname');
    return result;
  },

  remoteAddress() {
    const { connectState, handle } = runningState(this);
    if (connectState !== kConnected) throw new ERR_SOCKET_DGRAM_NOT_CONNECTED();
    const result = {};
    check(handle.getpeername(result), 'getpeername');
    return result;
  },

  setBroadcast(on) {
    check(this[kStateSymbol].handle.setBroadcast(on ? 1 : 0), 'setBroadcast');
  },

  setTTL(ttl) {
    validateNumber(ttl, 'ttl');
    check(this[kStateSymbol].handle.setTTL(ttl), 'setTTL');
    return ttl;
  },

  setMulticastTTL(ttl) {
    validateNumber(ttl, 'ttl');
    check(this[kStateSymbol].handle.setMulticastTTL(ttl), 'setMulticastTTL');
    return ttl;
  },

  setMulticastLoopback(on) {
    check(this[kStateSymbol].handle.setMulticastLoopback(on ? 1 : 0), 'setMulticastLoopback');
    return on;
  },

  setMulticastInterface(interfaceAddress) {
    const { handle } = runningState(this);
    validateString(interfaceAddress, 'interfaceAddress');
    check(handle.setMulticastInterface(interfaceAddress), 'setMulticastInterface');
  },

  addMembership(multicastAddress, interfaceAddress) {
    const { handle } = runningState(this);
    if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
    check(handle.addMembership(multicastAddress, interfaceAddress), 'addMembership');
  },

  dropMembership(multicastAddress, interfaceAddress) {
    const { handle } = runningState(this);
    if (!multicastAddress) throw new ERR_MISSING_ARGS('multicastAddress');
    check(handle.dropMembership(multicastAddress, interfaceAddress), 'dropMembership');
  },

  addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    const { handle } = runningState(this);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    check(handle.addSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress),
      'addSourceSpecificMembership');
  },

  dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress) {
    const { handle } = runningState(this);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    check(handle.dropSourceSpecificMembership(sourceAddress, groupAddress, interfaceAddress),
      'dropSourceSpecificMembership');
  },

  ref() {
    this[kStateSymbol].handle?.ref();
    return this;
  },

  unref() {
    this[kStateSymbol].handle?.unref();
    return this;
  },

  setRecvBufferSize(size) {
    bufferSize(this, size, true);
  },

  setSendBufferSize(size) {
    bufferSize(this, size, false);
  },

  getRecvBufferSize() {
    return bufferSize(this, 0, true);
  },

  getSendBufferSize() {
    return bufferSize(this, 0, false);
  },

  getSendQueueSize() {
    return this[kStateSymbol].handle.getSendQueueSize();
  },

  getSendQueueCount() {
    return this[kStateSymbol].handle.getSendQueueCount();
  },
};
