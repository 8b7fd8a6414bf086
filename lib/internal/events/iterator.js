'use strict';

// events.on(): events as an asynchronous iterator. One queue holds unread events, another one pending calls of next();
// at most one of the two is not empty.

const {
  AsyncIteratorPrototype,
  Error,
  NumberMAX_SAFE_INTEGER,
  ObjectSetPrototypeOf,
  Promise,
  PromiseReject,
  PromiseResolve,
  Symbol,
  SymbolAsyncIterator,
  SymbolFor,
} = primordials;

const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateAbortSignal, validateInteger } = require('internal/validators');
const { kEmptyObject } = require('internal/util');
const { addListener, removeListener } = require('internal/events/once');

// Internal option: the iterator yields only the first argument of each event.
const kFirstEventParam = SymbolFor('nodejs.kFirstEventParam');
const kWatermarkData = SymbolFor('nodejs.watermarkData');
const kGone = Symbol('kGone');

// A queue with removal from the front in constant time: the removed part is dropped when it is larger than the rest.
class Queue {
  items = [];
  head = 0;
  get size() {
    return this.items.length - this.head;
  }

  push(item) {
    this.items[this.items.length] = item;
  }

  shift() {
    const item = this.items[this.head];
    this.items[this.head++] = kGone;
    if (this.head === this.items.length) {
      this.items = [];
      this.head = 0;
    } else if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = primordials.ArrayPrototypeSlice(this.items, this.head);
      this.head = 0;
    }
    return item;
  }
}

const iterationResult = (value, done) => ({ done, value });

function on(emitter, event, options = kEmptyObject) {
  const signal = options?.signal;
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  // Both spellings are in use; the documented one is highWaterMark.
  const highWatermark = options.highWaterMark ?? options.highWatermark ?? NumberMAX_SAFE_INTEGER;
  validateInteger(highWatermark, 'options.highWaterMark', 1);
  const lowWatermark = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(lowWatermark, 'options.lowWaterMark', 1);

  const arrived = new Queue();
  const waiting = new Queue();
  const listening = [];
  let paused = false;
  let error = null;
  let finished = false;

  function listen(target, name, listener, flags) {
    addListener(target, name, listener, flags);
    listening[listening.length] = { target, name, listener, flags };
  }

  function onArrival(value) {
    if (waiting.size > 0) {
      waiting.shift().resolve(iterationResult(value, false));
      return;
    }
    arrived.push(value);
    if (!paused && arrived.size > highWatermark) {
      paused = true;
      emitter.pause();
    }
  }
  const onEvent = options[kFirstEventParam] ? onArrival : (...args) => onArrival(args);

  function onError(reason) {
    if (waiting.size > 0) {
      waiting.shift().reject(reason);
    } else {
      error = reason;
    }
    close();
  }

  function onAbort() {
    onError(new AbortError(undefined, { cause: signal?.reason }));
  }

  function close() {
    for (let i = 0; i < listening.length; i++) {
      const { target, name, listener, flags } = listening[i];
      removeListener(target, name, listener, flags);
    }
    listening.length = 0;
    finished = true;
    // A closed emitter, such as readline.Interface, cannot be resumed.
    paused = false;
    const end = iterationResult(undefined, true);
    while (waiting.size > 0) waiting.shift().resolve(end);
    return PromiseResolve(end);
  }

  const iterator = ObjectSetPrototypeOf({
    next() {
      if (arrived.size > 0) {
        const value = arrived.shift();
        if (paused && arrived.size < lowWatermark) {
          if (!emitter.closed) emitter.resume(); // A closed emitter emits no further events.
          paused = false;
        }
        return PromiseResolve(iterationResult(value, false));
      }
      // An error is reported once; afterwards the iterator is done.
      if (error !== null) {
        const rejected = PromiseReject(error);
        error = null;
        return rejected;
      }
      if (finished) return close();
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      });
    },

    return() {
      return close();
    },

    throw(reason) {
      if (!reason || !(reason instanceof Error)) {
        throw new ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', reason);
      }
      onError(reason);
    },

    [SymbolAsyncIterator]() {
      return this;
    },

    [kWatermarkData]: {
      get size() {
        return arrived.size;
      },
      get low() {
        return lowWatermark;
      },
      get high() {
        return highWatermark;
      },
      get isPaused() {
        return paused;
      },
    },
  }, AsyncIteratorPrototype);

  listen(emitter, event, onEvent);
  if (event !== 'error' && typeof emitter.on === 'function') listen(emitter, 'error', onError);
  const closeEvents = options.close;
  if (closeEvents?.length) {
    for (let i = 0; i < closeEvents.length; i++) listen(emitter, closeEvents[i], close);
  }
  if (signal) {
    const { kResistStopPropagation } = require('internal/event_target');
    listen(signal, 'abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
  }
  return iterator;
}

module.exports = { kFirstEventParam, on };
