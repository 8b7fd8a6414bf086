'use strict';
// The harness of a test run: the root test, counters, options, and handling of process events.

const {
  ArrayPrototypeEvery,
  ArrayPrototypeForEach,
  ArrayPrototypePop,
  ArrayPrototypePush,
  MathMax,
  NumberPrototypeToFixed,
  ObjectAssign,
  PromisePrototypeThen,
  PromiseResolve,
  PromiseWithResolvers,
  ReflectApply,
  SafePromiseAll,
} = primordials;

const { AsyncLocalStorage } = require('async_hooks');
const {
  failure,
  kCancelledByParent,
  kUncaughtException,
  kUnhandledRejection,
} = require('internal/test_runner/failure');
const { callerLocation } = require('internal/test_runner/location');
const { TestsStream } = require('internal/test_runner/stream');
const { Test } = require('internal/test_runner/test');
const { readArguments } = require('internal/test_runner/utils');
const { Suite } = require('internal/test_runner/suite');

const { relative } = require('path');
const { setImmediate, setTimeout } = require('timers');
const { timeUntilNext } = require('internal/timers');
const hrtime = process.hrtime.bigint;

const kNoTest = { __proto__: null, testId: undefined };

let current; // The test that the running code belongs to.
let globalHarness;
// Harnesses whose runs have not ended. A test may call run() with isolation: 'none'; that run ends first.
const unfinished = [];

function currentTest() {
  current ??= new AsyncLocalStorage();
  return current.getStore();
}

class Harness {
  reporter = new TestsStream();
  isReady = false;
  isOnly = false;
  filtersByOnly = false;
  patterns = undefined;
  skipPatterns = undefined;
  tagFilters = undefined;
  timeout = Infinity;
  updatesSnapshots = false;
  randomSeed = undefined;
  coverage = undefined; // TestCoverage
  snapshotFiles = undefined;
  entryFile = undefined;
  nextTestId = 1;
  success = true;
  counters = { __proto__: null, tests: 0, failed: 0, passed: 0, cancelled: 0, skipped: 0, todo: 0, topLevel: 0,
    suites: 0 };

  root;
  teardown = undefined; // Of --test-global-setup.
  isBroken = false; // The setup failed: errors end the process.
  hookError = undefined; // Error of an after() outside of all tests.
  onTopLevelEnd = undefined;
  // Suites whose functions run before the first test does.
  #builds = [];
  #preparing = undefined;

  // `settings` come from readOptions(). The first test starts once the promise `bootstrapped` is fulfilled.
  constructor(settings, rootOptions = {}, bootstrapped = undefined) {
    ObjectAssign(this, settings);
    this.bootstrapped = bootstrapped;
    current ??= new AsyncLocalStorage();
    const location = this.entryFile === undefined ?
      undefined : { __proto__: null, line: 1, column: 1, file: this.entryFile };
    this.root = new Test(null, '<root>', rootOptions, undefined, { harness: this, location });
    this.root.startTime = this.now();
  }

  now() {
    return hrtime();
  }

  parallelism() {
    return MathMax(require('os').availableParallelism() - 1, 1);
  }

  // Runs a function of a test. Errors of everything that it starts are attributed to the test.
  runIn(test, fn, thisArg, args) {
    return test.runInAsyncScope(() => current.run(test, () => ReflectApply(fn, thisArg, args)));
  }

  // Tests at the top wait for the reporters, and for the functions of the suites that stand beside them.
  async start(subtest) {
    if (!this.isReady) {
      if (this.bootstrapped !== undefined) await this.bootstrapped;
      if (subtest.built !== undefined) ArrayPrototypePush(this.#builds, subtest.built);
      this.#preparing ??= this.#prepare();
      await this.#preparing;
    }
    await subtest.start();
  }

  async #prepare() {
    await undefined;
    await SafePromiseAll(this.#builds);
    this.isReady = true;
  }

  count({ cancelled, isSkipped, isTodo, nesting, passed, type }) {
    const { counters } = this;
    if (nesting === 0) counters.topLevel++;
    if (type === 'suite') {
      counters.suites++;
      if (!passed && !isTodo) this.success = false;
      return;
    }
    counters.tests++;
    if (isSkipped) counters.skipped++;
    else if (isTodo) counters.todo++;
    else if (cancelled) counters.cancelled++;
    else if (passed) counters.passed++;
    else counters.failed++;
    if (!isSkipped && !isTodo && (cancelled || !passed)) this.success = false;
  }

  // --test-global-setup
  async setUpGlobally(path, cwd) {
    try {
      this.teardown = await require('internal/test_runner/global_setup').setUp(path, cwd);
    } catch (error) {
      this.isBroken = true;
      throw error;
    }
  }

  // Called before the first test. A failure is reported, and the tests run without it.
  startCoverage(options) {
    if (options === undefined) return;
    try {
      const { TestCoverage } = require('internal/test_runner/coverage');
      this.coverage = new TestCoverage(options);
    } catch (error) {
      this.#warn('Code coverage could not be enabled', error);
    }
  }

  #warn(what, error) {
    this.root.diagnostic(`Warning: ${what}. ${error}`);
    this.success = false;
    process.exitCode = 1;
  }

  #takeCoverage() {
    const { coverage } = this;
    if (coverage === undefined) return undefined;
    this.coverage = undefined;
    let summary;
    try {
      summary = coverage.summary();
    } catch (error) {
      this.#warn('Could not report code coverage', error);
    }
    try {
      coverage.end();
    } catch (error) {
      this.#warn('Could not clean up code coverage', error);
    }
    return summary;
  }

  #reportCoverage(summary) {
    const { reporter, root: { location } } = this;
    const { thresholds, totals } = summary;
    const check = (name, actual, threshold) => {
      if (actual >= threshold) return;
      this.success = false;
      process.exitCode = 1;
      const text = NumberPrototypeToFixed(actual, 2);
      reporter.diagnostic(
        0, location, `Error: ${text}% ${name} coverage does not meet threshold of ${threshold}%.`, 'error');
    };
    check('line', totals.coveredLinePercent, thresholds.line);
    check('branch', totals.coveredBranchPercent, thresholds.branch);
    check('function', totals.coveredFunctionPercent, thresholds.function);
    reporter.coverage(0, location, summary);
  }

  // Ends the run: reports the plan, the diagnostics of the root, and the totals.
  finish(pendingError) {
    const { counters, reporter, root } = this;
    if (root.finished) return;
    root.postRun(pendingError);
    // The file itself has failed, after all of its tests.
    if (this.hookError !== undefined) {
      const { location } = root.hooks.after[0];
      reporter.fail({
        __proto__: null, name: location?.file ?? '<root>', nesting: 0, testNumber: root.subtests.length + 1,
        parent: kNoTest, tags: root.tags, location,
      }, { __proto__: null, duration_ms: root.durationMs, error: this.hookError });
    }
    const { location } = root;
    reporter.plan(0, location, counters.topLevel);
    const coverage = this.#takeCoverage();
    this.snapshotFiles?.forEach((file) => file.write());
    ArrayPrototypeForEach(root.diagnostics, (message) => reporter.diagnostic(0, location, message));
    const lines = [
      `tests ${counters.tests}`, `suites ${counters.suites}`, `pass ${counters.passed}`, `fail ${counters.failed}`,
      `cancelled ${counters.cancelled}`, `skipped ${counters.skipped}`, `todo ${counters.todo}`,
      `duration_ms ${root.durationMs}`,
    ];
    ArrayPrototypeForEach(lines, (line) => reporter.diagnostic(0, location, line));
    if (coverage !== undefined) this.#reportCoverage(coverage);
    reporter.summary(location?.file, this.success, counters, root.durationMs);
    reporter.end();
  }
}

function describeError(error) {
  try {
    return `${error}`;
  } catch {
    return 'something that cannot be printed';
  }
}

// An uncaught error fails the test that caused it, if that is still running.
function makeErrorHandler(harness, event, kind) {
  return (error) => {
    if (harness.isBroken) throw error;
    const test = currentTest();
    const text = describeError(error);
    if (test === undefined || test.parent === null) {
      process.exitCode = 1;
      harness.success = false;
      harness.root.diagnostic(
        'Error: A resource generated asynchronous activity after the test ended. This activity created the error ' +
        `"${text}" which triggered an ${event} event, caught by the test runner.`);
      return;
    }
    if (test.finished) {
      process.exitCode = 1;
      harness.success = false;
      const { file, line, column } = test.location ?? {};
      const place = file === undefined ? '' : ` at ${relative(process.cwd(), file)}:${line}:${column}`;
      harness.root.diagnostic(
        `Error: Test "${test.name}"${place} generated asynchronous activity after the test ended. This activity created ` +
        `the error "${text}" and would have caused the test to fail, but instead triggered an ${event} event.`);
      return;
    }
    test.fail(failure(error, kind));
    test.abort();
  };
}

// Makes the harness of the tests in this process. Their run ends when nothing else is left to do.
function installHarness(options, rootOptions, bootstrapped) {
  const outer = globalHarness;
  const harness = globalHarness = new Harness(options, rootOptions, bootstrapped);
  ArrayPrototypePush(unfinished, harness);
  const onException = makeErrorHandler(harness, 'uncaughtException', kUncaughtException);
  const onRejection = makeErrorHandler(harness, 'unhandledRejection', kUnhandledRejection);
  const pendingError = () =>
    failure('Promise resolution is still pending but the event loop has already resolved', kCancelledByParent);

  const finish = () => {
    harness.finish(pendingError());
    process.removeListener('uncaughtException', onException);
    process.removeListener('unhandledRejection', onRejection);
    process.removeListener('beforeExit', end);
    ArrayPrototypePop(unfinished);
    if (outer !== undefined) {
      globalHarness = outer;
      setImmediate(() => {}); // Another 'beforeExit' is to come.
    }
    return harness.teardown?.();
  };
  // A top-level after() runs when all tests have ended, even if the program goes on.
  let after;
  const runAfter = () => {
    after ??= PromisePrototypeThen(harness.root.runHooks('after', harness.root.hookContext()), undefined, (error) => {
      harness.hookError = error;
    });
    return after;
  };
  let isEnding = false;
  const end = () => {
    if (isEnding || unfinished[unfinished.length - 1] !== harness) return;
    // A timer that does not keep the process alive may still end a test: its time limit is one.
    const wait = harness.root.subtestsEnded() === undefined || options.forceExit ? undefined : timeUntilNext();
    if (wait !== undefined) {
      setTimeout(() => {}, wait);
      return;
    }
    isEnding = true;
    PromisePrototypeThen(runAfter(), finish);
  };
  harness.onTopLevelEnd = () => {
    if (!ArrayPrototypeEvery(harness.root.subtests, (test) => test.finished)) return;
    if (harness.root.hooks.after.length > 0) runAfter();
    if (!options.forceExit) return;
    harness.reporter.once('end', () => setImmediate(() => process.exit()));
    end();
  };
  process.on('uncaughtException', onException);
  process.on('unhandledRejection', onRejection);
  process.on('beforeExit', end);
  harness.startCoverage(options.coverage);
  return harness;
}

// The tests of this process: made with the first of them.
function getHarness() {
  if (globalHarness !== undefined) return globalHarness;
  const { readOptions, setUpReporters } = require('internal/test_runner/options');
  const options = readOptions();
  const { promise: bootstrapped, resolve: bootstrap } = PromiseWithResolvers();
  const harness = installHarness({ ...options, entryFile: process.argv[1] }, {}, bootstrapped);
  harness.reporter.on('test:summary', (data) => {
    if (!data.success) process.exitCode = 1;
  });
  const reporters = setUpReporters(harness.reporter, options);
  bootstrap(options.globalSetupPath === undefined ?
    reporters : SafePromiseAll([reporters, harness.setUpGlobally(options.globalSetupPath, process.cwd())]));
  return harness;
}

// The parent of a new test: the test whose code is running, or the root.
function currentParent() {
  return currentTest() ?? getHarness().root;
}

function makeTestFunction(Kind) {
  function create(name, options, fn, overrides) {
    const given = readArguments(name, options, fn);
    const parent = currentParent();
    const subtest = parent.createSubtest(
      Kind, given.name, overrides === undefined ? given.options : { __proto__: null, ...given.options, ...overrides },
      given.fn, { location: callerLocation() });
    // Tests of a suite run when the suite runs.
    if (parent instanceof Suite) return PromiseResolve();
    return subtest.harness.start(subtest);
  }

  function test(name, options, fn) {
    return create(name, options, fn);
  }
  ArrayPrototypeForEach(['expectFailure', 'skip', 'todo', 'only'], (keyword) => {
    test[keyword] = (name, options, fn) => create(name, options, fn, { __proto__: null, [keyword]: true });
  });
  return test;
}

// The context of the test or suite whose code is running.
function getTestContext() {
  const test = currentTest();
  return test === undefined || test.parent === null ? undefined : test.context();
}

function makeHookFunction(name) {
  return (fn, options) => {
    currentParent().createHook(name, fn, options).location = callerLocation();
  };
}

module.exports = {
  Harness,
  getHarness,
  getTestContext,
  installHarness,
  makeHookFunction,
  testFunction: makeTestFunction(Test),
  suiteFunction: makeTestFunction(Suite),
};
