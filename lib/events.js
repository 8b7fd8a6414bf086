'use strict';

// node:events: EventEmitter. `_events` maps an event name to its listener, or to an array if there is more than one.
// The property names are Node's, because programs read them.

const {
  ArrayPrototypeShift,
  ArrayPrototypeSlice,
  ArrayPrototypeUnshift,
  Boolean,
  FunctionPrototypeBind,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectGetPrototypeOf,
  ReflectApply,
  ReflectOwnKeys,
  String,
  Symbol,
} = primordials;

const { genericNodeError } = require('internal/errors');
const { validateBoolean, validateFunction, validateNumber } = require('internal/validators');
const { spliceOne } = require('internal/util');
const longList = require('internal/events/long_list');
const { addCatch, kCapture, kRejection, unhandledError } = require('internal/events/rejections');
const { once } = require('internal/events/once');
const { on } = require('internal/events/iterator');
const {
  addAbortListener,
  getEventListeners,
  getMaxListeners,
  listenerCountOf,
  setMaxListenersOf,
} = require('internal/events/targets');

const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');

let defaultMaxListeners = 10;

function EventEmitter(options) {
  // Looked up on every call, because programs replace `EventEmitter.init`.
  EventEmitter.init.call(this, options);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;
ObjectDefineProperty(EventEmitter.prototype, kCapture, {
  __proto__: null, value: false, writable: true, enumerable: false,
});

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

EventEmitter.prototype.setMaxListeners = function setMaxListeners(n) {
  validateNumber(n, 'setMaxListeners', 0);
  this._maxListeners = n;
  return this;
};

EventEmitter.prototype.getMaxListeners = function getMaxListeners() {
  return maxListenersOf(this);
};

// The arrays of listeners that emit() is iterating over, innermost last. Changes to such an array are made to a copy,
// so that emit() calls the listeners that existed when it began, without copying the array each time.
const walked = [];
let walkDepth = 0;

function isWalked(list) {
  for (let i = walkDepth - 1; i >= 0; i--) {
    if (walked[i] === list) return true;
  }
  return false;
}

function forWriting(events, type, list) {
  if (walkDepth === 0 || !isWalked(list)) return list;
  const copy = ArrayPrototypeSlice(list);
  if (list.warned) copy.warned = true;
  longList.moveIndex(list, copy);
  events[type] = copy;
  return copy;
}

// The hottest function here, written for the optimizing compiler. It is inlined while it has at most 460 bytes of
// bytecode. The rest parameter is not allocated if it is only passed on by `apply` or spread. A listener is inlined at
// a call by `apply` that has called no other function, so the loop has six of these.
EventEmitter.prototype.emit = function emit(type, ...args) {
  const events = this._events;
  if (type === 'error' && ReflectApply(isUnheard, this, args)) throw unhandledError(this, emit, args[0]);
  if (events === undefined) return false;
  const handler = events[type];
  if (handler === undefined) return false;
  if (this[kCapture]) return ReflectApply(FunctionPrototypeBind(emitCapturing, null, this, handler, type), null, args);
  if (typeof handler === 'function') {
    handler.apply(this, args);
    return true;
  }
  const { length } = handler;
  walked[walkDepth++] = handler;
  try {
    for (let i = 0; i < length; i++) {
      handler[i].apply(this, args);
      if (++i === length) break;
      handler[i].apply(this, args);
      if (++i === length) break;
      handler[i].apply(this, args);
      if (++i === length) break;
      handler[i].apply(this, args);
      if (++i === length) break;
      handler[i].apply(this, args);
      if (++i === length) break;
      handler[i].apply(this, args);
    }
  } finally {
    walked[--walkDepth] = undefined;
  }
  return true;
};

// emit() for an emitter that captures rejections: also watches the promises that listeners return.
function emitCapturing(emitter, handler, type, ...args) {
  const isOne = typeof handler === 'function';
  const length = isOne ? 1 : handler.length;
  walked[walkDepth++] = handler;
  try {
    for (let i = 0; i < length; i++) {
      const result = ReflectApply(isOne ? handler : handler[i], emitter, args);
      if (result !== undefined && result !== null) addCatch(emitter, result, type, args);
    }
  } finally {
    walked[--walkDepth] = undefined;
  }
  return true;
}

// Called as a method of the emitter. Emits errorMonitor first, because its listeners may add one for 'error'. Returns
// true if 'error' has no listener.
function isUnheard(...args) {
  const events = this._events;
  if (events === undefined) return true;
  if (events[kErrorMonitor] !== undefined) {
    ReflectApply(FunctionPrototypeBind(this.emit, this, kErrorMonitor), this, args);
  }
  return events.error === undefined;
}

function warnOfLeak(emitter, type, list, max) {
  list.warned = true;
  const { inspect } = require('internal/util/inspect');
  const count = longList.countOf(list);
  const text = `Possible EventEmitter memory leak detected. ${count} ${String(type)} listeners added to ` +
    `${inspect(emitter, { depth: -1 })}. MaxListeners is ${max}. Use emitter.setMaxListeners() to increase limit`;
  process.emitWarning(genericNodeError(text, {
    name: 'MaxListenersExceededWarning',
    emitter,
    type,
    count,
  }));
}

function addListenerAt(emitter, type, listener, prepend) {
  validateFunction(listener, 'listener');
  let events = emitter._events;
  let existing;
  if (events === undefined) {
    events = emitter._events = { __proto__: null };
    emitter._eventsCount = 0;
  } else {
    if (events.newListener !== undefined) {
      emitter.emit('newListener', type, listener.listener ?? listener);
      // A listener of 'newListener' may have cleared or replaced `_events`.
      events = emitter._events;
    }
    existing = events[type];
  }
  if (existing === undefined) {
    events[type] = listener;
    ++emitter._eventsCount;
    return emitter;
  }
  if (typeof existing === 'function') {
    existing = events[type] = prepend ? [listener, existing] : [existing, listener];
  } else {
    existing = forWriting(events, type, existing);
    if (prepend) {
      longList.compact(existing);
      ArrayPrototypeUnshift(existing, listener);
    } else {
      existing[existing.length] = listener;
      if (longList.isLong(existing)) longList.noteAdded(existing);
    }
  }
  const max = maxListenersOf(emitter);
  if (max > 0 && existing.length > max && !existing.warned && longList.countOf(existing) > max) {
    warnOfLeak(emitter, type, existing, max);
  }
  return emitter;
}

EventEmitter.prototype.addListener = function addListener(type, listener) {
  return addListenerAt(this, type, listener, false);
};
EventEmitter.prototype.on = EventEmitter.prototype.addListener;

EventEmitter.prototype.prependListener = function prependListener(type, listener) {
  return addListenerAt(this, type, listener, true);
};

function wrapOnce(target, type, listener) {
  let fired = false;
  function wrapper() {
    if (fired) return undefined;
    target.removeListener(type, wrapper);
    fired = true;
    if (arguments.length === 0) return FunctionPrototypeCall(listener, target);
    return ReflectApply(listener, target, arguments);
  }
  wrapper.listener = listener;
  return wrapper;
}

EventEmitter.prototype.once = function once(type, listener) {
  validateFunction(listener, 'listener');
  this.on(type, wrapOnce(this, type, listener));
  return this;
};

EventEmitter.prototype.prependOnceListener = function prependOnceListener(type, listener) {
  validateFunction(listener, 'listener');
  this.prependListener(type, wrapOnce(this, type, listener));
  return this;
};

function forgetType(emitter, type) {
  if (--emitter._eventsCount === 0) {
    emitter._events = { __proto__: null };
  } else {
    delete emitter._events[type];
  }
}

EventEmitter.prototype.removeListener = function removeListener(type, listener) {
  validateFunction(listener, 'listener');
  const events = this._events;
  if (events === undefined) return this;
  const list = events[type];
  if (list === undefined) return this;
  if (list === listener || list.listener === listener) {
    forgetType(this, type);
    if (events.removeListener !== undefined) this.emit('removeListener', type, list.listener ?? listener);
    return this;
  }
  if (typeof list === 'function') return this;
  if (longList.isLong(list)) {
    if (!longList.removeFrom(forWriting(events, type, list), listener)) return this;
    if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
    return this;
  }
  // Removes the most recently added match first, as Node does.
  let position = -1;
  for (let i = list.length - 1; i >= 0; i--) {
    if (list[i] === listener || list[i].listener === listener) {
      position = i;
      break;
    }
  }
  if (position < 0) return this;
  const own = forWriting(events, type, list);
  if (position === 0) {
    ArrayPrototypeShift(own);
  } else {
    spliceOne(own, position);
  }
  if (own.length === 1) events[type] = own[0];
  if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
  return this;
};
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;

EventEmitter.prototype.removeAllListeners = function removeAllListeners(type) {
  const events = this._events;
  if (events === undefined) return this;

  // Without 'removeListener' listeners to notify, drop the arrays at once.
  if (events.removeListener === undefined) {
    if (arguments.length === 0) {
      this._events = { __proto__: null };
      this._eventsCount = 0;
    } else if (events[type] !== undefined) {
      forgetType(this, type);
    }
    return this;
  }

  if (arguments.length === 0) {
    const types = ReflectOwnKeys(events);
    for (let i = 0; i < types.length; i++) {
      if (types[i] !== 'removeListener') this.removeAllListeners(types[i]);
    }
    this.removeAllListeners('removeListener');
    this._events = { __proto__: null };
    this._eventsCount = 0;
    return this;
  }

  const listeners = events[type];
  if (typeof listeners === 'function') {
    this.removeListener(type, listeners);
  } else if (listeners !== undefined) {
    const list = listenersOf(this, type, false);
    for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
  }
  return this;
};

// Returns a copy of the listeners of a type. `unwrap` replaces the wrappers of once() with the original functions.
function listenersOf(emitter, type, unwrap) {
  const list = emitter._events?.[type];
  if (list === undefined) return [];
  if (typeof list === 'function') return [unwrap ? list.listener ?? list : list];
  const result = longList.copyOf(list);
  if (unwrap) {
    for (let i = 0; i < result.length; i++) {
      const original = result[i].listener;
      if (typeof original === 'function') result[i] = original;
    }
  }
  return result;
}

EventEmitter.prototype.listeners = function listeners(type) {
  return listenersOf(this, type, true);
};

EventEmitter.prototype.rawListeners = function rawListeners(type) {
  return listenersOf(this, type, false);
};

function listenerCount(type, listener) {
  const list = this._events?.[type];
  if (list === undefined) return 0;
  if (typeof list === 'function') {
    return listener == null || listener === list || listener === list.listener ? 1 : 0;
  }
  if (listener == null) return longList.countOf(list);
  let matching = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === listener || list[i].listener === listener) matching++;
  }
  return matching;
}
EventEmitter.prototype.listenerCount = listenerCount;

EventEmitter.prototype.eventNames = function eventNames() {
  return this._eventsCount > 0 ? ReflectOwnKeys(this._events) : [];
};

module.exports = EventEmitter;
EventEmitter.addAbortListener = addAbortListener;
EventEmitter.once = once;
EventEmitter.on = on;
EventEmitter.getEventListeners = getEventListeners;
EventEmitter.getMaxListeners = getMaxListeners;
EventEmitter.listenerCount = listenerCountOf;
// The named export, which ES modules and older programs import.
EventEmitter.EventEmitter = EventEmitter;
EventEmitter.usingDomains = false;
EventEmitter.captureRejectionSymbol = kRejection;
ObjectDefineProperty(EventEmitter, 'captureRejections', {
  __proto__: null,
  get() {
    return EventEmitter.prototype[kCapture];
  },
  set(value) {
    validateBoolean(value, 'EventEmitter.captureRejections');
    EventEmitter.prototype[kCapture] = value;
  },
  enumerable: true,
});
let EventEmitterAsyncResource;
ObjectDefineProperty(EventEmitter, 'EventEmitterAsyncResource', {
  __proto__: null,
  get: function lazyEventEmitterAsyncResource() {
    return EventEmitterAsyncResource ??= require('internal/events/async_resource')(EventEmitter);
  },
  set: undefined,
  enumerable: true,
  configurable: true,
});
EventEmitter.errorMonitor = kErrorMonitor;
ObjectDefineProperty(EventEmitter, 'defaultMaxListeners', {
  __proto__: null,
  get() {
    return defaultMaxListeners;
  },
  set(value) {
    validateNumber(value, 'defaultMaxListeners', 0);
    defaultMaxListeners = value;
  },
  enumerable: true,
});

// Without targets, sets the default of all emitters.
EventEmitter.setMaxListeners = function(n = defaultMaxListeners, ...targets) {
  validateNumber(n, 'setMaxListeners', 0);
  if (targets.length === 0) {
    defaultMaxListeners = n;
    return;
  }
  for (let i = 0; i < targets.length; i++) setMaxListenersOf(targets[i], n);
};
EventEmitter.init = function(options) {
  if (this._events === undefined || this._events === ObjectGetPrototypeOf(this)._events) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
  }
  this._maxListeners = this._maxListeners || undefined;
  this[kShapeMode] = false;
  if (options?.captureRejections) {
    validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = Boolean(options.captureRejections);
  } else {
    // Copied to the emitter, so that emit() finds an own property, and a later change of the default does not affect
    // existing emitters.
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};
