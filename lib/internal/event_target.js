'use strict';

// EventTarget. For each type, a target has a linked list of listeners with a head that counts them. Listeners may be
// removed during iteration. Long lists have an index, so that adding and removing stays fast.

const {
  Error,
  FunctionPrototypeCall,
  ObjectDefineProperties,
  ObjectDefineProperty,
  PromiseReject,
  ReflectApply,
  SafeFinalizationRegistry,
  SafeMap,
  SafeSet,
  SafeWeakMap,
  SafeWeakRef,
  Symbol,
  SymbolFor,
  SymbolToStringTag,
} = primordials;

const {
  codedTypeError,
  codes: {
    ERR_EVENT_RECURSION,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_THIS,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { validateAbortSignal, validateObject } = require('internal/validators');
const { customInspectSymbol, kEmptyObject, kEnumerableProperty } = require('internal/util');
const {
  CustomEvent,
  Event,
  endDispatch,
  isBeingDispatched,
  isEvent,
  isStopped,
  kTrustEvent,
  startDispatch,
} = require('internal/event_target/event');
const { ListenerList } = require('internal/event_target/listener_list');

const kIsEventTarget = SymbolFor('nodejs.event_target');
const kHybridDispatch = SymbolFor('nodejs.internal.kHybridDispatch');
const kIsNodeTarget = Symbol('kIsNodeTarget');
const kIsNodeStyleListener = Symbol('kIsNodeStyleListener');
const kEvents = Symbol('kEvents');
const kEventMap = Symbol('kEventMap');
const kHandlers = Symbol('kHandlers');
const kWeakHandler = Symbol('kWeak');
const kResistStopPropagation = Symbol('kResistStopPropagation');
const kCreateEvent = Symbol('kCreateEvent');
const kMovable = Symbol('kMovable'); // Argument for constructors of subclasses.
const kNewListener = Symbol('kNewListener');
const kRemoveListener = Symbol('kRemoveListener');

// A target warns if one type has more listeners than this number; events.setMaxListeners() changes it.
const kMaxEventTargetListeners = Symbol('events.maxEventTargetListeners');
const kMaxEventTargetListenersWarned = Symbol('events.maxEventTargetListenersWarned');

// Loaded lazily, because `events` requires this file.
let events;

// A weak listener lives as long as its owner. The maps are created on first use, because a snapshot cannot contain
// them.
let weakListeners;
let weakRegistry;
function holdListenerBy(owner, listener, target, entry) {
  weakListeners ??= new SafeWeakMap();
  weakRegistry ??= new SafeFinalizationRegistry(({ targetRef, entry }) => {
    const target = targetRef.deref();
    if (target !== undefined && !entry.removed) removeEntry(target, listOf(target, entry.type), entry, entry.type);
  });
  let held = weakListeners.get(owner);
  if (held === undefined) weakListeners.set(owner, held = new SafeSet());
  held.add(listener);
  entry.owner = new SafeWeakRef(owner);
  weakRegistry.register(listener, { targetRef: new SafeWeakRef(target), entry }, entry);
}

function releaseListener(entry) {
  weakRegistry.unregister(entry);
  const owner = entry.owner.deref();
  const listener = entry.listener.deref();
  if (owner !== undefined && listener !== undefined) weakListeners.get(owner)?.delete(listener);
}

// Connects a listener to the option `signal`. The signal may live much longer than the target, or the other way round,
// so the signal references the listener weakly, and the tie is removed with the listener or the target.
let signalRegistry;
class SignalTie {
  constructor(target, entry, signal) {
    this.target = target;
    this.entry = entry;
    this.signal = signal;
    this.hook = makeAbortHook(new SafeWeakRef(this));
    signalRegistry ??= new SafeFinalizationRegistry(({ signalRef, hook }) => {
      signalRef.deref()?.removeEventListener('abort', hook);
    });
    signalRegistry.register(this, { signalRef: new SafeWeakRef(signal), hook: this.hook }, this);
    signal.addEventListener('abort', this.hook, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }

  untie() {
    signalRegistry.unregister(this);
    this.signal.removeEventListener('abort', this.hook);
  }
}

function makeAbortHook(tieRef) {
  return () => {
    const tie = tieRef.deref();
    if (tie === undefined || tie.entry.removed) return;
    removeEntry(tie.target, listOf(tie.target, tie.entry.type), tie.entry, tie.entry.type);
  };
}

class Listener {
  constructor(list, type, listener, once, capture, passive, isNodeStyle, weak, resist) {
    this.next = undefined;
    this.previous = list.last;
    this.type = type;
    this.listener = weak ? new SafeWeakRef(listener) : listener;
    // Null if the function must be looked up at each call: handleEvent of an object, or a weak listener.
    this.callback = !weak && typeof listener === 'function' ? listener : null;
    this.once = once;
    this.capture = capture;
    this.passive = passive;
    this.isNodeStyle = isNodeStyle;
    this.weak = weak;
    this.resist = resist;
    this.removed = false;
    this.owner = undefined; // Keeps a weak listener alive.
    this.tie = undefined; // The SignalTie of the option `signal`.
    if (list.last === undefined) list.next = this;
    else list.last.next = this;
    list.last = this;
  }

  isSame(listener, capture) {
    return this.capture === capture && (this.weak ? this.listener.deref() : this.listener) === listener;
  }
}

function toTypeName(type) {
  if (typeof type === 'symbol') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'Value is a Symbol and cannot be converted to a string.');
  }
  return `${type}`;
}

function listOf(target, type) {
  return target[kEventMap] === undefined ? undefined : target[kEventMap].get(type);
}

function removeEntry(target, list, entry, type) {
  entry.removed = true;
  if (entry.previous === undefined) list.next = entry.next;
  else entry.previous.next = entry.next;
  if (entry.next === undefined) list.last = entry.previous;
  else entry.next.previous = entry.previous;
  --list.size;
  const listener = entry.weak ? entry.listener.deref() : entry.listener;
  if (list.index !== undefined && listener !== undefined) list.index.delete(entry, listener);
  if (entry.weak) releaseListener(entry);
  if (entry.tie !== undefined) entry.tie.untie();
  if (list.next === undefined && list.size === 0) target[kEventMap].delete(type);
  target[kRemoveListener](list.size, type, listener, entry.capture);
}

// An exception in a listener must not affect other listeners or the caller of dispatchEvent(): it is reported as
// uncaught.
function throwLater(err) {
  process.nextTick(throwError, err);
}

function throwError(err) {
  throw err;
}

function catchRejection(result) {
  const { then } = result;
  if (typeof then === 'function') FunctionPrototypeCall(then, result, undefined, throwLater);
}

function callListener(target, entry, arg) {
  let listener = entry.callback;
  if (listener === null) {
    listener = entry.weak ? entry.listener.deref() : entry.listener;
    if (listener === undefined) return;
    if (typeof listener !== 'function') {
      callHandleEvent(listener, arg);
      return;
    }
  }
  try {
    const result = FunctionPrototypeCall(listener, target, arg);
    if (result !== undefined && result !== null) catchRejection(result);
  } catch (err) {
    throwLater(err);
  }
}

// Calls handleEvent() of an object like an async function: an exception becomes a rejection.
function callHandleEvent(listener, arg) {
  let result;
  try {
    const handleEvent = listener.handleEvent;
    if (!handleEvent) return;
    result = ReflectApply(handleEvent, listener, [arg]);
  } catch (err) {
    result = PromiseReject(err);
  }
  if (result !== undefined && result !== null) catchRejection(result);
}

function initEventTarget(self) {
  events ??= require('events');
  self[kEventMap] = undefined;
  self[kMaxEventTargetListeners] = events.defaultMaxListeners;
  self[kMaxEventTargetListenersWarned] = false;
  self[kHandlers] = undefined;
}

// Creates a target that can be transferred to another thread.
function makeMovable(prototype) {
  const self = require('internal/structured_clone').makeHostObject(prototype);
  initEventTarget(self);
  return self;
}

class EventTarget {
  static [kIsEventTarget] = true;

  constructor(kind = undefined) {
    if (kind === kMovable) return makeMovable(new.target.prototype);
    initEventTarget(this);
  }

  // The map of lists, which other modules read.
  get [kEvents]() {
    return this[kEventMap] ??= new SafeMap();
  }

  [kNewListener](size, type, listener, once, capture, passive, weak) {
    const max = this[kMaxEventTargetListeners];
    if (max <= 0 || size <= max || this[kMaxEventTargetListenersWarned]) return;
    this[kMaxEventTargetListenersWarned] = true;
    const { inspect } = require('internal/util/inspect');
    const warning = new Error(
      `Possible EventTarget memory leak detected. ${size} ${type} listeners added to ${inspect(this, { depth: -1 })}. ` +
      `MaxListeners is ${max}. Use events.setMaxListeners() to increase limit`);
    warning.name = 'MaxListenersExceededWarning';
    warning.target = this;
    warning.type = type;
    warning.count = size;
    process.emitWarning(warning);
  }

  [kRemoveListener](size, type, listener, capture) {}

  addEventListener(type, listener, options = kEmptyObject) {
    if (!isEventTarget(this)) throw new ERR_INVALID_THIS('EventTarget');
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    let once = false;
    let capture = false;
    let passive = false;
    let signal;
    let isNodeStyle = false;
    let owner;
    let resist = false;
    if (typeof options === 'boolean') {
      capture = options;
    } else if (options !== null && options !== kEmptyObject && options !== undefined) {
      // Accepts any object, including functions and arrays.
      if (typeof options !== 'object' && typeof options !== 'function') validateObject(options, 'options');
      once = !!options.once;
      capture = !!options.capture;
      passive = !!options.passive;
      signal = options.signal;
      owner = options[kWeakHandler];
      isNodeStyle = !!options[kIsNodeStyleListener];
      resist = options[kResistStopPropagation] ?? false;
      if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    }
    if (!isListener(listener)) {
      const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
      warning.name = 'AddEventListenerArgumentTypeWarning';
      warning.target = this;
      warning.type = type;
      process.emitWarning(warning);
      return;
    }
    if (typeof type !== 'string') type = toTypeName(type);
    if (signal !== undefined && signal.aborted) return;

    let list = listOf(this, type);
    if (list === undefined) {
      list = new ListenerList();
      this[kEvents].set(type, list);
    } else if (list.find(listener, capture) !== undefined) {
      return;
    }
    const weak = owner !== undefined && owner !== null && owner !== false;
    const entry = new Listener(list, type, listener, once, capture, passive, isNodeStyle, weak, resist);
    if (weak) holdListenerBy(owner, listener, this, entry);
    if (signal !== undefined) entry.tie = new SignalTie(this, entry, signal);
    if (resist) list.resistStopPropagation = true;
    list.count(entry, listener);
    this[kNewListener](list.size, type, listener, once, capture, passive, weak);
  }

  removeEventListener(type, listener, options = kEmptyObject) {
    if (!isEventTarget(this)) throw new ERR_INVALID_THIS('EventTarget');
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('type', 'listener');
    if (!isListener(listener)) return;
    if (typeof type !== 'string') type = toTypeName(type);
    const capture = typeof options === 'boolean' ? options : !!options?.capture;
    const list = listOf(this, type);
    if (list === undefined) return;
    const entry = list.find(listener, capture);
    if (entry !== undefined) removeEntry(this, list, entry, type);
  }

  dispatchEvent(event) {
    if (!isEventTarget(this)) throw new ERR_INVALID_THIS('EventTarget');
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('event');
    if (!isEvent(event)) throw new ERR_INVALID_ARG_TYPE('event', 'Event', event);
    if (isBeingDispatched(event)) throw new ERR_EVENT_RECURSION(event.type);
    this[kHybridDispatch](event, event.type, event);
    return event.defaultPrevented !== true;
  }

  // Dispatches to both kinds of listeners: those added as on an EventEmitter receive `nodeValue`, the others an event,
  // which is created only if needed.
  [kHybridDispatch](nodeValue, type, event) {
    const list = listOf(this, type);
    if (event !== undefined) startDispatch(event, this);
    if (list !== undefined) {
      let entry = list.next;
      while (entry !== undefined) {
        const next = entry.next;
        if (!entry.removed && (entry.resist || event === undefined || !isStopped(event))) {
          if (entry.once) removeEntry(this, list, entry, type);
          let arg = nodeValue;
          if (!entry.isNodeStyle) {
            if (event === undefined) {
              event = this[kCreateEvent](nodeValue, type);
              startDispatch(event, this);
            }
            arg = event;
          }
          callListener(this, entry, arg);
          if (!list.resistStopPropagation && event !== undefined && isStopped(event)) break;
        }
        entry = next;
      }
    }
    if (event !== undefined) endDispatch(event);
  }

  [kCreateEvent](nodeValue, type) {
    return new CustomEvent(type, { detail: nodeValue });
  }

  [customInspectSymbol](depth, options) {
    if (!isEventTarget(this)) return this;
    const name = this.constructor.name;
    if (depth < 0) return name;
    const { inspect } = require('internal/util/inspect');
    const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `${name} ${inspect({}, opts)}`;
  }
}

ObjectDefineProperties(EventTarget.prototype, {
  addEventListener: kEnumerableProperty,
  removeEventListener: kEnumerableProperty,
  dispatchEvent: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true,
    value: 'EventTarget' },
});

// A listener may be any object: its handleEvent is looked up when an event is dispatched.
function isListener(listener) {
  if (typeof listener === 'function') return true;
  if (listener === null || listener === undefined) return false;
  if (typeof listener === 'object') return true;
  throw new ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
}

function hasListeners(target) {
  return target[kEventMap] !== undefined && target[kEventMap].size > 0;
}

// True also for targets of another realm, and for classes that only copy the methods.
function isEventTarget(value) {
  return value?.constructor?.[kIsEventTarget] === true;
}

function makeHandler(value) {
  // One wrapper per attribute, so that assigning a new handler keeps its place among the listeners.
  function handler(...args) {
    if (typeof handler.handler !== 'function') return undefined;
    return ReflectApply(handler.handler, this, args);
  }
  handler.handler = value;
  return handler;
}

// Defines the attribute `on${name}` on a prototype.
function defineEventHandler(prototype, name, event = name) {
  const property = `on${name}`;
  const accessors = {
    [`get ${property}`]() {
      if (!isInitialized(this)) throw new ERR_INVALID_THIS('EventTarget');
      return this[kHandlers]?.get(event)?.handler ?? null;
    },
    [`set ${property}`](value) {
      if (!isInitialized(this)) throw new ERR_INVALID_THIS('EventTarget');
      // Other values mean no handler.
      if (typeof value !== 'function' && typeof value !== 'object') value = null;
      this[kHandlers] ??= new SafeMap();
      const wrapper = this[kHandlers].get(event);
      if (wrapper === undefined) {
        const made = makeHandler(value);
        this[kHandlers].set(event, made);
        this.addEventListener(event, made);
        return;
      }
      const list = listOf(this, event);
      if (typeof wrapper.handler === 'function' && list !== undefined) {
        this[kRemoveListener](--list.size, event, wrapper.handler, false);
      }
      wrapper.handler = value;
      if (typeof value !== 'function') return;
      // removeEventListener() may have removed the wrapper meanwhile.
      if (list === undefined) this.addEventListener(event, wrapper);
      else this[kNewListener](++list.size, event, value, false, false, false, false);
    },
  };
  ObjectDefineProperty(prototype, property, {
    __proto__: null,
    get: accessors[`get ${property}`],
    set: accessors[`set ${property}`],
    configurable: true,
    enumerable: true,
  });
}

function isInitialized(self) {
  return self !== null && self !== undefined && kHandlers in self;
}

module.exports = {
  Event,
  CustomEvent,
  EventTarget,
  defineEventHandler,
  hasListeners,
  initEventTarget,
  isEventTarget,
  kCreateEvent,
  kEvents,
  kHybridDispatch,
  kIsNodeStyleListener,
  kIsNodeTarget,
  kMaxEventTargetListeners,
  kMaxEventTargetListenersWarned,
  kMovable,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
};

const { NodeEventTarget, initNodeEventTarget } = require('internal/event_target/node_event_target');
module.exports.NodeEventTarget = NodeEventTarget;
module.exports.initNodeEventTarget = initNodeEventTarget;
