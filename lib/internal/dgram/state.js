'use strict';
// The state of a dgram.Socket, and the queue of calls that wait until it is bound.

const { ArrayPrototypePush } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_SOCKET_DGRAM_NOT_RUNNING } } = require('internal/errors');
const { kStateSymbol } = require('internal/dgram');
const { errorMonitor } = require('events');
const { isIP } = require('internal/net');
const { validateUint32 } = require('internal/validators');

const kUnbound = 0;
const kBinding = 1;
const kBound = 2;

const kDisconnected = 0;
const kConnecting = 1;
const kConnected = 2;

function takeBlockList(options, name) {
  const list = options[name];
  if (!list) return undefined;
  if (!require('internal/net/blocklist').BlockList.isBlockList(list)) {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, 'net.BlockList', list);
  }
  return list;
}

function takeSize(options, name) {
  const size = options[name];
  if (size) validateUint32(size, `options.${name}`);
  return size;
}

// `options` is undefined if only a type was given.
class State {
  constructor(options) {
    this.handle = null; // Null again once the socket is closed.
    this.receiving = false;
    this.bindState = kUnbound;
    this.connectState = kDisconnected;
    this.queue = undefined; // Functions to call once the socket is bound.
    this.reuseAddr = undefined;
    this.reusePort = undefined;
    this.ipv6Only = undefined;
    this.recvBufferSize = undefined;
    this.sendBufferSize = undefined;
    this.receiveBlockList = undefined;
    this.sendBlockList = undefined;
    if (options === undefined) return;
    this.recvBufferSize = takeSize(options, 'recvBufferSize');
    this.sendBufferSize = takeSize(options, 'sendBufferSize');
    this.receiveBlockList = takeBlockList(options, 'receiveBlockList');
    this.sendBlockList = takeBlockList(options, 'sendBlockList');
    this.reuseAddr = options.reuseAddr;
    this.reusePort = options.reusePort;
    this.ipv6Only = options.ipv6Only;
  }

  blocksSendingTo(ip) {
    return this.sendBlockList !== undefined && this.sendBlockList.check(ip, `ipv${isIP(ip)}`);
  }
}

// The state of a socket that is not closed.
function runningState(socket) {
  const state = socket[kStateSymbol];
  if (!state.handle) throw new ERR_SOCKET_DGRAM_NOT_RUNNING();
  return state;
}

function onQueueListening() {
  const state = this[kStateSymbol];
  this.removeListener(errorMonitor, onQueueError);
  const { queue } = state;
  state.queue = undefined;
  for (let i = 0; i < queue.length; i++) queue[i]();
}

// The socket could not be bound: drops the calls that wait for it.
function onQueueError() {
  this.removeListener('listening', onQueueListening);
  this[kStateSymbol].queue = undefined;
}

// Calls `fn` when the socket emits 'listening', after those that were queued before.
function callWhenBound(socket, fn) {
  const state = socket[kStateSymbol];
  if (state.queue === undefined) {
    state.queue = [];
    socket.once(errorMonitor, onQueueError);
    socket.once('listening', onQueueListening);
  }
  ArrayPrototypePush(state.queue, fn);
}

module.exports = {
  State,
  callWhenBound,
  kBinding,
  kBound,
  kConnected,
  kConnecting,
  kDisconnected,
  kStateSymbol,
  kUnbound,
  runningState,
};
