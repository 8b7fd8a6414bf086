'use strict';
// The operators of Readable: map(), filter(), toArray() and others. Those that return streams are implemented as async
// generators.
const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  FunctionPrototypeCall,
  MathFloor,
  Number,
  NumberIsNaN,
  ObjectDefineProperty,
  ObjectKeys,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  ReflectApply,
  Symbol,
} = primordials;
const { AbortController, AbortSignal } = require('internal/abort_controller');
const {
  AbortError,
  codes: { ERR_ILLEGAL_CONSTRUCTOR, ERR_MISSING_ARGS, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { kResistStopPropagation, kWeakHandler } = require('internal/event_target');
const { validateAbortSignal, validateFunction, validateInteger, validateObject } = require('internal/validators');
const { finished } = require('internal/streams/end_of_stream');

// Results that are not items: no result for this item, and the end of the items.
const kNone = Symbol('none');
const kEnd = Symbol('end');

const isGiven = (value) => value !== undefined && value !== null;

function checkOptions(options) {
  if (!isGiven(options)) return;
  validateObject(options, 'options');
  if (isGiven(options.signal)) validateAbortSignal(options.signal, 'options.signal');
}

function checkAborted(options) {
  if (options?.signal?.aborted) throw new AbortError();
}

// One run of map(): fill() calls the function for up to `concurrency` items at a time; results() yields the results in
// order. Each waits for the other.
class Mapping {
  constructor(stream, fn, signal, concurrency, mostResults) {
    this.stream = stream;
    this.fn = fn;
    this.signal = signal;
    this.options = undefined;
    this.concurrency = concurrency;
    this.mostResults = mostResults;
    // Promises of results.
    this.queue = [];
    this.running = 0;
    this.isDone = false;
    this.resumeFill = null;
    this.resumeResults = null;
    this.onSettled = () => {
      this.running--;
      this.wakeFill();
    };
    this.onFailed = () => {
      this.isDone = true;
      this.onSettled();
    };
  }

  wakeFill() {
    if (this.resumeFill === null || this.isDone) return;
    if (this.running < this.concurrency && this.queue.length < this.mostResults) this.releaseFill();
  }

  releaseFill() {
    const resume = this.resumeFill;
    this.resumeFill = null;
    if (resume !== null) resume();
  }

  wakeResults() {
    const resume = this.resumeResults;
    this.resumeResults = null;
    if (resume !== null) resume();
  }

  add(result) {
    PromisePrototypeThen(result, this.onSettled, this.onFailed);
    ArrayPrototypePush(this.queue, result);
  }

  async fill() {
    try {
      for await (const item of this.stream) {
        if (this.isDone) return;
        checkAborted(this.options);
        let result;
        try {
          result = this.fn(item, this.options);
          if (result === kNone) continue;
          result = PromiseResolve(result);
        } catch (error) {
          result = PromiseReject(error);
        }
        this.running++;
        this.add(result);
        this.wakeResults();
        if (!this.isDone && (this.queue.length >= this.mostResults || this.running >= this.concurrency)) {
          await new Promise((resolve) => { this.resumeFill = resolve; });
        }
      }
      ArrayPrototypePush(this.queue, kEnd);
    } catch (error) {
      this.add(PromiseReject(error));
    } finally {
      this.isDone = true;
      this.wakeResults();
    }
  }

  async *results() {
    this.options = { signal: AbortSignal.any(this.signal ? [this.signal] : []) };
    this.fill();
    try {
      for (;;) {
        while (this.queue.length > 0) {
          const result = await this.queue[0];
          if (result === kEnd) return;
          checkAborted(this.options);
          if (result !== kNone) yield result;
          ArrayPrototypeShift(this.queue);
          this.wakeFill();
        }
        await new Promise((resolve) => { this.resumeResults = resolve; });
      }
    } finally {
      this.isDone = true;
      this.releaseFill();
    }
  }
}

function map(fn, options) {
  validateFunction(fn, 'fn');
  checkOptions(options);
  const concurrency = isGiven(options?.concurrency) ? MathFloor(options.concurrency) : 1;
  const highWaterMark = isGiven(options?.highWaterMark) ? MathFloor(options.highWaterMark) : concurrency - 1;
  validateInteger(concurrency, 'options.concurrency', 1);
  validateInteger(highWaterMark, 'options.highWaterMark', 0);
  return new Mapping(this, fn, options?.signal, concurrency, highWaterMark + concurrency).results();
}

function filter(fn, options) {
  validateFunction(fn, 'fn');
  const keep = async (item, own) => (await fn(item, own) ? item : kNone);
  return FunctionPrototypeCall(map, this, keep, options);
}

function flatMap(fn, options) {
  const lists = FunctionPrototypeCall(map, this, fn, options);
  return (async function* () {
    for await (const list of lists) yield* list;
  })();
}

function toCount(number) {
  const count = Number(number);
  if (NumberIsNaN(count)) return 0;
  if (count < 0) throw new ERR_OUT_OF_RANGE('number', '>= 0', count);
  return count;
}

async function* dropped(stream, count, options) {
  checkAborted(options);
  for await (const item of stream) {
    checkAborted(options);
    if (count-- <= 0) yield item;
  }
}

function drop(number, options = undefined) {
  checkOptions(options);
  return dropped(this, toCount(number), options);
}

async function* taken(stream, count, options) {
  checkAborted(options);
  for await (const item of stream) {
    checkAborted(options);
    if (count-- > 0) yield item;
    // Return before requesting an item that would not be used.
    if (count <= 0) return;
  }
}

function take(number, options = undefined) {
  checkOptions(options);
  return taken(this, toCount(number), options);
}

async function find(fn, options) {
  // eslint-disable-next-line no-unreachable-loop -- Leaving the loop closes the iterator.
  for await (const item of FunctionPrototypeCall(filter, this, fn, options)) return item;
  return undefined;
}

async function some(fn, options = undefined) {
  // eslint-disable-next-line no-unreachable-loop -- Leaving the loop closes the iterator.
  for await (const item of FunctionPrototypeCall(filter, this, fn, options)) return true;
  return false;
}

async function every(fn, options = undefined) {
  validateFunction(fn, 'fn');
  const isExempt = async (...args) => !(await ReflectApply(fn, undefined, args));
  return !(await FunctionPrototypeCall(some, this, isExempt, options));
}

async function forEach(fn, options) {
  validateFunction(fn, 'fn');
  const run = async (item, own) => {
    await fn(item, own);
    return kNone;
  };
  for await (const item of FunctionPrototypeCall(map, this, run, options)); // eslint-disable-line no-unused-vars
}

async function reduce(reducer, initialValue, options) {
  validateFunction(reducer, 'reducer');
  checkOptions(options);
  let hasValue = arguments.length > 1;
  let value = initialValue;
  const outer = options?.signal;
  if (outer?.aborted) {
    const error = new AbortError(undefined, { cause: outer.reason });
    // The promise reports the error.
    this.once('error', () => {});
    await finished(this.destroy(error));
    throw error;
  }
  const controller = new AbortController();
  const { signal } = controller;
  if (outer) {
    const once = { once: true, [kWeakHandler]: this, [kResistStopPropagation]: true };
    outer.addEventListener('abort', () => controller.abort(), once);
  }
  try {
    for await (const item of this) {
      checkAborted(options);
      if (hasValue) {
        value = await reducer(value, item, { signal });
      } else {
        value = item;
        hasValue = true;
      }
    }
    if (!hasValue) throw new EmptyReduceError();
  } finally {
    controller.abort();
  }
  return value;
}

class EmptyReduceError extends ERR_MISSING_ARGS {
  constructor() {
    super('reduce');
    this.message = 'Reduce of an empty stream requires an initial value';
  }
}

async function toArray(options) {
  checkOptions(options);
  const items = [];
  for await (const item of this) {
    if (options?.signal?.aborted) throw new AbortError(undefined, { cause: options.signal.reason });
    ArrayPrototypePush(items, item);
  }
  return items;
}

// ---- On the prototype

const toStreams = { __proto__: null, drop, filter, flatMap, map, take };
const toPromises = { __proto__: null, every, forEach, reduce, toArray, some, find };

function addMethod(prototype, name, operator, finish) {
  function method(...args) {
    if (new.target) throw new ERR_ILLEGAL_CONSTRUCTOR();
    return finish(ReflectApply(operator, this, args));
  }
  ObjectDefineProperty(method, 'name', { __proto__: null, value: name });
  ObjectDefineProperty(method, 'length', { __proto__: null, value: operator.length });
  ObjectDefineProperty(prototype, name, {
    __proto__: null, value: method, enumerable: false, configurable: true, writable: true,
  });
}

function addOperators(Readable) {
  const streams = ObjectKeys(toStreams);
  for (let i = 0; i < streams.length; i++) {
    addMethod(Readable.prototype, streams[i], toStreams[streams[i]], (items) => Readable.from(items));
  }
  const promises = ObjectKeys(toPromises);
  for (let i = 0; i < promises.length; i++) {
    addMethod(Readable.prototype, promises[i], toPromises[promises[i]], (promise) => promise);
  }
}

module.exports = { addOperators };
