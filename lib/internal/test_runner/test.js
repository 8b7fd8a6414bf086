'use strict';
// A test: its life from test() to its report. Suites and hooks are kinds of it (internal/test_runner/suite, hook).
//
// Tests run when their parent starts them, up to its concurrency at a time. They are reported in the order in which
// they were created: a test that ends early waits in its parent's #ready.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ArrayPrototypeSplice,
  ArrayPrototypeUnshift,
  FunctionPrototype,
  Number,
  PromisePrototypeThen,
  SafeMap,
  SafePromiseRace,
} = primordials;

const { AsyncResource } = require('async_hooks');
const { setMaxListeners } = require('events');
const { AbortController } = require('internal/abort_controller');
const { Publisher } = require('internal/test_runner/channel');
const { TestContext } = require('internal/test_runner/context');
const {
  failure,
  isFailure,
  kAborted,
  kCancelledByParent,
  kExpectedFailure,
  kHookFailure,
  kParentAlreadyFinished,
  kSubtestsFailed,
  kTestCodeFailure,
  kTestTimeoutFailure,
} = require('internal/test_runner/failure');
const { callFunction, readConcurrency } = require('internal/test_runner/call');
const { checkExpectation, readExpectation } = require('internal/test_runner/expect_failure');
const { isFiltered, prepareFilters, tagsOf } = require('internal/test_runner/filters');
const { TestPlan } = require('internal/test_runner/plan');
const { makeDraw } = require('internal/test_runner/random');
const { detailsOf, directiveOf } = require('internal/test_runner/result');
const { makeStop } = require('internal/test_runner/utils');
const { AbortError } = require('internal/errors');
const { queueMicrotask } = require('internal/process/task_queues');
const { createDeferredPromise } = require('internal/util');
const { validateAbortSignal, validateNumber, validateString } = require('internal/validators');

const kLongestTimeout = 2 ** 31 - 1;

const noop = FunctionPrototype;

class Test extends AsyncResource {
  #controller = new AbortController();
  #outerSignal;
  #onOuterAbort;
  #ready = new SafeMap();
  #waitingOn = 1;
  #pending = [];
  #draw;
  #lastOrder = 0;
  #mock;
  #isStarted = false;
  #context;
  // Subtests that were started and have not ended; resolved when there are none left.
  #unfinished = 0;
  #allEnded;
  // Number of reported subtests: those that were not filtered out.
  #reported = 0;
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
  isFiltered = false;
  isRefusedByName = false;
  isRefusedByTag = false;
  hasOnlyTests = false;
  testNumber = 0;
  plan = undefined;

  constructor(parent, name, options, fn, { location, harness, type = 'test' }) {
    super('Test', { __proto__: null, requireManualDestroy: false });
    const { concurrency, expectFailure, only, plan, skip, timeout, todo } = options;
    this.parent = parent;
    this.type = type;
    this.harness = harness ?? parent.harness;
    this.location = location;
    this.reporter = this.harness.reporter;
    this.name = typeof name === 'string' && name !== '' ? name : fn?.name || '<anonymous>';
    this.only = only;
    this.tags = tagsOf(parent, options.tags);
    this.runOnlySubtests = false;
    this.fn = typeof fn === 'function' ? fn : noop;
    if (parent === null) {
      this.nesting = 0;
      this.testId = 0;
      this.order = 0;
      this.entryFile = this.harness.entryFile;
      this.timeout = Infinity;
      this.concurrency = 1;
      this.only = this.runOnlySubtests = this.harness.isOnly;
    } else {
      this.nesting = parent.parent === null ? parent.nesting : parent.nesting + 1;
      this.testId = this.harness.nextTestId++;
      // In random order it is known when the test begins.
      this.order = parent.#draw === undefined ? parent.subtests.length + 1 : 0;
      this.entryFile = parent.entryFile;
      this.timeout = parent.timeout;
      this.concurrency = parent.concurrency;
      prepareFilters(this);
      if (this.harness.filtersByOnly && only === false) this.fn = noop;
    }
    if (this.harness.randomSeed !== undefined) this.#draw = makeDraw(this.harness.randomSeed);
    setMaxListeners(0, this.signal);
    this.concurrency = readConcurrency(this, concurrency);
    if (timeout !== undefined && timeout !== null && timeout !== Infinity) {
      validateNumber(timeout, 'options.timeout', 0, kLongestTimeout);
      this.timeout = timeout;
    } else if (timeout !== Infinity && this.harness.timeout !== Infinity) {
      this.timeout = this.harness.timeout;
    }
    this.#follow(options.signal);
    this.expectedAssertions = plan;
    this.expectation = readExpectation(expectFailure) ?? parent?.expectation;
    this.isSkipped = skip !== undefined && skip !== false;
    this.isTodo = (todo !== undefined && todo !== false) || parent?.isTodo === true;
    this.message = typeof skip === 'string' ? skip : typeof todo === 'string' ? todo : undefined;
    if (skip) this.fn = noop;
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

  #follow(signal) {
    if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
    this.#outerSignal = signal;
    if (signal === undefined) return;
    this.#onOuterAbort = () => this.#cancelByAbort();
    signal.addEventListener('abort', this.#onOuterAbort);
  }

  setPlan(count, options) {
    if (this.plan !== undefined) throw failure('cannot set plan more than once', kTestCodeFailure);
    this.plan = new TestPlan(count, options);
  }

  skip(message) {
    this.isSkipped = true;
    this.message = message;
  }

  todo(message) {
    this.isTodo = true;
    this.message = message;
  }

  diagnostic(message) {
    ArrayPrototypePush(this.diagnostics, message);
  }

  log(message, data) {
    validateString(message, 'message');
    this.reporter.log(this, message, data);
  }

  pass() {
    if (this.error !== null) return;
    this.passed = this.expectation === undefined || this.isSkipped;
    if (!this.passed) this.error = failure('test was expected to fail but passed', kExpectedFailure);
  }

  // The first reason counts.
  fail(error) {
    if (this.error !== null) return;
    const mismatch = this.expectation === undefined ? undefined : checkExpectation(this.expectation, error);
    this.passed = this.expectation !== undefined && mismatch === undefined;
    this.error = mismatch ?? error;
  }

  abort() {
    this.#controller.abort();
  }

  #cancel(error) {
    if (this.endTime !== undefined || this.error !== null) return;
    this.fail(error ?? failure('test did not finish before its parent and was cancelled', kCancelledByParent));
    this.cancelled = true;
    this.#controller.abort();
  }

  #cancelByAbort() {
    const error = this.#outerSignal?.reason || new AbortError('The test was aborted');
    try {
      error.failureType = kAborted;
    } catch {
      // The error is frozen, or is not an object.
    }
    this.#cancel(error);
  }

  // A test whose parent has ended is added to the root, and fails at once.
  createSubtest(Kind, name, options, fn, more) {
    const isLate = this.parent !== null && (this.finished || this.isBuilt);
    const parent = isLate ? this.harness.root : this;
    const subtest = new Kind(parent, name, options, fn, more);
    if (isLate) {
      subtest.fail(failure('test could not be started because its parent finished', kParentAlreadyFinished));
    }
    ArrayPrototypePush(parent.subtests, subtest);
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
    // The test's own hooks come before those of its parents, which are in the list already.
    if (name === 'afterEach') ArrayPrototypeSplice(this.hooks.afterEach, this.hooks.ownAfterEach++, 0, hook);
    else ArrayPrototypePush(this.hooks[name], hook);
    return hook;
  }

  context() {
    this.#context ??= new TestContext(this);
    return this.#context;
  }

  hookContext() {
    return this.context();
  }

  // Hooks of the parents also run for subtests.
  inheritHooks() {
    const { afterEach, beforeEach } = this.parent.hooks;
    for (let i = beforeEach.length - 1; i >= 0; i--) ArrayPrototypeUnshift(this.hooks.beforeEach, beforeEach[i]);
    for (let i = 0; i < afterEach.length; i++) ArrayPrototypePush(this.hooks.afterEach, afterEach[i]);
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

  // Runs the test now, or when the concurrency allows it. The promise is fulfilled when it ends, also after a failure.
  start() {
    if (this.#isStarted) return undefined;
    this.#isStarted = true;
    const { parent } = this;
    if (parent.#unfinished++ === 0) parent.#allEnded = createDeferredPromise();
    this.isFiltered = isFiltered(this);
    if (!this.isFiltered) {
      this.testNumber = ++parent.#reported;
      this.reporter.enqueue(this, this.type === 'file' ? 'test' : this.type);
    }
    if (parent.#draw === undefined && parent.hasRoom() && this.harness.isReady) return this.#dequeue();
    const deferred = createDeferredPromise();
    ArrayPrototypePush(parent.#pending, { subtest: this, deferred });
    // In random order, all tests that are created synchronously take part in the first draw.
    if (parent.#draw !== undefined && this.harness.isReady) queueMicrotask(() => parent.startPending());
    return deferred.promise;
  }

  #dequeue() {
    this.#setOrder();
    if (this.isFiltered) return this.leaveOut();
    this.reporter.dequeue(this, this.type === 'file' ? 'test' : this.type);
    return this.run();
  }

  // In random order: it is reported after those that have begun before.
  #setOrder() {
    const { parent } = this;
    if (parent.#draw === undefined || this.order !== 0) return;
    this.order = ++parent.#lastOrder;
  }

  // Ends a test that does not run: nothing is reported.
  async leaveOut() {
    this.passed = true;
    this.subtests = [];
    queueMicrotask(() => this.postRun());
  }

  // Starts waiting subtests while the concurrency allows it.
  startPending() {
    while (this.#pending.length > 0 && this.hasRoom()) {
      const index = this.#draw === undefined || this.#pending.length < 2 ? 0 : this.#draw(this.#pending.length);
      const { subtest, deferred } = ArrayPrototypeSplice(this.#pending, index, 1)[0];
      PromisePrototypeThen(subtest.#dequeue(), deferred.resolve, deferred.reject);
    }
  }

  // undefined, or a promise for the end of all subtests that were started.
  subtestsEnded() {
    return this.#unfinished === 0 ? undefined : this.#allEnded.promise;
  }

  // True if it was: then there is nothing left to do.
  abortIfRequested() {
    if (!this.signal.aborted && !this.#outerSignal?.aborted) return false;
    this.#cancelByAbort();
    return true;
  }

  failWith(error) {
    if (!isFailure(error)) this.fail(failure(error, kTestCodeFailure));
    else if (error.failureType === kTestTimeoutFailure) this.#cancel(error);
    else this.fail(error);
  }

  async run() {
    const { parent } = this;
    parent.activeSubtests++;
    this.inheritHooks();
    this.startTime ??= this.harness.now();
    if (this.abortIfRequested()) {
      this.postRun();
      return;
    }
    const context = this.context();
    const publisher = new Publisher(this);
    if (this.plan === undefined && this.expectedAssertions) this.setPlan(this.expectedAssertions);
    const ends = [];
    if (!this.isSkipped) ArrayPrototypePush(ends, () => this.#runEnds(parent, 'afterEach', context));
    ArrayPrototypePush(ends, () => this.#runEnds(this, 'after', context));
    let stop;
    try {
      // Without hooks the function runs synchronously, as programs expect that call t.test() without awaiting it.
      if (parent.hooks.before.length > 0) await parent.runHooks('before', parent.hookContext());
      if (parent.hooks.beforeEach.length > 0 && !this.isSkipped) await parent.runHooks('beforeEach', context);
      stop = makeStop(this.timeout, this.signal);
      await callFunction(this, context, stop, publisher);
      this.abortIfRequested();
      const subtests = this.subtestsEnded();
      if (subtests !== undefined) await SafePromiseRace([subtests, stop.promise]);
      const kept = this.plan?.check();
      if (kept !== undefined) await SafePromiseRace([kept, stop.promise]);
      this.pass();
      // The hooks after the test can still fail it, but its timeout no longer applies.
      while (ends.length > 0) await ArrayPrototypeShift(ends)();
    } catch (error) {
      publisher.error(error);
      this.failWith(error);
      while (ends.length > 0) {
        try {
          await ArrayPrototypeShift(ends)();
        } catch {
          // Only the first error is reported.
        }
      }
    } finally {
      stop?.dispose();
      this.plan?.dispose();
      this.abort();
      publisher.end();
    }
    this.postRun();
  }

  #runEnds(owner, name, context) {
    return owner.hooks[name].length > 0 ? owner.runHooks(name, context) : undefined;
  }

  // Ends the test and its subtests that have not ended.
  postRun(pendingError) {
    if (this.finished) return;
    this.endTime ??= this.harness.now();
    this.startTime ??= this.endTime;
    this.#pending = [];
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
      this.fail(failure(`${failed} subtest${failed > 1 ? 's' : ''} failed`, kSubtestsFailed));
    }
    this.finished = true;
    this.#outerSignal?.removeEventListener('abort', this.#onOuterAbort);
    this.#mock?.reset();
    const { parent } = this;
    if (parent === null) return;
    this.#setOrder();
    if (!this.isFiltered) {
      this.testNumber ||= ++parent.#reported;
      this.complete();
      if (parent.activeSubtests > 0) parent.activeSubtests--;
    }
    if (this.#isStarted && --parent.#unfinished === 0) parent.#allEnded.resolve();
    parent.#ready.set(this.order, this);
    if (parent.mayReport()) parent.#reportReady();
    parent.startPending();
    if (parent.parent === null) this.harness.onTopLevelEnd?.();
  }

  complete() {
    const details = detailsOf(this);
    details.passed = this.passed;
    this.reporter.complete(this, details, directiveOf(this));
  }

  // True if this test and all of its ancestors are next in the order of reports.
  mayReport() {
    return this.parent === null || (this.parent.#waitingOn === this.order && this.parent.mayReport());
  }

  // Reports events that were held back for tests before this one. Overridden by tests whose subtests run in another
  // process.
  flush() {}

  #reportReady() {
    for (;;) {
      const next = this.#ready.get(this.#waitingOn);
      if (next === undefined) {
        // The test has not ended, but some of its subtests may have.
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

  #isAnnounced = false;

  announce() {
    if (this.#isAnnounced || this.parent === null) return;
    this.#isAnnounced = true;
    this.parent.announce();
    this.reporter.start(this);
  }

  report() {
    if (this.isFiltered) return;
    const { reporter } = this;
    this.harness.count(this);
    if (this.#reported > 0) reporter.plan(this.subtests[0].nesting, this.location, this.#reported);
    else this.announce();
    if (this.passed) reporter.ok(this, detailsOf(this), directiveOf(this));
    else reporter.fail(this, detailsOf(this), directiveOf(this));
    for (let i = 0; i < this.diagnostics.length; i++) {
      reporter.diagnostic(this.nesting, this.location, this.diagnostics[i]);
    }
  }
}

module.exports = { Test };
