'use strict';

// node:domain (deprecated): a domain handles the errors of the emitters, callbacks and promises that were created while
// it was entered. async_hooks enters it again for their callbacks.

const {
  ArrayPrototypeIndexOf,
  ArrayPrototypeLastIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSome,
  ArrayPrototypeSplice,
  Error,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  Promise,
  ReflectApply,
  SafeMap,
  SafeWeakMap,
  SafeWeakRef,
  Symbol,
} = primordials;

const { createHook } = require('async_hooks');
const EventEmitter = require('events');
const { codes: { ERR_UNHANDLED_ERROR } } = require('internal/errors');

const { setUncaughtExceptionCaptureCallback } = process;

const kWeak = Symbol('kWeak');

// An accessor, as in Node: programs can tell from it whether domains are used.
let current = null;
ObjectDefineProperty(process, 'domain', {
  __proto__: null,
  enumerable: true,
  get() {
    return current;
  },
  set(value) {
    return current = value;
  },
});

// The entered domains, innermost last: a domain may be entered more than once. Programs see the array as `_stack`.
let stack = [];
exports._stack = stack;

function setActive(domain) {
  exports.active = process.domain = domain;
}

function defineHidden(object, name, value) {
  ObjectDefineProperty(object, name, { __proto__: null, configurable: true, enumerable: false, value, writable: true });
}

// ---- Asynchronous operations

// Async id => a weak reference to the domain. The domain lives as long as the resource, which refers to it, too.
const domains = new SafeMap();
// For promises of contexts of vm: their code must not get at the domain, an object of another context.
const domainsOfPromises = new SafeWeakMap();

const hook = createHook({
  init(asyncId, type, triggerAsyncId, resource) {
    const { domain } = process;
    if (domain === null || domain === undefined) return;
    domains.set(asyncId, domain[kWeak]);
    if (type !== 'PROMISE' || resource instanceof Promise) defineHidden(resource, 'domain', domain);
    else domainsOfPromises.set(resource, domain);
  },
  before(asyncId) {
    domains.get(asyncId)?.deref()?.enter();
  },
  after(asyncId) {
    domains.get(asyncId)?.deref()?.exit();
  },
  destroy(asyncId) {
    domains.delete(asyncId);
  },
});

// ---- Uncaught exceptions

// While an entered domain has a listener for 'error', the innermost domain gets the uncaught exceptions.
function updateExceptionCapture() {
  setUncaughtExceptionCaptureCallback(null);
  if (ArrayPrototypeSome(stack, (domain) => domain.listenerCount('error') > 0)) {
    setUncaughtExceptionCaptureCallback((error) => process.domain._errorHandler(error));
  }
}

// Leaves all domains. This is also the first listener for 'uncaughtException', so that the others run outside of them.
function leaveAll() {
  stack.length = 0;
  setActive(null);
  updateExceptionCapture();
}

process.on('newListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  process.removeListener(name, leaveAll);
  process.prependListener(name, leaveAll);
});

process.on('removeListener', (name, listener) => {
  if (name !== 'uncaughtException' || listener === leaveAll) return;
  const listeners = process.listeners('uncaughtException');
  if (listeners.length === 1 && listeners[0] === leaveAll) process.removeListener(name, leaveAll);
});

// ---- Domains

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
    this[kWeak] = new SafeWeakRef(this);
    hook.enable();
    this.on('removeListener', updateExceptionCapture);
    this.on('newListener', updateExceptionCapture);
  }
}

exports.Domain = Domain;

exports.create = exports.createDomain = function createDomain() {
  return new Domain();
};

// The innermost domain; undefined after the last one was left.
exports.active = null;

Domain.prototype.members = undefined;

// Returns true if a listener has handled the error.
Domain.prototype._errorHandler = function(er) {
  if ((typeof er === 'object' && er !== null) || typeof er === 'function') {
    defineHidden(er, 'domain', this);
    er.domainThrown = true;
  }
  // The listener must not run in its own domain: its errors would call it again.
  while (exports.active === this) this.exit();

  let isCaught = false;
  if (stack.length === 0) {
    // Without a listener, emit() would throw; the exception is for the listeners of the process.
    if (this.listenerCount('error') > 0) {
      // Removed, and no try block: with --abort-on-uncaught-exception, an exception of the listener aborts.
      setUncaughtExceptionCaptureCallback(null);
      try {
        isCaught = this.emit('error', er);
      } finally {
        updateExceptionCapture();
      }
    }
  } else {
    try {
      isCaught = this.emit('error', er);
    } catch (another) {
      // The listener threw: an outer domain may handle that.
      updateExceptionCapture();
      if (stack.length === 0) throw another;
      setActive(stack[stack.length - 1]);
      isCaught = process.domain._errorHandler(another);
    }
  }
  // An uncaught exception ends the callback, and with it all domains.
  leaveAll();
  return isCaught;
};

Domain.prototype.enter = function() {
  setActive(this);
  ArrayPrototypePush(stack, this);
  updateExceptionCapture();
};

// Also leaves the domains that were entered inside this one.
Domain.prototype.exit = function() {
  const index = ArrayPrototypeLastIndexOf(stack, this);
  if (index === -1) return;
  ArrayPrototypeSplice(stack, index);
  setActive(stack.length === 0 ? undefined : stack[stack.length - 1]);
  updateExceptionCapture();
};

Domain.prototype.add = function(ee) {
  if (ee.domain === this) return;
  if (ee.domain) ee.domain.remove(ee);
  // Domains in a circle would pass an error on without end.
  if (this.domain && (ee instanceof Domain)) {
    for (let outer = this.domain; outer; outer = outer.domain) {
      if (ee === outer) return;
    }
  }
  defineHidden(ee, 'domain', this);
  ArrayPrototypePush(this.members, ee);
};

Domain.prototype.remove = function(ee) {
  ee.domain = null;
  const index = ArrayPrototypeIndexOf(this.members, ee);
  if (index !== -1) ArrayPrototypeSplice(this.members, index, 1);
};

function callInside(domain, fn, receiver, args) {
  domain.enter();
  const result = ReflectApply(fn, receiver, args);
  domain.exit(); // Not after an exception: it is handled in the domain.
  return result;
}

Domain.prototype.run = function(fn) {
  return callInside(this, fn, this, ArrayPrototypeSlice(arguments, 1));
};

// Returns a function for callbacks with an error as the first argument, which the domain gets instead.
Domain.prototype.intercept = function(cb) {
  const domain = this;
  return function runIntercepted(er) {
    if (!er || !(er instanceof Error)) return callInside(domain, cb, this, ArrayPrototypeSlice(arguments, 1));
    er.domainBound = cb;
    er.domainThrown = false;
    defineHidden(er, 'domain', domain);
    domain.emit('error', er);
  };
};

Domain.prototype.bind = function(cb) {
  const domain = this;
  function runBound() {
    return callInside(domain, cb, this, arguments);
  }
  defineHidden(runBound, 'domain', this);
  return runBound;
};

// ---- Emitters

EventEmitter.usingDomains = true;

const { init } = EventEmitter;
EventEmitter.init = function(opts) {
  const domain = exports.active && !(this instanceof Domain) ? exports.active : null;
  defineHidden(this, 'domain', domain);
  return FunctionPrototypeCall(init, this, opts);
};

// Emits an error that the emitter has no listener for at its domain, outside of the current domain.
function emitAtDomain(emitter, domain, er) {
  if (typeof er === 'object') {
    er.domainEmitter = emitter;
    defineHidden(er, 'domain', domain);
    er.domainThrown = false;
  }
  const stackBefore = ArrayPrototypeSlice(stack);
  const domainBefore = process.domain;
  let length = stack.length;
  while (length > 0 && stack[length - 1] === domainBefore) length--;
  stack.length = length;
  setActive(length > 0 ? stack[length - 1] : null);
  updateExceptionCapture();

  domain.emit('error', er);

  exports._stack = stack = stackBefore;
  setActive(domainBefore);
  updateExceptionCapture();
}

const { emit: emitPlain } = EventEmitter.prototype;
EventEmitter.prototype.emit = function emit(...args) {
  const { domain } = this;
  const type = args[0];
  const isHeardError = type === 'error' && this.listenerCount(type) > 0;
  if (isHeardError || domain === null || domain === undefined || this === process) {
    return ReflectApply(emitPlain, this, args);
  }
  if (type !== 'error') return callInside(domain, emitPlain, this, args);
  emitAtDomain(this, domain, args.length > 1 && args[1] ? args[1] : new ERR_UNHANDLED_ERROR());
  return false;
};
