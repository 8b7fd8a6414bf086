'use strict';
// Shared by all web streams: queues, promises that are made on demand, and the handling of callback results.
const {
  ArrayPrototypeSplice,
  FunctionPrototypeCall,
  MathMax,
  NumberIsNaN,
  ObjectDefineProperties,
  ObjectDefineProperty,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
  Symbol,
  SymbolToStringTag,
} = primordials;
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { validateFunction } = require('internal/validators');

// The first argument of constructors that lib calls with an inner object.
const kInternal = Symbol('internal');
// Returned by an algorithm of lib that calls the continuation itself, later.
const kParked = Symbol('parked');
// Nothing is buffered.
const kNothing = Symbol('nothing');

const nop = () => {};
const resolved = PromiseResolve();

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// ---- Queues

const kMostGone = 1024;

class Fifo {
  #items = [];
  #head = 0;
  #tail = 0;

  get length() {
    return this.#tail - this.#head;
  }

  push(item) {
    this.#items[this.#tail++] = item;
  }

  peek() {
    return this.#items[this.#head];
  }

  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head === this.#tail) {
      this.#head = this.#tail = 0;
    } else if (this.#head > kMostGone && this.#head * 2 > this.#tail) {
      ArrayPrototypeSplice(this.#items, 0, this.#head);
      this.#tail -= this.#head;
      this.#head = 0;
    }
    return item;
  }

  clear() {
    this.#items = [];
    this.#head = this.#tail = 0;
  }
}

// Chunks, each of a size that a program's strategy gave.
class SizedQueue {
  #chunks = new Fifo();
  #sizes = new Fifo();
  total = 0;

  get length() {
    return this.#chunks.length;
  }

  push(chunk, size) {
    const number = +size;
    if (NumberIsNaN(number) || number < 0 || number === Infinity) {
      throw new ERR_INVALID_ARG_VALUE.RangeError('size', size);
    }
    this.#chunks.push(chunk);
    this.#sizes.push(number);
    this.total += number;
  }

  peek() {
    return this.#chunks.peek();
  }

  shift() {
    // Sums of fractions may not come out even.
    this.total = MathMax(0, this.total - this.#sizes.shift());
    return this.#chunks.shift();
  }

  clear() {
    this.#chunks.clear();
    this.#sizes.clear();
    this.total = 0;
  }
}

// ---- Promises

function markHandled(promise) {
  PromisePrototypeThen(promise, undefined, nop);
}

// A promise for the end of something, made on first use; a rejection never counts as unhandled.
class Outcome {
  #state = 'pending';
  #error = undefined;
  #record = undefined;

  static resolved() {
    const outcome = new Outcome();
    outcome.#state = 'resolved';
    return outcome;
  }

  static rejected(error) {
    const outcome = new Outcome();
    outcome.#state = 'rejected';
    outcome.#error = error;
    return outcome;
  }

  get isPending() {
    return this.#state === 'pending';
  }

  resolve() {
    if (this.#state !== 'pending') return;
    this.#state = 'resolved';
    this.#record?.resolve();
  }

  reject(error) {
    if (this.#state !== 'pending') return;
    this.#state = 'rejected';
    this.#error = error;
    if (this.#record === undefined) return;
    markHandled(this.#record.promise);
    this.#record.reject(error);
  }

  // With `promise`, like other objects of this kind.
  get promise() {
    if (this.#record === undefined) {
      if (this.#state === 'pending') {
        this.#record = PromiseWithResolvers();
      } else if (this.#state === 'resolved') {
        this.#record = { promise: PromiseResolve() };
      } else {
        this.#record = { promise: PromiseReject(this.#error) };
        markHandled(this.#record.promise);
      }
    }
    return this.#record.promise;
  }
}

// Continues with the result of a callback: in the next microtask, if the result is not a promise.
function follow(result, onDone, onFailed) {
  if (result === kParked) return;
  if (isObject(result)) PromisePrototypeThen(PromiseResolve(result), onDone, onFailed);
  else PromisePrototypeThen(resolved, onDone);
}

// The same for start(): every object is waited for as the standard says.
function followStart(result, onDone, onFailed) {
  if (isObject(result)) PromisePrototypeThen(new Promise((resolve) => resolve(result)), onDone, onFailed);
  else PromisePrototypeThen(resolved, onDone);
}

// ---- Callbacks and strategies of a program

// A callback whose result is passed to follow(). It gets as many arguments as in the standard.
function rawCallback(object, key, name, count) {
  const callback = object[key];
  if (!callback) return nop;
  validateFunction(callback, name);
  if (count === 1) return (argument) => FunctionPrototypeCall(callback, object, argument);
  return (first, second) => FunctionPrototypeCall(callback, object, first, second);
}

async function asyncNop() {}

// A callback that returns a promise.
function asyncCallback(object, key, name, count) {
  const callback = object[key];
  if (!callback) return asyncNop;
  validateFunction(callback, name);
  if (count === 0) return async () => FunctionPrototypeCall(callback, object);
  return async (argument) => FunctionPrototypeCall(callback, object, argument);
}

function readHighWaterMark(value, byDefault) {
  if (value === undefined) return byDefault;
  const mark = +value;
  if (NumberIsNaN(mark) || mark < 0) throw new ERR_INVALID_ARG_VALUE.RangeError('strategy.highWaterMark', value);
  return mark;
}

const countOne = () => 1;

function readSize(size) {
  if (size === undefined) return countOne;
  validateFunction(size, 'strategy.size');
  return size;
}

// ---- Classes

// Defines the enumerable properties, the tag, and the output of inspect().
function finishClass(Class, properties, describe) {
  const { name, prototype } = Class;
  for (let i = 0; i < properties.length; i++) ObjectDefineProperty(prototype, properties[i], kEnumerableProperty);
  ObjectDefineProperties(prototype, {
    [SymbolToStringTag]: { __proto__: null, configurable: true, value: name },
    [customInspectSymbol]: {
      __proto__: null,
      writable: true,
      configurable: true,
      value: function(depth, options) {
        if (depth < 0) return this;
        const { inspect } = require('internal/util/inspect');
        const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
        return `${name} ${inspect(describe(this), inner)}`;
      },
    },
  });
}

module.exports = {
  Fifo,
  Outcome,
  SizedQueue,
  asyncCallback,
  countOne,
  finishClass,
  follow,
  followStart,
  isObject,
  kInternal,
  kNothing,
  kParked,
  markHandled,
  nop,
  rawCallback,
  readHighWaterMark,
  readSize,
  resolved,
};
