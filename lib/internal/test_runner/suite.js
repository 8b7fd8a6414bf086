'use strict';
// describe(): a test whose function only says which tests there are. They run when the suite does.

const {
  ArrayPrototypeMap,
  PromisePrototypeThen,
  SafePromiseAll,
  SafePromiseRace,
} = primordials;

const { SuiteContext } = require('internal/test_runner/context');
const { failure, kTestCodeFailure } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');
const { makeStop } = require('internal/test_runner/utils');
const { isPromise } = require('internal/util/types');

class Suite extends Test {
  #built;

  constructor(parent, name, options, fn, more) {
    super(parent, name, options, fn, { ...more, type: 'suite' });
    this.runOnlySubtests = this.harness.isOnly;
    const context = this.hookContext();
    try {
      const result = this.harness.runIn(this, this.fn, context, [context]);
      if (isPromise(result)) {
        this.#built = PromisePrototypeThen(result, undefined, (error) => this.fail(failure(error, kTestCodeFailure)));
      }
    } catch (error) {
      this.fail(failure(error, kTestCodeFailure));
    }
  }

  hookContext() {
    return new SuiteContext(this);
  }

  async run() {
    const { parent } = this;
    parent.activeSubtests++;
    const context = this.hookContext();
    let stop;
    let hasRunAfter = false;
    try {
      if (this.#built !== undefined) await this.#built;
      this.startTime = this.harness.now();
      if (this.error !== null || this.abortIfAsked()) {
        this.postRun();
        return;
      }
      if (parent.hooks.before.length > 0) await parent.runHooks('before', parent.hookContext());
      if (!this.isSkipped) await this.runHooks('before', context);
      stop = makeStop(this.timeout, this.signal);
      const all = SafePromiseAll(ArrayPrototypeMap(this.isSkipped ? [] : this.subtests, (subtest) => subtest.start()));
      await SafePromiseRace([all, stop.promise]);
      if (this.abortIfAsked()) {
        this.postRun();
        return;
      }
      hasRunAfter = true;
      await this.runHooks('after', context);
      this.pass();
    } catch (error) {
      this.failWith(error);
      try {
        if (!hasRunAfter) await this.runHooks('after', context);
      } catch {
        // The first reason is the one that is told.
      }
    } finally {
      stop?.dispose();
    }
    this.postRun();
  }
}

module.exports = { Suite };
