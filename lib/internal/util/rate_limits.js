'use strict';

// util.debounce() and util.throttle(): wrap a function so that it is called less often.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ObjectDefineProperties,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  ReflectApply,
} = primordials;

const { AbortError, codes: { ERR_THROTTLED } } = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const {
  validateAbortSignal,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
  validateOneOf,
} = require('internal/validators');
const { addAbortListener } = require('internal/events/targets');
const { clearTimeout, setTimeout } = require('timers');
const { performance } = require('internal/perf/performance');

const kLongestWait = 2 ** 31 - 1;

const nop = () => {};
const handled = (promise) => {
  PromisePrototypeThen(promise, nop, nop);
  return promise;
};
const abortedBy = (reason) => (reason === undefined ? new AbortError() : new AbortError(undefined, { cause: reason }));

function makeCall(args) {
  const call = { args, promise: undefined, resolve: undefined, reject: undefined };
  call.promise = new Promise((resolve, reject) => {
    call.resolve = resolve;
    call.reject = reject;
  });
  return call;
}

function rejectAll(calls, error) {
  for (let i = 0; i < calls.length; i++) calls[i].reject(error);
}

// Base class of throttle and debounce: pending calls, a timer, and a signal that cancels everything.
class Limiter {
  constructor(fn, signal) {
    this.fn = fn;
    this.signal = signal;
    this.self = undefined; // The function that the program calls.
    this.calls = [];
    this.timeout = undefined;
    this.isRef = true;
    this.abortError = undefined;
  }

  start(onTimeout, delay) {
    this.timeout = setTimeout(onTimeout, delay);
    if (!this.isRef) this.timeout.unref();
  }

  stop() {
    clearTimeout(this.timeout);
    this.timeout = undefined;
  }

  takeAll() {
    const { calls } = this;
    this.calls = [];
    return calls;
  }

  abort() {
    this.abortError ??= abortedBy(this.signal.reason);
    this.cancelWith(this.abortError);
  }

  setRef(isRef) {
    this.isRef = isRef;
    if (isRef) this.timeout?.ref();
    else this.timeout?.unref();
    return this.self;
  }

  // Gives the function its properties. `more` are those of one kind only.
  dress(self, more) {
    this.self = self;
    const method = (value) => ({ __proto__: null, configurable: true, enumerable: true, writable: true, value });
    ObjectDefineProperties(self, {
      __proto__: null,
      cancel: method((reason) => this.cancel(reason)),
      ...more(method),
      ref: method(() => this.setRef(true)),
      unref: method(() => this.setRef(false)),
      pending: { __proto__: null, get: () => this.calls[this.calls.length - 1]?.promise ?? null },
      pendingCount: { __proto__: null, get: () => this.calls.length },
      length: { __proto__: null, configurable: true, value: this.fn.length },
      name: { __proto__: null, configurable: true, value: this.fn.name },
    });
    if (this.signal !== undefined) addAbortListener(this.signal, () => this.abort());
    return self;
  }
}

class Debouncer extends Limiter {
  constructor(fn, wait, leading, rejectOnCancel, signal) {
    super(fn, signal);
    this.wait = wait;
    this.leading = leading;
    this.rejectOnCancel = rejectOnCancel;
    this.args = undefined;
  }

  cancelWith(error) {
    if (this.timeout === undefined) return;
    this.stop();
    this.args = undefined;
    rejectAll(this.takeAll(), error);
  }

  cancel(reason) {
    if (this.timeout !== undefined) this.cancelWith(abortedBy(reason));
  }

  invoke(args, calls) {
    if (this.signal?.aborted) {
      this.abort();
      rejectAll(calls, this.abortError);
      return;
    }
    let result;
    try {
      result = ReflectApply(this.fn, this.self, args);
    } catch (error) {
      rejectAll(calls, error);
      return;
    }
    for (let i = 0; i < calls.length; i++) calls[i].resolve(result);
  }

  invokePending() {
    const { args } = this;
    this.args = undefined;
    const calls = this.takeAll();
    if (calls.length !== 0) this.invoke(args, calls);
  }

  flush() {
    if (this.calls.length === 0) return;
    this.stop();
    this.invokePending();
  }

  call(args) {
    if (this.signal?.aborted) this.abort();
    if (this.abortError !== undefined) return PromiseReject(this.abortError);
    const isFirst = this.timeout === undefined;
    if (isFirst) {
      this.start(() => {
        this.timeout = undefined;
        this.invokePending();
      }, this.wait);
    } else {
      if (this.calls.length !== 0) {
        // Programs may await only the last call: the rejection of a superseded one must not be reported as unhandled.
        handled(this.calls[this.calls.length - 1].promise);
        if (this.rejectOnCancel) rejectAll(this.takeAll(), new AbortError('The debounced call was superseded'));
      }
      this.timeout.refresh();
    }
    const call = makeCall(args);
    if (this.leading && isFirst) {
      this.invoke(args, [call]);
    } else {
      ArrayPrototypePush(this.calls, call);
      this.args = args;
    }
    return call.promise;
  }
}

function debounce(fn, wait, options = kEmptyObject) {
  validateFunction(fn, 'fn');
  validateInteger(wait, 'wait', 0, kLongestWait);
  validateObject(options, 'options');
  const { leading = false, rejectOnCancel = false, signal } = options;
  validateBoolean(leading, 'options.leading');
  validateBoolean(rejectOnCancel, 'options.rejectOnCancel');
  validateAbortSignal(signal, 'options.signal');
  if (signal?.aborted) throw abortedBy(signal.reason);
  const limiter = new Debouncer(fn, wait, leading, rejectOnCancel, signal);
  return limiter.dress((...args) => limiter.call(args), (method) => ({ flush: method(() => limiter.flush()) }));
}

class Throttle extends Limiter {
  constructor(fn, limit, interval, { concurrency, maxPending, overflow, signal, strict }) {
    super(fn, signal);
    this.limit = limit;
    this.interval = interval;
    this.concurrency = concurrency;
    this.maxPending = overflow === 'drop' ? 0 : maxPending;
    this.strict = strict;
    this.active = 0;
    // When calls began: with `strict` each of the last interval, otherwise the window and how many it has had.
    this.times = [];
    this.windowStart = undefined;
    this.windowCount = 0;
  }

  cancelWith(error) {
    this.stop();
    this.times = [];
    this.windowStart = undefined;
    this.windowCount = 0;
    rejectAll(this.takeAll(), error);
  }

  cancel(reason) {
    this.cancelWith(abortedBy(reason));
  }

  hasCapacity(now) {
    if (this.strict) {
      while (this.times.length > 0 && now - this.times[0] >= this.interval) ArrayPrototypeShift(this.times);
      return this.times.length < this.limit;
    }
    if (this.windowStart === undefined || now - this.windowStart >= this.interval) {
      this.windowStart = now;
      this.windowCount = 0;
    }
    return this.windowCount < this.limit;
  }

  hasImmediateCapacity() {
    if (this.signal?.aborted || this.calls.length !== 0 || this.active >= this.concurrency) return false;
    const now = performance.now();
    if (this.strict) return this.hasCapacity(now);
    return this.windowStart === undefined || now - this.windowStart >= this.interval || this.windowCount < this.limit;
  }

  invoke(call, now) {
    if (this.strict) ArrayPrototypePush(this.times, now);
    else this.windowCount++;
    this.active++;
    let result;
    try {
      result = PromiseResolve(ReflectApply(this.fn, this.self, call.args));
    } catch (error) {
      result = PromiseReject(error);
    }
    call.resolve(result);
    const settled = () => {
      this.active--;
      this.drain();
    };
    PromisePrototypeThen(result, settled, settled);
  }

  drain() {
    if (this.signal?.aborted) {
      this.abort();
      return;
    }
    while (this.calls.length !== 0 && this.active < this.concurrency) {
      const now = performance.now();
      if (!this.hasCapacity(now)) break;
      this.invoke(ArrayPrototypeShift(this.calls), now);
    }
    if (this.timeout !== undefined || this.calls.length === 0 || this.active >= this.concurrency) return;
    const start = this.strict ? this.times[0] : this.windowStart;
    // Timers count whole milliseconds; a moment too early would find no capacity.
    this.start(() => {
      this.timeout = undefined;
      this.drain();
    }, start + this.interval - performance.now() + 1);
  }

  call(args) {
    if (this.signal?.aborted) this.abort();
    if (this.abortError !== undefined) return PromiseReject(this.abortError);
    const now = performance.now();
    const canInvoke = this.calls.length === 0 && this.active < this.concurrency && this.hasCapacity(now);
    if (!canInvoke && this.calls.length >= this.maxPending) return handled(PromiseReject(new ERR_THROTTLED()));
    const call = makeCall(args);
    if (canInvoke) {
      this.invoke(call, now);
    } else {
      ArrayPrototypePush(this.calls, call);
      this.drain();
    }
    return call.promise;
  }
}

function throttle(fn, limit, interval, options = kEmptyObject) {
  validateFunction(fn, 'fn');
  validateInteger(limit, 'limit', 1);
  validateInteger(interval, 'interval', 0, kLongestWait);
  validateObject(options, 'options');
  const { concurrency = Infinity, maxPending = Infinity, overflow = 'queue', signal, strict = false } = options;
  if (concurrency !== Infinity) validateInteger(concurrency, 'options.concurrency', 1);
  if (maxPending !== Infinity) validateInteger(maxPending, 'options.maxPending', 0);
  validateOneOf(overflow, 'options.overflow', ['queue', 'drop']);
  validateAbortSignal(signal, 'options.signal');
  validateBoolean(strict, 'options.strict');
  if (signal?.aborted) throw abortedBy(signal.reason);
  const limiter = new Throttle(fn, limit, interval, { concurrency, maxPending, overflow, signal, strict });
  return limiter.dress((...args) => limiter.call(args), (method) => ({
    hasImmediateCapacity: method(() => limiter.hasImmediateCapacity()),
    activeCount: { __proto__: null, get: () => limiter.active },
  }));
}

module.exports = { debounce, throttle };
