'use strict';
// Keys of the internal properties of sockets. The descriptions are those that util.inspect() shows in Node.

const { Symbol } = primordials;

module.exports = {
  kBoundPath: Symbol('kBoundPath'),
  kBoundSource: Symbol('kBoundSource'),
  kBuffer: Symbol('kBuffer'),
  kBufferCb: Symbol('kBufferCb'),
  kBufferGen: Symbol('kBufferGen'),
  kBytesRead: Symbol('kBytesRead'),
  kBytesWritten: Symbol('kBytesWritten'),
  // A method of net.BoundSocket, by which others recognize one without loading it: gives { handle, path } away.
  kConsumeBound: Symbol('kBoundSocketConsume'),
  kLastWriteQueueSize: Symbol('lastWriteQueueSize'),
  kSendStatus: Symbol('kSendStatus'), // The answer of send(), from write() to _write().
  kSetKeepAlive: Symbol('kSetKeepAlive'),
  kSetKeepAliveCount: Symbol('kSetKeepAliveCount'),
  kSetKeepAliveInitialDelay: Symbol('kSetKeepAliveInitialDelay'),
  kSetKeepAliveInterval: Symbol('kSetKeepAliveInterval'),
  kSetNoDelay: Symbol('kSetNoDelay'),
  kTimeout: Symbol('timeout'),
  kTypeOfService: Symbol('kSetTOS'),
};
