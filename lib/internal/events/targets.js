'use strict';

// The functions of `events` that work with EventEmitter and EventTarget.

const { ArrayPrototypePush } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { SymbolDispose } = require('internal/util');

// Loaded lazily, because EventTarget requires `events`.
let eventTarget;
const lazyEventTarget = () => eventTarget ??= require('internal/event_target');

function getEventListeners(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listeners === 'function') return emitterOrTarget.listeners(type);
  const { isEventTarget, kEvents } = lazyEventTarget();
  if (!isEventTarget(emitterOrTarget)) {
    throw new ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
  }
  const result = [];
  let entry = emitterOrTarget[kEvents].get(type)?.next;
  for (; entry?.listener !== undefined; entry = entry.next) {
    const listener = entry.weak ? entry.listener.deref() : entry.listener;
    if (listener !== undefined) ArrayPrototypePush(result, listener);
  }
  return result;
}

function getMaxListeners(emitterOrTarget) {
  if (typeof emitterOrTarget?.getMaxListeners === 'function') return emitterOrTarget.getMaxListeners();
  const { isEventTarget, kMaxEventTargetListeners } = lazyEventTarget();
  if (isEventTarget(emitterOrTarget) && emitterOrTarget[kMaxEventTargetListeners] !== undefined) {
    return emitterOrTarget[kMaxEventTargetListeners];
  }
  throw new ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

function setMaxListenersOf(target, n) {
  const { isEventTarget, kMaxEventTargetListeners, kMaxEventTargetListenersWarned } = lazyEventTarget();
  if (isEventTarget(target)) {
    target[kMaxEventTargetListeners] = n;
    target[kMaxEventTargetListenersWarned] = false;
  } else if (typeof target.setMaxListeners === 'function') {
    target.setMaxListeners(n);
  } else {
    throw new ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
  }
}

// Adds a listener for 'abort' that stopImmediatePropagation() does not affect. Returns a disposable that removes it.
function addAbortListener(signal, listener) {
  if (signal === undefined) throw new ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let remove;
  if (signal.aborted) {
    require('internal/process/task_queues').queueMicrotask(() => listener());
  } else {
    const { kResistStopPropagation } = lazyEventTarget();
    signal.addEventListener('abort', listener, { __proto__: null, once: true, [kResistStopPropagation]: true });
    remove = () => {
      signal.removeEventListener('abort', listener);
    };
  }
  return {
    __proto__: null,
    [SymbolDispose]() {
      remove?.();
    },
  };
}

// events.listenerCount()
function listenerCount(emitterOrTarget, type) {
  if (typeof emitterOrTarget.listenerCount === 'function') return emitterOrTarget.listenerCount(type);
  const { isEventTarget } = require('internal/event_target');
  if (isEventTarget(emitterOrTarget)) return getEventListeners(emitterOrTarget, type).length;
  throw new ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitterOrTarget);
}

module.exports = {
  addAbortListener,
  getEventListeners,
  getMaxListeners,
  listenerCountOf: listenerCount,
  setMaxListenersOf,
};
