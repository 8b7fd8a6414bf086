'use strict';
// before(), after(), beforeEach() and afterEach(): functions with a time limit and a signal of their own.

const { FunctionPrototype, PromisePrototypeThen, SafePromiseRace } = primordials;
const { AbortController } = require('internal/abort_controller');
const { failure, isFailure, kAborted, kTestCodeFailure } = require('internal/test_runner/failure');
const { makeStop } = require('internal/test_runner/utils');
const { createDeferredPromise } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { validateAbortSignal, validateNumber } = require('internal/validators');

const kLongestTimeout = 2 ** 31 - 1;

class TestHook {
  #owner;
  #fn;
  #timeout = Infinity;
  #signal;
  #isOnce;
  #result;
  error = null;
  location = undefined;

  constructor(owner, name, fn, options) {
    const { timeout, signal } = options !== null && typeof options === 'object' ? options : {};
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) {
      validateNumber(timeout, 'options.timeout', 0, kLongestTimeout);
      this.#timeout = timeout;
    }
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    this.#signal = signal ?? new AbortController().signal;
    this.#owner = owner;
    this.#fn = typeof fn === 'function' ? fn : FunctionPrototype;
    this.#isOnce = name === 'before' || name === 'after';
  }

  // Sets `error` if the hook fails. before() and after() run only once.
  run(context) {
    if (!this.#isOnce) {
      this.error = null;
      return this.#run(context);
    }
    if (this.#result === undefined) this.#result = this.#run(context);
    return this.#result;
  }

  async #run(context) {
    if (this.#signal.aborted) {
      this.error = this.#aborted();
      return;
    }
    const stop = makeStop(this.#timeout, this.#signal);
    try {
      await SafePromiseRace([this.#call(context), stop.promise]);
      if (this.#signal.aborted) this.error = this.#aborted();
    } catch (error) {
      this.error = isFailure(error) ? error : failure(error, kTestCodeFailure);
    } finally {
      stop.dispose();
    }
  }

  #aborted() {
    return failure(this.#signal.reason, kAborted);
  }

  async #call(context) {
    const { harness } = this.#owner;
    if (this.#fn.length !== 2) {
      await harness.runIn(this.#owner, this.#fn, context, [context]);
      return;
    }
    const { promise, resolve, reject } = createDeferredPromise();
    const result = harness.runIn(this.#owner, this.#fn, context, [context, (error) => {
      if (error) reject(error);
      else resolve();
    }]);
    if (isPromise(result)) {
      PromisePrototypeThen(promise, undefined, FunctionPrototype);
      throw failure('passed a callback but also returned a Promise', 'callbackAndPromisePresent');
    }
    await promise;
  }
}

module.exports = { TestHook };
