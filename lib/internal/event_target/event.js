'use strict';

// Event and CustomEvent. Their state is private; EventTarget modifies it with the other exported functions.

const {
  ObjectDefineProperties,
  ObjectDefineProperty,
  Symbol,
  SymbolToStringTag,
} = primordials;

const {
  codes: {
    ERR_INVALID_THIS,
    ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { validateObject } = require('internal/validators');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { now } = internalBinding('clock');

// Option for events that the runtime itself creates.
const kTrustEvent = Symbol('kTrustEvent');

let inspect;

let isEvent;
let isBeingDispatched;
let isStopped;
let startDispatch;
let endDispatch;

class Event {
  #type;
  #bubbles = false;
  #cancelable = false;
  #composed = false;
  #trusted = false;
  #defaultPrevented = false;
  #propagationStopped = false;
  #stopped = false;
  #dispatching = false;
  #target = null;
  #timeStamp = now();

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    if (options !== undefined && options !== null) {
      validateObject(options, 'options');
      this.#bubbles = !!options.bubbles;
      this.#cancelable = !!options.cancelable;
      this.#composed = !!options.composed;
      this.#trusted = options[kTrustEvent] === true;
    }
    this.#type = `${type}`;
  }

  static {
    isEvent = (value) => typeof value === 'object' && value !== null && #type in value;
    isBeingDispatched = (event) => event.#dispatching;
    isStopped = (event) => event.#stopped;
    startDispatch = (event, target) => {
      event.#target = target;
      event.#dispatching = true;
    };
    endDispatch = (event) => {
      event.#dispatching = false;
    };
  }

  initEvent(type, bubbles = false, cancelable = false) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    if (this.#dispatching) return;
    this.#type = `${type}`;
    this.#bubbles = !!bubbles;
    this.#cancelable = !!cancelable;
  }

  stopImmediatePropagation() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    // Targets have no parents, so this only stops the listeners of one target.
    this.#propagationStopped = true;
    this.#stopped = true;
  }

  preventDefault() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    this.#defaultPrevented = true;
  }

  get target() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#target;
  }

  get currentTarget() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#dispatching ? this.#target : null;
  }

  get srcElement() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#target;
  }

  get type() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#type;
  }

  get cancelable() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#cancelable;
  }

  get defaultPrevented() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#cancelable && this.#defaultPrevented;
  }

  get timeStamp() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#timeStamp;
  }

  composedPath() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#dispatching ? [this.#target] : [];
  }

  get returnValue() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return !(this.#cancelable && this.#defaultPrevented);
  }

  set returnValue(value) {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    if (!value) this.preventDefault();
  }

  get bubbles() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#bubbles;
  }

  get composed() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#composed;
  }

  get eventPhase() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#dispatching ? 2 : 0;
  }

  get cancelBubble() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    return this.#propagationStopped;
  }

  set cancelBubble(value) {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    if (value) this.#propagationStopped = true;
  }

  stopPropagation() {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    this.#propagationStopped = true;
  }

  get isTrusted() {
    return isEvent(this) && this.#trusted;
  }

  [customInspectSymbol](depth, options) {
    if (!isEvent(this)) throw new ERR_INVALID_THIS('Event');
    const name = this.constructor.name;
    if (depth < 0) return name;
    inspect ??= require('internal/util/inspect').inspect;
    const opts = { ...options, depth: options.depth === null ? null : options.depth - 1 };
    return `${name} ${inspect({
      type: this.#type,
      defaultPrevented: this.#cancelable && this.#defaultPrevented,
      cancelable: this.#cancelable,
      timeStamp: this.#timeStamp,
    }, opts)}`;
  }
}

function phase(value) {
  return { __proto__: null, configurable: false, enumerable: true, writable: false, value };
}

ObjectDefineProperties(Event, {
  NONE: phase(0),
  CAPTURING_PHASE: phase(1),
  AT_TARGET: phase(2),
  BUBBLING_PHASE: phase(3),
});

ObjectDefineProperties(Event.prototype, {
  initEvent: kEnumerableProperty,
  stopImmediatePropagation: kEnumerableProperty,
  preventDefault: kEnumerableProperty,
  target: kEnumerableProperty,
  currentTarget: kEnumerableProperty,
  srcElement: kEnumerableProperty,
  type: kEnumerableProperty,
  cancelable: kEnumerableProperty,
  defaultPrevented: kEnumerableProperty,
  timeStamp: kEnumerableProperty,
  composedPath: kEnumerableProperty,
  returnValue: kEnumerableProperty,
  bubbles: kEnumerableProperty,
  composed: kEnumerableProperty,
  eventPhase: kEnumerableProperty,
  cancelBubble: kEnumerableProperty,
  stopPropagation: kEnumerableProperty,
  // Not configurable: programs must not be able to redefine it ([LegacyUnforgeable] in Web IDL).
  isTrusted: { __proto__: null, enumerable: true, configurable: false },
  [SymbolToStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'Event' },
});

class CustomEvent extends Event {
  #detail;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() {
    if (!(#detail in this)) throw new ERR_INVALID_THIS('CustomEvent');
    return this.#detail;
  }
}

ObjectDefineProperty(CustomEvent.prototype, 'detail', kEnumerableProperty);
ObjectDefineProperty(CustomEvent.prototype, SymbolToStringTag, {
  __proto__: null,
  writable: false,
  enumerable: false,
  configurable: true,
  value: 'CustomEvent',
});

module.exports = {
  CustomEvent,
  Event,
  endDispatch,
  isBeingDispatched,
  isEvent,
  isStopped,
  kTrustEvent,
  startDispatch,
};
