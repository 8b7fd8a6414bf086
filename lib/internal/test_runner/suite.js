'use strict';
// describe(): a test whose function only defines tests. They run when the suite does.

const {
  ArrayPrototypeMap,
  SafePromiseAll,
  SafePromiseRace,
} = primordials;

const { Publisher } = require('internal/test_runner/channel');
const { SuiteContext } = require('internal/test_runner/context');
const { failure, kTestCodeFailure } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');
const { makeStop } = require('internal/test_runner/utils');

class Suite extends Test {
  // True once the suite's function has ended: no tests can be added after that.
  isBuilt = false;
  // A promise that is fulfilled at that point.
  built;
  #publisher;

  constructor(parent, name, options, fn, more) {
    super(parent, name, options, fn, { ...more, type: 'suite' });
    // The timeout of a parent is not inherited: it limits all of its tests together.
    if (options.timeout === undefined || options.timeout === null) this.timeout = Infinity;
    this.built = this.#build();
  }

  async #build() {
    const context = this.hookContext();
    this.#publisher = new Publisher(this);
    try {
      await this.harness.runIn(this, this.#publisher.wrap(this.fn), context, [context]);
    } catch (error) {
      this.#publisher.error(error);
      this.fail(failure(error, kTestCodeFailure));
    }
    this.isBuilt = true;
  }

  hookContext() {
    return new SuiteContext(this);
  }

  async leaveOut() {
    await this.built;
    return super.leaveOut();
  }

  async run() {
    const { parent } = this;
    this.inheritHooks();
    const context = this.hookContext();
    let stop;
    let hasRunAfter = false;
    try {
      parent.activeSubtests++;
      await this.built;
      this.startTime = this.harness.now();
      if (this.abortIfRequested()) {
        this.subtests = [];
        this.postRun();
        return;
      }
      if (parent.hooks.before.length > 0) await parent.runHooks('before', parent.hookContext());
      await this.runHooks('before', context);
      stop = makeStop(this.timeout, this.signal);
      const subtests = this.isSkipped || this.error !== null ? [] : this.subtests;
      const all = SafePromiseAll(ArrayPrototypeMap(subtests, (subtest) => subtest.start()));
      await SafePromiseRace([all, stop.promise]);
      hasRunAfter = true;
      await this.runHooks('after', context);
      this.pass();
    } catch (error) {
      try {
        if (!hasRunAfter) await this.runHooks('after', context);
      } catch {
        // Only the first error is reported.
      }
      this.failWith(error);
    } finally {
      stop?.dispose();
      this.#publisher.end();
    }
    this.postRun();
  }
}

module.exports = { Suite };
