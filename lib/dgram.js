'use strict';
// The module `dgram`.

const {
  ArrayPrototypePush,
  FunctionPrototypeCall,
  ObjectAssign,
  ObjectSetPrototypeOf,
  SymbolAsyncDispose,
  SymbolDispose,
} = primordials;

const EventEmitter = require('events');
const { bind, bindSync, connect, connectSync, disconnect } = require('internal/dgram/bind');
const { kStateSymbol, newHandle } = require('internal/dgram');
const options = require('internal/dgram/options');
const { send, sendto } = require('internal/dgram/send');
const { State, runningState } = require('internal/dgram/state');
const { asyncIdSymbol, defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { addAbortListener } = require('internal/events/targets');
const { promisify } = require('internal/util');
const { validateAbortSignal } = require('internal/validators');

const created = require('diagnostics_channel').channel('udp.socket');

function Socket(type, listener) {
  FunctionPrototypeCall(EventEmitter, this);
  let settings;
  if (type !== null && typeof type === 'object') {
    settings = type;
    type = settings.type;
  }
  const state = new State(settings);
  state.handle = newHandle(type, settings?.lookup);
  state.handle.owner = this;
  this[asyncIdSymbol] = state.handle.getAsyncId();
  this.type = type;
  if (typeof listener === 'function') this.on('message', listener);
  this[kStateSymbol] = state;
  if (settings?.signal !== undefined) closeOnAbort(this, settings.signal);
  if (created.hasSubscribers) created.publish({ socket: this });
}
ObjectSetPrototypeOf(Socket.prototype, EventEmitter.prototype);
ObjectSetPrototypeOf(Socket, EventEmitter);

function closeOnAbort(socket, signal) {
  validateAbortSignal(signal, 'options.signal');
  const onAbort = () => {
    if (socket[kStateSymbol].handle) socket.close();
  };
  if (signal.aborted) {
    onAbort();
  } else {
    socket.once('close', addAbortListener(signal, onAbort)[SymbolDispose]);
  }
}

function emitClose(socket) {
  socket.emit('close');
}

function close(callback) {
  const state = this[kStateSymbol];
  if (typeof callback === 'function') this.on('close', callback);
  if (state.queue !== undefined) {
    // Datagrams that wait for the socket to be bound are sent first.
    ArrayPrototypePush(state.queue, () => this.close());
    return this;
  }
  const { handle } = runningState(this);
  if (state.receiving) {
    handle.recvStop();
    state.receiving = false;
  }
  handle.close();
  state.handle = null;
  defaultTriggerAsyncIdScope(this[asyncIdSymbol], process.nextTick, emitClose, this);
  return this;
}

ObjectAssign(Socket.prototype, {
  bind, bindSync, connect, connectSync, disconnect, sendto, send, close, ...options,
});
Socket.prototype[SymbolAsyncDispose] = async function() {
  if (this[kStateSymbol].handle) await FunctionPrototypeCall(promisify(this.close), this);
};

function createSocket(type, listener) {
  return new Socket(type, listener);
}

module.exports = { createSocket, Socket };
