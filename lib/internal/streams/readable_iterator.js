'use strict';
// The async iterator of a Readable. A buffered chunk costs one promise; calls made while another one is pending are
// answered in order.
const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  AsyncIteratorPrototype,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
  Promise,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
} = primordials;
const { aggregateTwoErrors } = require('internal/errors');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');

const nop = () => {};

class ReadableIterator {
  #options;
  // undefined while the stream is active, null after its end, otherwise its error.
  #error;
  #isStarted = false;
  #isOver = false;
  // True while a call is waiting for the stream, or for a chunk that is a promise.
  #isBusy = false;
  // Calls queued behind that one; null if there never were any.
  #calls = null;
  #isAnswering = false;
  // Resumes the call that is waiting for the stream.
  #wake = nop;
  #onReadable;
  #stopListening;

  constructor(stream, options) {
    this.stream = stream;
    this.#options = options;
  }

  next() {
    if (this.#isBusy) return this.#enqueue('next', undefined);
    if (this.#isOver) return PromiseResolve({ done: true, value: undefined });
    if (!this.#isStarted) this.#start();
    const chunk = this.#read();
    if (chunk !== null) {
      // Read once, because it may be a getter.
      const then = chunk?.then;
      if (typeof then !== 'function') return PromiseResolve({ done: false, value: chunk });
      this.#isBusy = true;
      return FunctionPrototypeCall(then, chunk, (value) => {
        this.#finishCall();
        return { done: false, value };
      }, (reason) => {
        const error = this.#fail(reason);
        this.#finishCall();
        throw error;
      });
    }
    if (this.#error !== undefined) {
      this.#finish();
      return this.#error === null ? PromiseResolve({ done: true, value: undefined }) : PromiseReject(this.#error);
    }
    this.#isBusy = true;
    return new Promise((resolve, reject) => this.#wait(resolve, reject));
  }

  return(value) {
    if (this.#isBusy) return this.#enqueue('return', value);
    return new Promise((resolve, reject) => this.#answer('return', value, resolve, reject));
  }

  throw(error) {
    if (this.#isBusy) return this.#enqueue('throw', error);
    return new Promise((resolve, reject) => this.#answer('throw', error, resolve, reject));
  }

  #start() {
    const { stream } = this;
    this.#isStarted = true;
    const wake = () => {
      const go = this.#wake;
      this.#wake = nop;
      go();
    };
    this.#onReadable = wake;
    stream.on('readable', wake);
    this.#stopListening = eos(stream, { writable: false }, (reason) => {
      this.#error = reason ? aggregateTwoErrors(this.#error, reason) : null;
      wake();
    });
  }

  #read() {
    return this.stream.destroyed ? null : this.stream.read();
  }

  #wait(resolve, reject) {
    const woken = new Promise((wake) => { this.#wake = wake; });
    PromisePrototypeThen(woken, () => this.#goOn(resolve, reject));
  }

  // Answers the pending call if the stream has a result now.
  #goOn(resolve, reject) {
    const chunk = this.#read();
    if (chunk === null) {
      if (this.#error === undefined) {
        this.#wait(resolve, reject);
        return;
      }
      this.#isBusy = false;
      if (this.#error === null) {
        this.#finish();
        resolve({ done: true, value: undefined });
      } else {
        reject(this.#fail(this.#error));
      }
      this.#finishCall();
      return;
    }
    const then = chunk?.then;
    if (typeof then !== 'function') {
      this.#isBusy = false;
      resolve({ done: false, value: chunk });
      this.#finishCall();
      return;
    }
    FunctionPrototypeCall(then, chunk, (value) => {
      this.#isBusy = false;
      resolve({ done: false, value });
      this.#finishCall();
    }, (reason) => {
      this.#isBusy = false;
      reject(this.#fail(reason));
      this.#finishCall();
    });
  }

  #enqueue(type, value) {
    return new Promise((resolve, reject) => {
      ArrayPrototypePush(this.#calls ??= [], { __proto__: null, type, value, resolve, reject });
    });
  }

  #finishCall() {
    this.#isBusy = false;
    // A call that is answered synchronously returns here recursively: the loop below continues with the next.
    if (this.#calls === null || this.#isAnswering) return;
    this.#isAnswering = true;
    try {
      while (!this.#isBusy && this.#calls.length > 0) {
        const { type, value, resolve, reject } = ArrayPrototypeShift(this.#calls);
        this.#answer(type, value, resolve, reject);
      }
    } finally {
      this.#isAnswering = false;
    }
  }

  #answer(type, value, resolve, reject) {
    if (type === 'next') {
      if (this.#isOver) {
        resolve({ done: true, value: undefined });
        return;
      }
      if (!this.#isStarted) this.#start();
      this.#isBusy = true;
      this.#goOn(resolve, reject);
    } else if (type === 'return') {
      this.#leave();
      resolve({ done: true, value });
    } else if (this.#isOver || !this.#isStarted) {
      this.#isOver = true;
      reject(value);
    } else {
      reject(this.#fail(value));
    }
  }

  #fail(reason) {
    this.#error = aggregateTwoErrors(this.#error, reason);
    this.#finish();
    return this.#error;
  }

  // An iterator that was never used does not affect the stream.
  #leave() {
    if (this.#isOver) return;
    if (this.#isStarted) this.#finish();
    else this.#isOver = true;
  }

  // Destroys the stream if autoDestroy is set, unless it has no error and the option destroyOnReturn is false.
  #finish() {
    this.#isOver = true;
    const { stream } = this;
    const error = this.#error;
    if ((error || this.#options?.destroyOnReturn !== false) &&
        (error === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', this.#onReadable);
      this.#stopListening();
    }
  }
}
ObjectSetPrototypeOf(ReadableIterator.prototype, AsyncIteratorPrototype);

module.exports = { ReadableIterator };
