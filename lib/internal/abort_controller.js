'use strict';

// AbortController and AbortSignal.
//
// Lifetime of signals: a timeout's timer and the sources of AbortSignal.any() hold their signals weakly, so that an
// unreachable signal is collected together with its timer. While a signal has listeners, its abort must be delivered:
// then the Holder below references it strongly.

const {
  ArrayPrototypePush,
  ObjectDefineProperties,
  Promise,
  SafeFinalizationRegistry,
  SafeSet,
  SafeWeakRef,
  Symbol,
  SymbolIterator,
  SymbolToStringTag,
} = primordials;

const {
  Event,
  EventTarget,
  defineEventHandler,
  hasListeners,
  kEvents,
  kMaxEventTargetListeners,
  kMovable,
  kNewListener,
  kRemoveListener,
  kResistStopPropagation,
  kTrustEvent,
  kWeakHandler,
} = require('internal/event_target');
const {
  codedTypeError,
  codes: {
    ERR_ILLEGAL_CONSTRUCTOR,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_THIS,
  },
} = require('internal/errors');
const { validateAbortSignal, validateObject, validateUint32 } = require('internal/validators');
const { customInspectSymbol, kEnumerableProperty, lazyDOMException } = require('internal/util');
const { kTransfer } = require('internal/structured_clone');

const kConstruct = Symbol('kConstruct');
// Symbols instead of private fields, so that a Proxy of a signal works, too.
const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');

// Reference from a timer or a source signal to the signal that it will abort.
class Holder {
  constructor(signal) {
    this.weak = new SafeWeakRef(signal);
    this.strong = undefined;
  }

  get() {
    return this.strong ?? this.weak.deref();
  }
}

// Created on first use, because a snapshot cannot contain timers or registries.
let timers;
let timerRegistry;
let dependantRegistry;
let portRegistry;

function onTimeout(holder) {
  const signal = holder.get();
  if (signal === undefined) return;
  abortSignal(signal, lazyDOMException('The operation was aborted due to timeout', 'TimeoutError'));
}

// Closes `port`, which connects the signal to one in another thread, once the signal has been collected.
function closeWith(signal, port) {
  portRegistry ??= new SafeFinalizationRegistry((lost) => lost.close());
  portRegistry.register(signal, port);
}

// Sends the abort to the other thread. A reason that cannot be cloned is replaced by the default reason there.
function postReason(port, reason) {
  try {
    port.postMessage({ reason });
  } catch {
    port.postMessage({});
  }
  port.close();
}

function defaultReason() {
  return lazyDOMException('This operation was aborted', 'AbortError');
}

let isSignal;
let makeSignal;
let abortSignal;
let readClone;

// Converts an iterable of signals to an array.
function toSignals(signals) {
  if ((typeof signals !== 'object' && typeof signals !== 'function') || signals === null ||
      typeof signals[SymbolIterator] !== 'function') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'signals cannot be converted to sequence.');
  }
  const list = [];
  // Uses the iterator of user code, which is observable in Node, too.
  for (const signal of signals) {
    if (!isSignal(signal)) {
      throw codedTypeError('ERR_INVALID_ARG_TYPE', `signals[${list.length}] is not of type AbortSignal.`);
    }
    ArrayPrototypePush(list, signal);
  }
  return list;
}

class AbortSignal extends EventTarget {
  [kAborted] = false;
  [kReason] = undefined;
  // Set for signals that a timer, a source signal or another thread will abort: their reference to this signal.
  #holder = undefined;
  // For signals made by any(): the sources, which are never composite themselves.
  #sources = undefined;
  // The holders of the signals that any() derived from this one, in order of creation.
  #dependants = undefined;
  // Number of dependants that have listeners.
  #strongDependants = 0;

  constructor(key = undefined, isMovable = undefined) {
    if (key !== kConstruct) throw new ERR_ILLEGAL_CONSTRUCTOR();
    super(isMovable === true ? kMovable : undefined);
    // Many operations may listen to one signal, so a large number of listeners is not a leak.
    this[kMaxEventTargetListeners] = 0;
  }

  static {
    isSignal = (value) => typeof value === 'object' && value !== null && #holder in value;

    makeSignal = (aborted, reason, isMovable) => {
      const signal = new AbortSignal(kConstruct, isMovable);
      signal[kAborted] = aborted;
      signal[kReason] = reason;
      return signal;
    };

    abortSignal = (signal, reason) => {
      if (signal[kAborted]) return;
      signal[kAborted] = true;
      signal[kReason] = reason;
      const dependants = signal.#dependants;
      signal.#dependants = undefined;
      // Abort all dependants before the first listener runs, because a listener may inspect them.
      const aborted = [];
      dependants?.forEach((holder) => {
        const dependant = holder.get();
        if (dependant === undefined || dependant[kAborted]) return;
        dependant[kAborted] = true;
        dependant[kReason] = reason;
        ArrayPrototypePush(aborted, dependant);
      });
      AbortSignal.#dispatch(signal);
      for (let i = 0; i < aborted.length; ++i) AbortSignal.#dispatch(aborted[i]);
    };

    // Recreates in the receiving thread a signal that kTransfer sent.
    readClone = ({ aborted, reason, port }) => {
      const signal = makeSignal(aborted, reason, true);
      if (port === undefined) return signal;
      const holder = new Holder(signal);
      signal.#holder = holder;
      port.on('message', (message) => {
        const target = holder.get();
        if (target !== undefined) abortSignal(target, 'reason' in message ? message.reason : defaultReason());
        port.close();
      });
      port.unref();
      closeWith(signal, port);
      return signal;
    };
  }

  static #dispatch(signal) {
    if (hasListeners(signal)) signal.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
    signal.#holder = undefined;
  }

  // Used for signals of util.transferableAbortSignal() and transferableAbortController().
  [kTransfer]() {
    const id = 'internal/abort_controller';
    if (this[kAborted]) return { id, data: { aborted: true, reason: this[kReason] } };
    const { MessageChannel } = require('internal/worker/port');
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    closeWith(this, port1);
    this.addEventListener('abort', () => postReason(port1, this[kReason]), { __proto__: null, once: true });
    return { id, data: { aborted: false, reason: undefined, port: port2 }, ports: [port2] };
  }

  get aborted() {
    if (this?.[kAborted] === undefined) throw new ERR_INVALID_THIS('AbortSignal');
    return this[kAborted];
  }

  get reason() {
    if (this?.[kAborted] === undefined) throw new ERR_INVALID_THIS('AbortSignal');
    return this[kReason];
  }

  throwIfAborted() {
    if (this?.[kAborted] === undefined) throw new ERR_INVALID_THIS('AbortSignal');
    if (this[kAborted]) throw this[kReason];
  }

  [customInspectSymbol](depth, options) {
    return inspectAs(this, { aborted: this.aborted }, depth, options);
  }

  static abort(reason = defaultReason()) {
    return makeSignal(true, reason);
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    timers ??= require('timers');
    timerRegistry ??= new SafeFinalizationRegistry((timer) => timers.clearTimeout(timer));
    const signal = makeSignal(false, undefined);
    const holder = new Holder(signal);
    signal.#holder = holder;
    const timer = timers.setTimeout(onTimeout, delay, holder);
    timer.unref();
    timerRegistry.register(signal, timer);
    return signal;
  }

  static any(signals) {
    return AbortSignal.#follow(toSignals(signals));
  }

  static #follow(signals) {
    for (let i = 0; i < signals.length; ++i) {
      if (signals[i].aborted) return makeSignal(true, signals[i].reason);
    }
    const result = makeSignal(false, undefined);
    if (signals.length === 0) return result;
    const sources = new SafeSet();
    for (let i = 0; i < signals.length; ++i) {
      const signal = signals[i];
      if (signal.#sources === undefined) sources.add(signal);
      else signal.#sources.forEach((source) => sources.add(source));
    }
    result.#sources = sources;
    const holder = new Holder(result);
    result.#holder = holder;
    const sourceRefs = [];
    sources.forEach((source) => {
      source.#dependants ??= new SafeSet();
      source.#dependants.add(holder);
      ArrayPrototypePush(sourceRefs, new SafeWeakRef(source));
    });
    dependantRegistry ??= new SafeFinalizationRegistry(AbortSignal.#forget);
    dependantRegistry.register(result, { holder, sourceRefs });
    return result;
  }

  // A source may live as long as the program: entries of collected signals must not accumulate there.
  static #forget({ holder, sourceRefs }) {
    for (let i = 0; i < sourceRefs.length; ++i) {
      const source = sourceRefs[i].deref();
      if (source !== undefined) source.#dependants?.delete(holder);
    }
  }

  #hold() {
    const holder = this.#holder;
    if (holder === undefined || holder.strong !== undefined) return;
    holder.strong = this;
    this.#sources?.forEach((source) => {
      if (++source.#strongDependants === 1) source.#hold();
    });
  }

  #release() {
    const holder = this.#holder;
    if (holder === undefined || holder.strong === undefined) return;
    holder.strong = undefined;
    this.#sources?.forEach((source) => {
      if (--source.#strongDependants === 0 && source[kEvents].get('abort') === undefined) source.#release();
    });
  }

  [kNewListener](size, type, listener, once, capture, passive, weak) {
    super[kNewListener](size, type, listener, once, capture, passive, weak);
    if (!weak && type === 'abort' && !this[kAborted] && size > 0 && isSignal(this)) this.#hold();
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (type === 'abort' && size === 0 && isSignal(this) && this.#strongDependants === 0) this.#release();
  }
}

ObjectDefineProperties(AbortSignal.prototype, {
  aborted: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true,
    value: 'AbortSignal' },
});

defineEventHandler(AbortSignal.prototype, 'abort');

let makeMovableController;

class AbortController {
  #signal;

  static {
    makeMovableController = () => {
      const controller = new AbortController();
      controller.#signal = makeSignal(false, undefined, true);
      return controller;
    };
  }

  get signal() {
    return this.#signal ??= makeSignal(false, undefined);
  }

  abort(reason = defaultReason()) {
    abortSignal(this.#signal ??= makeSignal(false, undefined), reason);
  }

  [customInspectSymbol](depth, options) {
    return inspectAs(this, { signal: this.signal }, depth, options);
  }
}

ObjectDefineProperties(AbortController.prototype, {
  signal: kEnumerableProperty,
  abort: kEnumerableProperty,
  [SymbolToStringTag]: {
    __proto__: null,
    writable: false,
    enumerable: false,
    configurable: true,
    value: 'AbortController',
  },
});

function inspectAs(self, fields, depth, options) {
  if (depth < 0) return self;
  const { inspect } = require('internal/util/inspect');
  const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${self.constructor.name} ${inspect(fields, opts)}`;
}

// util.aborted(): settles when the signal aborts, unless `resource` is collected first.
async function aborted(signal, resource) {
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource');
  if (signal.aborted) return undefined;
  return new Promise((resolve) => {
    signal.addEventListener('abort', (event) => {
      if (event.isTrusted) resolve();
    }, { __proto__: null, once: true, [kWeakHandler]: resource, [kResistStopPropagation]: true });
  });
}

// Allows the signal to be transferred to another thread.
function transferableAbortSignal(signal) {
  if (!isSignal(signal)) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  internalBinding('messaging').markMovable(signal);
  return signal;
}

function transferableAbortController() {
  return makeMovableController();
}

module.exports = {
  AbortController,
  AbortSignal,
  aborted,
  readClone,
  transferableAbortController,
  transferableAbortSignal,
};
