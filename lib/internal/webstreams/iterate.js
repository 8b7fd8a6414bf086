'use strict';
// ReadableStream.from() and values(). The numbers of microtasks are those of Node.
const {
  AsyncIteratorPrototype,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  PromiseWithResolvers,
  SymbolAsyncIterator,
  SymbolIterator,
} = primordials;
const { codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_STATE } } = require('internal/errors');
const { DefaultSource, ReaderCore } = require('internal/webstreams/readable_core');
const { isObject, kNothing, kParked, nop, resolved } = require('internal/webstreams/util');

// ---- Iteration

const iteratorPrototype = { __proto__: AsyncIteratorPrototype, next: undefined, return: undefined };

const releasedError = () => new ERR_INVALID_STATE.TypeError('The reader is not bound to a ReadableStream');

class Iteration {
  reader;
  preventCancel;
  isDone = false;
  isStarted = false;
  // The answer that the next call waits for.
  current = undefined;
  // Of the read that waits for a chunk.
  record = undefined;
  readNext = () => this.read();

  constructor(core, preventCancel) {
    this.reader = new ReaderCore(core, false);
    this.preventCancel = preventCancel;
  }

  // One read at a time: this object is its request.
  onChunk(value) {
    this.current = undefined;
    this.record.resolve({ done: false, value });
  }

  onClose() {
    this.finish();
    this.record.resolve({ done: true, value: undefined });
  }

  onError(error) {
    this.finish();
    this.record.reject(error);
  }

  finish() {
    this.current = undefined;
    this.isDone = true;
    this.reader.release();
  }

  next() {
    // The first call waits, so that the stream has started.
    if (!this.isStarted) {
      this.isStarted = true;
      this.current = PromiseResolve();
    }
    if (this.current !== undefined) {
      return this.current = PromisePrototypeThen(this.current, this.readNext, this.readNext);
    }
    const { core } = this.reader;
    if (!this.isDone && core?.state === 'readable') {
      const value = core.take();
      if (value !== kNothing) {
        core.isDisturbed = true;
        return PromiseResolve({ done: false, value });
      }
    }
    return this.current = this.read();
  }

  read() {
    if (this.isDone) return PromiseResolve({ done: true, value: undefined });
    const { core } = this.reader;
    if (core === undefined) return PromiseReject(releasedError());
    const record = this.record = PromiseWithResolvers();
    core.read(this);
    return record.promise;
  }

  return(value) {
    this.isStarted = true;
    const end = () => this.end(value);
    return this.current = this.current === undefined ? end() : PromisePrototypeThen(this.current, end, end);
  }

  async end(value) {
    if (this.isDone) return { done: true, value };
    this.isDone = true;
    const { reader } = this;
    if (reader.core === undefined) throw releasedError();
    const cancelled = this.preventCancel ? undefined : reader.core.cancel(value);
    reader.release();
    if (cancelled !== undefined) await cancelled;
    return { done: true, value };
  }
}

function makeIterator(core, preventCancel) {
  const iteration = new Iteration(core, preventCancel);
  return ObjectSetPrototypeOf({
    next() { return iteration.next(); },
    return(value) { return iteration.return(value); },
    [SymbolAsyncIterator]() { return this; },
  }, iteratorPrototype);
}

// ---- from()

// A source that pulls from an iterator.
class IteratorSource {
  iterator;
  nextMethod;
  core;
  onResult = (result) => this.take(result);
  onValue = (value) => this.give(value);
  onFailed = (error) => this.core.error(error);

  constructor(iterable) {
    const method = iterable[SymbolAsyncIterator] ?? iterable[SymbolIterator];
    if (typeof method !== 'function') throw new ERR_ARG_NOT_ITERABLE(iterable);
    const iterator = FunctionPrototypeCall(method, iterable);
    if (!isObject(iterator)) throw new ERR_INVALID_STATE.TypeError('The iterator method must return an object');
    this.iterator = iterator;
    this.nextMethod = iterator.next;
    this.core = new DefaultSource({
      pull: () => this.pull(),
      cancel: (reason) => this.cancel(reason),
    }, 0);
  }

  pull() {
    let result;
    try {
      result = FunctionPrototypeCall(this.nextMethod, this.iterator);
    } catch (error) {
      return PromiseReject(error);
    }
    if (isObject(result)) PromisePrototypeThen(PromiseResolve(result), this.onResult, this.onFailed);
    else PromisePrototypeThen(resolved, () => this.take(result));
    return kParked;
  }

  take(result) {
    if (typeof result !== 'object' || result === null) {
      this.core.error(new ERR_INVALID_STATE.TypeError(
        'The promise returned by the iterator.next() method must fulfill with an object'));
      return;
    }
    try {
      if (!result.done) {
        const { value } = result;
        if (isObject(value)) PromisePrototypeThen(PromiseResolve(value), this.onValue, this.onFailed);
        else this.give(value);
        return;
      }
      this.core.close();
    } catch (error) {
      this.core.error(error);
      return;
    }
    this.core.onPulled();
  }

  give(value) {
    try {
      this.core.enqueue(value);
    } catch (error) {
      this.core.error(error);
      return;
    }
    this.core.onPulled();
  }

  async cancel(reason) {
    const { return: end } = this.iterator;
    if (end === undefined) return;
    const result = await FunctionPrototypeCall(end, this.iterator, reason);
    if (typeof result !== 'object' || result === null) {
      throw new ERR_INVALID_STATE.TypeError(
        'The promise returned by the iterator.return() method must fulfill with an object');
    }
  }
}

function fromIterable(iterable) {
  const { core } = new IteratorSource(iterable);
  core.start(nop);
  return core;
}

module.exports = { fromIterable, makeIterator };
