'use strict';

// MessagePort and MessageChannel. A port is a native object with a prototype from lib. It keeps the loop alive and
// delivers messages while it has a listener for 'message'.

const {
  FunctionPrototypeCall,
  ObjectDefineProperties,
  ObjectSetPrototypeOf,
  Symbol,
  TypeError,
} = primordials;

const binding = internalBinding('messaging');
const { asyncIdSymbol, bindCallback, bindListener, emitDestroy, hooks } = require('internal/async_hooks');
const { kListener } = require('internal/trace/events');
const {
  defineEventHandler,
  Event,
  initNodeEventTarget,
  kCreateEvent,
  kEvents,
  kHybridDispatch,
  kNewListener,
  kRemoveListener,
  NodeEventTarget,
} = require('internal/event_target');
const { codedTypeError } = require('internal/errors');
const { customInspectSymbol } = require('internal/util');
const {
  isPort, kOnClose, kOnMessage, prepare, readPostOptions,
} = require('internal/structured_clone');

// Key of the port of a broadcast channel.
const kPortOf = Symbol('kPortOf');
const kReceivingPorts = Symbol('kReceivingPorts');
const kNothing = Symbol('kNothing');
const noPorts = [];

// Results of the binding's postMessage().
const { kNowhere, kSent, kToItself } = binding;

function MessagePort() {
  throw codedTypeError('ERR_CONSTRUCT_CALL_INVALID', 'Constructor cannot be called');
}
ObjectSetPrototypeOf(MessagePort, NodeEventTarget);
ObjectSetPrototypeOf(MessagePort.prototype, NodeEventTarget.prototype);
const { once } = NodeEventTarget.prototype;

function checkPort(value) {
  if (!isPort(value)) throw new TypeError('Illegal invocation');
}

// A plain object instead of a class, because objects created by native code do not run a constructor.
const methods = {
  postMessage(message, transferList) {
    checkPort(this);
    if (arguments.length === 0) {
      throw codedTypeError('ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage');
    }
    const list = transferList === undefined ? undefined : readPostOptions(transferList, this);
    const posted = binding.postMessage(this, message, list);
    if (posted === kSent) return true;
    if (posted === kNowhere) return undefined;
    if (posted !== kToItself) return false;
    process.emitWarning('The target port was posted to itself, and the communication channel was lost');
    return true;
  },
  start() {
    checkPort(this);
    binding.start(this);
  },
  close(callback) {
    checkPort(this);
    if (typeof callback === 'function') FunctionPrototypeCall(once, this, 'close', callback);
    binding.close(this);
  },
  ref() {
    checkPort(this);
    binding.setRef(this, true);
  },
  unref() {
    checkPort(this);
    binding.setRef(this, false);
  },
  hasRef() {
    checkPort(this);
    return binding.hasRef(this);
  },
};
function method(name) {
  return { __proto__: null, value: methods[name], enumerable: true, writable: true, configurable: true };
}
ObjectDefineProperties(MessagePort.prototype, {
  postMessage: method('postMessage'),
  start: method('start'),
  ref: method('ref'),
  unref: method('unref'),
  hasRef: method('hasRef'),
});
defineEventHandler(MessagePort.prototype, 'message');
defineEventHandler(MessagePort.prototype, 'messageerror');
ObjectDefineProperties(MessagePort.prototype, {
  close: method('close'),
  [kNewListener]: {
    __proto__: null,
    value(size, type, listener, isOnce, capture, passive, weak) {
      if (type === 'message' && size === 1) {
        binding.setRef(this, true);
        binding.start(this);
      }
      FunctionPrototypeCall(NodeEventTarget.prototype[kNewListener], this, size, type, listener, isOnce, capture,
        passive, weak);
    },
  },
  [kRemoveListener]: {
    __proto__: null,
    value(size, type) {
      if (type !== 'message' || size !== 0) return;
      binding.setRef(this, false);
      binding.stop(this);
    },
  },
  [kCreateEvent]: {
    __proto__: null,
    value(data, type) {
      if (type !== 'message' && type !== 'messageerror') {
        return FunctionPrototypeCall(NodeEventTarget.prototype[kCreateEvent], this, data, type);
      }
      const { MessageEvent } = require('internal/worker/message_event');
      return new MessageEvent(type, { data, ports: this[kReceivingPorts] ?? noPorts });
    },
  },
  [customInspectSymbol]: {
    __proto__: null,
    value(depth, options) {
      if (!isPort(this)) return this;
      if (depth < 0) return '[MessagePort [EventTarget]]';
      const { inspect } = require('internal/util/inspect');
      return `MessagePort [EventTarget] ${inspect({ active: binding.isOpen(this), refed: binding.hasRef(this) }, options)}`;
    },
  },
});

// `this` is the port.
function onMessage(data, ports, type) {
  this[kReceivingPorts] = ports;
  this[kHybridDispatch](data, type, undefined);
  this[kReceivingPorts] = undefined;
}

// Returns the listener whose name traces show.
function firstListener(port) {
  const listener = port[kEvents].get('message')?.next?.callback;
  return listener?.[kListener] === undefined ? listener : listener[kListener]();
}

class MessagePortCloseEvent extends Event {
  constructor() {
    super('close');
  }
}

function onClose() {
  this.dispatchEvent(new MessagePortCloseEvent());
}

function onHookedClose() {
  FunctionPrototypeCall(onClose, this);
  emitDestroy(this[kOnMessage][asyncIdSymbol]);
}

// Called by native code for each port that it has created.
function preparePort(port) {
  ObjectSetPrototypeOf(port, MessagePort.prototype);
  initNodeEventTarget(port);
  port[kReceivingPorts] = undefined;
  // Set first, because a hook may use the port.
  port[kOnMessage] = onMessage;
  port[kOnClose] = hooks.active ? onHookedClose : onClose;
  port[kOnMessage] = hooks.active ? bindListener('MESSAGEPORT', function(data, ports, type) {
    FunctionPrototypeCall(onMessage, this, data, ports, type);
  }, () => firstListener(port), true, port) : bindCallback('MESSAGEPORT', onMessage, true);
}

function MessageChannel() {
  if (new.target === undefined) {
    throw codedTypeError('ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  }
  prepare();
  const { 0: port1, 1: port2 } = binding.makeChannel();
  this.port1 = port1;
  this.port2 = port2;
}

function receiveMessageOnPort(port) {
  // A broadcast channel contains a port.
  const target = isPort(port) ? port : port?.[kPortOf];
  if (!isPort(target)) {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  }
  const message = binding.receive(target, kNothing);
  return message === kNothing ? undefined : { message };
}

module.exports = { MessageChannel, MessagePort, kPortOf, preparePort, receiveMessageOnPort };
