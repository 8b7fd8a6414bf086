'use strict';

// events.once(): a promise for the next event.

const { Promise } = primordials;

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateObject } = require('internal/validators');
const { kEmptyObject } = require('internal/util');

// Adds a listener to an EventEmitter or, if the object has none of its methods, to an EventTarget.
function addListener(emitter, name, listener, flags) {
  if (typeof emitter.on === 'function') {
    if (flags?.once) {
      emitter.once(name, listener);
    } else {
      emitter.on(name, listener);
    }
  } else if (typeof emitter.addEventListener === 'function') {
    emitter.addEventListener(name, listener, flags);
  } else {
    throw new ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

function removeListener(emitter, name, listener, flags) {
  if (typeof emitter.removeListener === 'function') {
    emitter.removeListener(name, listener);
  } else if (typeof emitter.removeEventListener === 'function') {
    emitter.removeEventListener(name, listener, flags);
  } else {
    throw new ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
  }
}

let kResistStopPropagation;

async function once(emitter, name, options = kEmptyObject) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  return new Promise((resolve, reject) => {
    const onError = (error) => {
      emitter.removeListener(name, onEvent);
      if (signal != null) removeListener(signal, 'abort', onAbort);
      reject(error);
    };
    const onEvent = (...args) => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError);
      if (signal != null) removeListener(signal, 'abort', onAbort);
      resolve(args);
    };
    function onAbort() {
      removeListener(emitter, name, onEvent);
      removeListener(emitter, 'error', onError);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    }

    kResistStopPropagation ??= require('internal/event_target').kResistStopPropagation;
    const flags = { __proto__: null, once: true, [kResistStopPropagation]: true };
    addListener(emitter, name, onEvent, flags);
    // For an EventTarget, 'error' is an ordinary event.
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError);
    if (signal != null) addListener(signal, 'abort', onAbort, flags);
  });
}

module.exports = { addListener, once, removeListener };
