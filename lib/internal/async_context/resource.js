'use strict';
// AsyncResource: lets user code that queues its own callbacks report when they begin and end.

const {
  ArrayPrototypeUnshift,
  Boolean,
  NumberIsSafeInteger,
  ObjectDefineProperties,
  ReflectApply,
  SafeFinalizationRegistry,
  SafeWeakMap,
} = primordials;

const { codes: { ERR_ASYNC_TYPE, ERR_INVALID_ASYNC_ID } } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');
const { getDeprecationWarningEmitter } = require('internal/util');
const core = require('internal/async_hooks');
const { kAsyncId, kTriggerId } = require('internal/async_context/symbols');

// Calls the destroy hooks when a resource or promise is collected, unless its mark shows that emitDestroy() already
// did.
let registry;
let marks;
function endWithOwner(resource, asyncId) {
  registry ??= new SafeFinalizationRegistry((mark) => {
    // This runs in a separate task, so hooks may run.
    if (!mark.destroyed && core.emit.destroyNow !== null) core.emit.destroyNow(mark.asyncId);
  });
  marks ??= new SafeWeakMap();
  const mark = { asyncId, destroyed: false };
  marks.set(resource, mark);
  registry.register(resource, mark);
}

const warnOfAsyncResource = getDeprecationWarningEmitter(
  'DEP0172', 'The asyncResource property on bound functions is deprecated', undefined);

class AsyncResource {
  #frame;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let triggerId = options;
    let requireManualDestroy = false;
    if (typeof options !== 'number') {
      triggerId = options.triggerAsyncId === undefined ? core.defaultTriggerAsyncId() : options.triggerAsyncId;
      requireManualDestroy = Boolean(options.requireManualDestroy);
    }
    // -1 is allowed, for resources that were created before any code ran.
    if (!NumberIsSafeInteger(triggerId) || triggerId < -1) throw new ERR_INVALID_ASYNC_ID('triggerAsyncId', triggerId);
    const asyncId = core.newAsyncId();
    this[kAsyncId] = asyncId;
    this[kTriggerId] = triggerId;
    this.#frame = core.getFrame();
    if (!core.hooks.active) return;
    if (core.emit.init !== null) {
      if (type.length === 0 && core.emit.hasListeners) throw new ERR_ASYNC_TYPE(type);
      core.emitInit(asyncId, type, triggerId, this);
    }
    if (!requireManualDestroy && core.emit.destroy !== null) endWithOwner(this, asyncId);
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const asyncId = this[kAsyncId];
    const frame = core.getFrame();
    const moved = frame !== this.#frame;
    core.emitBefore(asyncId, this[kTriggerId], this);
    if (moved) core.setFrame(this.#frame);
    try {
      return ReflectApply(fn, thisArg, args);
    } finally {
      core.setFrame(frame);
      core.emitAfter(asyncId);
    }
  }

  emitDestroy() {
    const mark = marks?.get(this);
    if (mark !== undefined) mark.destroyed = true;
    core.emitDestroy(this[kAsyncId]);
    return this;
  }

  asyncId() {
    return this[kAsyncId];
  }

  triggerAsyncId() {
    return this[kTriggerId];
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound = thisArg === undefined ?
      function bound(...args) {
        ArrayPrototypeUnshift(args, fn, this);
        return ReflectApply(resource.runInAsyncScope, resource, args);
      } :
      function bound(...args) {
        ArrayPrototypeUnshift(args, fn, thisArg);
        return ReflectApply(resource.runInAsyncScope, resource, args);
      };
    let self = resource;
    ObjectDefineProperties(bound, {
      length: { __proto__: null, configurable: true, enumerable: false, value: fn.length, writable: false },
      asyncResource: {
        __proto__: null,
        configurable: true,
        enumerable: true,
        get() {
          warnOfAsyncResource();
          return self;
        },
        set(value) {
          warnOfAsyncResource();
          self = value;
        },
      },
    });
    return bound;
  }

  static bind(fn, type, thisArg) {
    type ||= fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

module.exports = { AsyncResource, endWithOwner };
