'use strict';
// A test: its life from test() to its report. Suites and hooks are kinds of it (internal/test_runner/suite, hook).
//
// Tests run when their parent lets them, as many at a time as its concurrency says. They are reported in the order in
// which they were made, whatever the order in which they end: one that ends early waits in its parent's #ready.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeSlice,
  ArrayPrototypeSplice,
  FunctionPrototype,
  Number,
  PromisePrototypeThen,
  SafeMap,
  SafePromiseRace,
} = primordials;

const { AsyncResource } = require('async_hooks');
const { setMaxListeners } = require('events');
const { AbortController } = require('internal/abort_controller');
const { TestContext } = require('internal/test_runner/context');
const {
  failure,
  isFailure,
  kAborted,
  kCallbackAndPromise,
  kCancelledByParent,
  kHookFailure,
  kMultipleCallbacks,
  kParentAlreadyFinished,
  kSubtestsFailed,
  kTestCodeFailure,
  kTestTimeoutFailure,
} = require('internal/test_runner/failure');
const { makeStop } = require('internal/test_runner/utils');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { createDeferredPromise } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { validateAbortSignal, validateNumber, validateUint32 } = require('internal/validators');

const kLongestTimeout = 2 ** 31 - 1;
const kNotSet = "'only' option not set";
const kNoMatch = 'test name does not match pattern';
const kNeedsFlag = "'only' and 'runOnly' require the --test-only command-line option.";

const noop = FunctionPrototype;

class Test extends AsyncResource {
  #controller = new AbortController();
  #outerSignal;
  #onOuterAbort;
  #ready = new SafeMap();
  #waitingOn = 1;
  #pending = [];
  #mock;
  #plan;
  #assertions = 0;
  #isStarted = false;
  activeSubtests = 0;
  subtests = [];
  diagnostics = [];
  hooks = { __proto__: null, before: [], after: [], beforeEach: [], afterEach: [], ownAfterEach: 0 };
  startTime = undefined;
  endTime = undefined;
  error = null;
  passed = false;
  cancelled = false;
  finished = false;
  isSkipped = false;
  isTodo = false;
  message = undefined;

  constructor(parent, name, options, fn, { location, harness, type = 'test' }) {
    super('Test', { __proto__: null, requireManualDestroy: false });
    const { concurrency, only, plan, skip, timeout, todo } = options;
    this.parent = parent;
    this.type = type;
    this.harness = harness ?? parent.harness;
    this.location = location;
    this.reporter = this.harness.reporter;
    this.name = typeof name === 'string' && name !== '' ? name : fn?.name || '<anonymous>';
    this.only = !!only;
    this.runOnlySubtests = false;
    this.fn = typeof fn === 'function' ? fn : noop;
    if (parent === null) {
      this.nesting = 0;
      this.testNumber = 0;
      this.timeout = Infinity;
      this.concurrency = 1;
      this.runOnlySubtests = this.harness.isOnly;
    } else {
      this.nesting = parent.parent === null ? parent.nesting : parent.nesting + 1;
      this.testNumber = parent.subtests.length + 1;
      this.timeout = parent.timeout;
      this.concurrency = parent.concurrency;
      this.hooks.beforeEach = ArrayPrototypeSlice(parent.hooks.beforeEach);
      this.hooks.afterEach = ArrayPrototypeSlice(parent.hooks.afterEach);
    }
    setMaxListeners(0, this.signal); // As many as it has subtests.
    this.#setConcurrency(concurrency);
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) {
      validateNumber(timeout, 'options.timeout', 0, kLongestTimeout);
      this.timeout = timeout;
    } else if (timeout === Infinity) {
      this.timeout = Infinity;
    }
    this.#follow(options.signal);
    if (plan !== undefined && plan !== null) this.#plan = Number(plan);
    if (parent !== null) this.#filter();
    if (skip) this.skip(skip);
    if (todo) this.todo(todo);
    if (this.isSkipped) this.fn = noop;
  }

  get fullName() {
    return this.parent === null || this.parent.parent === null ? this.name : `${this.parent.fullName} > ${this.name}`;
  }

  get signal() {
    return this.#controller.signal;
  }

  get mock() {
    if (this.#mock === undefined) {
      const { MockTracker } = require('internal/test_runner/mock');
      this.#mock = new MockTracker();
    }
    return this.#mock;
  }

  get durationMs() {
    return this.startTime === undefined ? 0 : Number((this.endTime ?? this.startTime) - this.startTime) / 1e6;
  }

  #setConcurrency(concurrency) {
    switch (typeof concurrency) {
      case 'number':
        validateUint32(concurrency, 'options.concurrency', true);
        this.concurrency = concurrency;
        break;
      case 'boolean':
        this.concurrency = concurrency ? this.parent === null ? this.harness.parallelism() : Infinity : 1;
        break;
      default:
        if (concurrency !== undefined && concurrency !== null) {
          throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], concurrency);
        }
    }
  }

  // A test is aborted by its own signal and, with its parent, by the parent's.
  #follow(signal) {
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    this.#outerSignal = signal ?? this.parent?.signal;
    if (this.#outerSignal === undefined) return;
    this.#onOuterAbort = () => this.#controller.abort(this.#outerSignal.reason);
    if (this.#outerSignal.aborted) this.#onOuterAbort();
    else this.#outerSignal.addEventListener('abort', this.#onOuterAbort);
  }

  // --test-name-pattern and --test-only.
  #filter() {
    if (this.type === 'test' && !this.harness.matches(this.name)) this.skip(kNoMatch);
    if (this.harness.isOnly) {
      if (!this.only && this.parent.runOnlySubtests) this.skip(kNotSet);
    } else if (this.only || this.parent.runOnlySubtests) {
      this.diagnostic(kNeedsFlag);
    }
  }

  setPlan(count) {
    if (this.#plan !== undefined) throw failure('cannot set plan more than once', kTestCodeFailure);
    validateUint32(count, 'count', false);
    this.#plan = count;
  }

  countAssertion() {
    this.#assertions++;
  }

  skip(message) {
    this.isSkipped = true;
    this.message = typeof message === 'string' ? message : this.message;
  }

  todo(message) {
    this.isTodo = true;
    this.message = typeof message === 'string' ? message : this.message;
  }

  diagnostic(message) {
    ArrayPrototypePush(this.diagnostics, message);
  }

  pass() {
    if (this.endTime !== undefined) return;
    this.endTime = this.harness.now();
    this.passed = true;
  }

  // The first reason counts.
  fail(error) {
    if (this.error !== null) return;
    this.endTime = this.harness.now();
    this.passed = false;
    this.error = error;
  }

  abort() {
    this.#controller.abort();
  }

  #cancel(error) {
    if (this.endTime !== undefined || this.error !== null) return;
    this.fail(error ?? failure('test did not finish before its parent and was cancelled', kCancelledByParent));
    this.startTime ??= this.endTime; // It may never have begun.
    this.cancelled = true;
    this.#controller.abort();
  }

  // One whose parent has ended belongs to the nearest that has not, and has failed before it began.
  createSubtest(Kind, name, options, fn, more) {
    let parent = this;
    while (parent.finished && parent.parent !== null) parent = parent.parent;
    const subtest = new Kind(parent, name, options, fn, more);
    ArrayPrototypePush(parent.subtests, subtest);
    if (parent !== this) {
      subtest.startTime = this.harness.now();
      subtest.fail(failure('test could not be started because its parent finished', kParentAlreadyFinished));
    }
    return subtest;
  }

  createHook(name, fn, options) {
    const { TestHook } = require('internal/test_runner/hook');
    const hook = new TestHook(this, name, fn, options);
    if (name === 'before' && this.startTime !== undefined) {
      // It is too late to wait for the start.
      PromisePrototypeThen(hook.run(this.hookContext()), () => {
        if (hook.error !== null) this.fail(hook.error);
      });
    }
    // Those of the test itself come before those of its parents, which stand here already.
    if (name === 'afterEach') ArrayPrototypeSplice(this.hooks.afterEach, this.hooks.ownAfterEach++, 0, hook);
    else ArrayPrototypePush(this.hooks[name], hook);
    return hook;
  }

  hookContext() {
    return new TestContext(this);
  }

  async runHooks(name, context) {
    const hooks = this.hooks[name];
    for (let i = 0; i < hooks.length; i++) {
      await hooks[i].run(context);
      if (hooks[i].error === null) continue;
      const { error } = hooks[i];
      const wrapped = failure(`failed running ${name} hook`, kHookFailure);
      wrapped.cause = isFailure(error) ? error.cause : error;
      throw wrapped;
    }
  }

  hasRoom() {
    return this.concurrency > this.activeSubtests;
  }

  // Runs it now, or when there is room for it; the promise is fulfilled at its end, however that is.
  start() {
    if (this.#isStarted) return undefined;
    this.#isStarted = true;
    this.reporter.enqueue(this.nesting, this.location, this.name);
    const { parent } = this;
    if (parent.hasRoom() && this.harness.isReady) {
      this.reporter.dequeue(this.nesting, this.location, this.name);
      return this.run();
    }
    const deferred = createDeferredPromise();
    parent.wait(this, deferred);
    return deferred.promise;
  }

  wait(subtest, deferred) {
    ArrayPrototypePush(this.#pending, { subtest, deferred });
  }

  // Lets those begin for which there is room.
  startPending() {
    while (this.#pending.length > 0 && this.hasRoom()) {
      const { subtest, deferred } = ArrayPrototypeShift(this.#pending);
      this.reporter.dequeue(subtest.nesting, subtest.location, subtest.name);
      PromisePrototypeThen(subtest.run(), deferred.resolve, deferred.reject);
    }
  }

  // Calls the function of the test, and waits for it as it wants: by its callback or by its promise.
  async #callFunction(context, stop) {
    const { fn } = this;
    if (fn.length !== 2) {
      const result = this.harness.runIn(this, fn, context, [context]);
      await SafePromiseRace([result, stop.promise]);
      return;
    }
    const { promise, resolve, reject } = createDeferredPromise();
    let calls = 0;
    const done = (error) => {
      if (++calls > 1) {
        const twice = failure('callback invoked multiple times', kMultipleCallbacks);
        // If the first call has had its effect already, this is an exception like any other.
        if (this.endTime !== undefined) throw twice;
        reject(twice);
        this.fail(twice);
        return;
      }
      if (error) reject(error);
      else resolve();
    };
    const result = this.harness.runIn(this, fn, context, [context, done]);
    if (isPromise(result)) {
      this.fail(failure('passed a callback but also returned a Promise', kCallbackAndPromise));
      await SafePromiseRace([result, stop.promise]);
    } else {
      await SafePromiseRace([promise, stop.promise]);
    }
  }

  // True if it was: then there is nothing left to do.
  abortIfAsked() {
    if (!this.signal.aborted) return false;
    const { reason } = this.signal;
    try {
      reason.failureType = kAborted;
    } catch {
      // It is frozen, or no object.
    }
    this.#cancel(reason);
    return true;
  }

  failWith(error) {
    if (!isFailure(error)) this.fail(failure(error, kTestCodeFailure));
    else if (error.failureType === kTestTimeoutFailure) this.#cancel(error);
    else this.fail(error);
  }

  checkPlan() {
    if (this.#plan === undefined || this.#plan === this.#assertions) return;
    throw failure(`plan expected ${this.#plan} assertions but received ${this.#assertions}`, kTestCodeFailure);
  }

  async run() {
    const { parent } = this;
    parent.activeSubtests++;
    this.startTime ??= this.harness.now();
    if (this.error !== null || this.abortIfAsked()) {
      this.postRun();
      return;
    }
    const context = new TestContext(this);
    const ends = [];
    if (!this.isSkipped) ArrayPrototypePush(ends, () => this.#runEnds(parent, 'afterEach', context));
    ArrayPrototypePush(ends, () => this.#runEnds(this, 'after', context));
    let stop;
    try {
      // Without hooks the function runs at once, as those who call t.test() and do not wait for it expect.
      if (parent.hooks.before.length > 0) await parent.runHooks('before', parent.hookContext());
      if (parent.hooks.beforeEach.length > 0 && !this.isSkipped) await parent.runHooks('beforeEach', context);
      stop = makeStop(this.timeout, this.signal);
      await this.#callFunction(context, stop);
      if (this.abortIfAsked()) {
        this.postRun();
        return;
      }
      this.checkPlan();
      // What comes from here on is the test's, too, but its time is over.
      while (ends.length > 0) {
        const running = ArrayPrototypeShift(ends)();
        if (running !== undefined) await running;
      }
      this.pass();
    } catch (error) {
      this.failWith(error);
      while (ends.length > 0) {
        try {
          await ArrayPrototypeShift(ends)();
        } catch {
          // The first reason is the one that is told.
        }
      }
    } finally {
      stop?.dispose();
    }
    this.postRun();
  }

  #runEnds(owner, name, context) {
    return owner.hooks[name].length > 0 ? owner.runHooks(name, context) : undefined;
  }

  // The end: of those below that have not ended, too.
  postRun(pendingError) {
    if (this.finished) return;
    this.startTime ??= this.harness.now();
    this.endTime ??= this.harness.now();
    let failed = 0;
    for (let i = 0; i < this.subtests.length; i++) {
      const subtest = this.subtests[i];
      if (!subtest.finished) {
        subtest.#cancel(pendingError);
        subtest.postRun(pendingError);
      }
      if (!subtest.passed && !subtest.isTodo) failed++;
    }
    if ((this.passed || this.parent === null) && failed > 0) {
      this.passed = false;
      this.error ??= failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, kSubtestsFailed);
    }
    this.finished = true;
    this.#outerSignal?.removeEventListener('abort', this.#onOuterAbort);
    this.#mock?.reset();
    if (this.parent === null) return;
    this.parent.activeSubtests--;
    this.countAndComplete();
    this.parent.#ready.set(this.testNumber, this);
    if (this.parent.mayReport()) this.parent.#reportReady();
    this.parent.startPending();
    if (this.parent.parent === null) this.harness.onTopLevelEnd?.();
  }

  countAndComplete() {
    this.harness.count(this);
    const details = this.details();
    details.passed = this.passed;
    this.reporter.complete(this.nesting, this.location, this.testNumber, this.name, details, this.#directive());
  }

  // Only the one that is to be reported next may say something, and what is below it.
  mayReport() {
    return this.parent === null || (this.parent.#waitingOn === this.testNumber && this.parent.mayReport());
  }

  // What has been kept back because others came first. For those whose subtests are elsewhere.
  flush() {}

  #reportReady() {
    for (;;) {
      const next = this.#ready.get(this.#waitingOn);
      if (next === undefined) {
        // It has not ended, but some of what is below it may have.
        const running = this.subtests[this.#waitingOn - 1];
        if (running === undefined) return;
        running.flush();
        running.#reportReady();
        return;
      }
      this.#ready.delete(this.#waitingOn);
      next.#reportReady();
      next.report();
      this.#waitingOn++;
    }
  }

  #directive() {
    if (this.isSkipped) return this.reporter.getSkip(this.message);
    if (this.isTodo) return this.reporter.getTodo(this.message);
    return undefined;
  }

  details() {
    const details = { __proto__: null, duration_ms: this.durationMs };
    if (this.type === 'suite') details.type = 'suite';
    if (!this.passed) details.error = this.error;
    return details;
  }

  #isAnnounced = false;

  announce() {
    if (this.#isAnnounced || this.parent === null) return;
    this.#isAnnounced = true;
    this.parent.announce();
    this.reporter.start(this.nesting, this.location, this.name);
  }

  report() {
    const { nesting, location, subtests, testNumber, name, reporter } = this;
    if (subtests.length > 0) reporter.plan(subtests[0].nesting, location, subtests.length);
    else this.announce();
    if (this.passed) reporter.ok(nesting, location, testNumber, name, this.details(), this.#directive());
    else reporter.fail(nesting, location, testNumber, name, this.details(), this.#directive());
    for (let i = 0; i < this.diagnostics.length; i++) reporter.diagnostic(nesting, location, this.diagnostics[i]);
  }
}

module.exports = { Test };
