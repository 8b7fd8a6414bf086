'use strict';

// CallTracker: how often functions were called, and how often they should have been.

const {
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  Error,
  FunctionPrototype,
  ObjectFreeze,
  Proxy,
  ReflectApply,
  SafeSet,
  SafeWeakMap,
} = primordials;

const { codes: { ERR_INVALID_ARG_VALUE, ERR_UNAVAILABLE_DURING_EXIT } } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const AssertionError = require('internal/assert/assertion_error');

const doNothing = FunctionPrototype;

class TrackedFunction {
  #expected;
  #calls = [];
  #name;
  #stack;

  constructor(expected, name) {
    this.#expected = expected;
    this.#name = name;
    this.#stack = new Error();
  }

  track(thisArg, args) {
    ArrayPrototypePush(this.#calls, ObjectFreeze({ thisArg, arguments: ObjectFreeze(ArrayPrototypeSlice(args)) }));
  }

  reset() {
    this.#calls = [];
  }

  get calls() {
    return ObjectFreeze(ArrayPrototypeSlice(this.#calls));
  }

  // What is to be said about a wrong number of calls, if it is wrong.
  report() {
    const actual = this.#calls.length;
    const expected = this.#expected;
    if (actual === expected) return undefined;
    return {
      message: `Expected the ${this.#name} function to be executed ${expected} time(s) but was executed ${actual} ` +
        'time(s).',
      actual,
      expected,
      operator: this.#name,
      stack: this.#stack,
    };
  }
}

class CallTracker {
  #tracked = new SafeSet();
  #byFunction = new SafeWeakMap();

  #get(fn) {
    const tracked = this.#byFunction.get(fn);
    if (tracked === undefined) throw new ERR_INVALID_ARG_VALUE('tracked', fn, 'is not a tracked function');
    return tracked;
  }

  reset(fn) {
    if (fn === undefined) {
      for (const tracked of this.#tracked) tracked.reset();
      return;
    }
    this.#get(fn).reset();
  }

  getCalls(fn) {
    return this.#get(fn).calls;
  }

  calls(fn, expected = 1) {
    if (process._exiting) throw new ERR_UNAVAILABLE_DURING_EXIT();
    if (typeof fn === 'number') {
      expected = fn;
      fn = doNothing;
    } else if (fn === undefined) {
      fn = doNothing;
    }
    validateUint32(expected, 'expected', true);
    const tracked = new TrackedFunction(expected, fn.name || 'calls');
    this.#tracked.add(tracked);
    const proxy = new Proxy(fn, {
      __proto__: null,
      apply(target, thisArg, args) {
        tracked.track(thisArg, args);
        return ReflectApply(target, thisArg, args);
      },
    });
    this.#byFunction.set(proxy, tracked);
    return proxy;
  }

  report() {
    const errors = [];
    for (const tracked of this.#tracked) {
      const error = tracked.report();
      if (error !== undefined) ArrayPrototypePush(errors, error);
    }
    return errors;
  }

  verify() {
    const errors = this.report();
    if (errors.length === 0) return;
    throw new AssertionError({
      message: errors.length === 1 ? errors[0].message : 'Functions were not called the expected number of times',
      details: errors,
    });
  }
}

module.exports = CallTracker;
