'use strict';
// What tests have in common: the root above all of them, counters, options, and the process around them.

const {
  ArrayPrototypeEvery,
  ArrayPrototypeForEach,
  ArrayPrototypeSome,
  MathMax,
  PromisePrototypeThen,
  PromiseResolve,
  ReflectApply,
  RegExpPrototypeExec,
} = primordials;

const { AsyncLocalStorage } = require('async_hooks');
const { failure, kCancelledByParent, kUncaughtException, kUnhandledRejection } = require('internal/test_runner/failure');
const { callerLocation } = require('internal/test_runner/location');
const { TestsStream } = require('internal/test_runner/stream');
const { Test } = require('internal/test_runner/test');
const { readArguments } = require('internal/test_runner/utils');
const { Suite } = require('internal/test_runner/suite');

const { relative } = require('path');
const { setImmediate } = require('timers');
const hrtime = process.hrtime.bigint;

let current; // Which test the running code belongs to.
let globalHarness;

function currentTest() {
  current ??= new AsyncLocalStorage();
  return current.getStore();
}

class Harness {
  reporter = new TestsStream();
  isReady = false;
  isOfFiles = false;
  isOnly = false;
  patterns = undefined;
  counters = { __proto__: null, tests: 0, suites: 0, passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0, topLevel: 0 };
  root;
  hookError = undefined; // Of an after() that belongs to no test.
  onTopLevelEnd = undefined;

  constructor({ isOnly = false, patterns = undefined }, rootOptions = {}) {
    this.isOnly = isOnly;
    this.patterns = patterns;
    current ??= new AsyncLocalStorage();
    this.root = new Test(null, '<root>', rootOptions, undefined, { harness: this });
    this.root.startTime = this.now();
  }

  now() {
    return hrtime();
  }

  parallelism() {
    return MathMax(require('os').availableParallelism() - 1, 1);
  }

  matches(name) {
    return this.patterns === undefined ||
      ArrayPrototypeSome(this.patterns, (pattern) => RegExpPrototypeExec(pattern, name) !== null);
  }

  // Runs a function of a test, so that all it causes is known to be that test's.
  runIn(test, fn, thisArg, args) {
    return test.runInAsyncScope(() => current.run(test, () => ReflectApply(fn, thisArg, args)));
  }

  begin() {
    this.isReady = true;
    this.root.startPending();
  }

  count({ cancelled, isSkipped, isTodo, passed, type }) {
    const { counters } = this;
    if (type === 'file') return;
    if (type === 'suite') {
      counters.suites++;
      return;
    }
    counters.tests++;
    if (isSkipped) counters.skipped++;
    else if (isTodo) counters.todo++;
    else if (cancelled) counters.cancelled++;
    else if (passed) counters.passed++;
    else counters.failed++;
  }

  // The end of all: the plan, what the root has to say, and the figures.
  finish(pendingError) {
    const { counters, reporter, root } = this;
    if (root.finished) return;
    root.postRun(pendingError);
    // The file itself has failed, after all of its tests.
    if (this.hookError !== undefined) {
      const { hooks: { after } } = root;
      reporter.fail(0, after[0].location, root.subtests.length + 1, after[0].location?.file ?? '<root>',
                    { __proto__: null, duration_ms: root.durationMs, error: this.hookError });
    }
    // Files are replaced by the tests in them.
    reporter.plan(0, undefined, this.isOfFiles ? counters.topLevel : root.subtests.length);
    ArrayPrototypeForEach(root.diagnostics, (message) => reporter.diagnostic(0, undefined, message));
    const lines = [
      `tests ${counters.tests}`, `suites ${counters.suites}`, `pass ${counters.passed}`, `fail ${counters.failed}`,
      `cancelled ${counters.cancelled}`, `skipped ${counters.skipped}`, `todo ${counters.todo}`,
      `duration_ms ${root.durationMs}`,
    ];
    ArrayPrototypeForEach(lines, (line) => reporter.diagnostic(0, undefined, line));
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

// An error that nobody caught fails the test that caused it, if that is still running.
function makeErrorHandler(harness, event, kind) {
  return (error) => {
    const test = currentTest();
    const text = describeError(error);
    if (test === undefined || test.parent === null) {
      process.exitCode = 1;
      harness.root.diagnostic(
        'Error: A resource generated asynchronous activity after the test ended. This activity created the error ' +
        `"${text}" which triggered an ${event} event, caught by the test runner.`);
      return;
    }
    if (test.finished) {
      process.exitCode = 1;
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

// The tests of this process: made with the first of them.
function getHarness() {
  if (globalHarness !== undefined) return globalHarness;
  const { readOptions, setUpReporters } = require('internal/test_runner/options');
  const options = readOptions();
  const harness = globalHarness = new Harness(options);
  const onException = makeErrorHandler(harness, 'uncaughtException', kUncaughtException);
  const onRejection = makeErrorHandler(harness, 'unhandledRejection', kUnhandledRejection);
  const pendingError = () =>
    failure('Promise resolution is still pending but the event loop has already resolved', kCancelledByParent);

  const finish = () => {
    harness.finish(pendingError());
    process.removeListener('uncaughtException', onException);
    process.removeListener('unhandledRejection', onRejection);
  };
  // after() at the top is for when all tests have ended, whatever the program still does.
  let after;
  const runAfter = () => {
    after ??= PromisePrototypeThen(harness.root.runHooks('after', harness.root.hookContext()), undefined, (error) => {
      harness.hookError = error;
    });
    return after;
  };
  let isEnding = false;
  const end = () => {
    if (isEnding) return;
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
  harness.reporter.on('test:fail', (data) => {
    if (data.todo === undefined || data.todo === false) process.exitCode = 1;
  });
  const ready = setUpReporters(harness.reporter, options);
  if (ready === undefined) queueMicrotask(() => harness.begin());
  else PromisePrototypeThen(ready, () => harness.begin());
  return harness;
}

// Where a test belongs: below the one whose code is running, or to the root.
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
    // What belongs to a suite runs when the suite does.
    if (parent instanceof Suite) return PromiseResolve();
    return subtest.start();
  }

  function test(name, options, fn) {
    return create(name, options, fn);
  }
  ArrayPrototypeForEach(['skip', 'todo', 'only'], (keyword) => {
    test[keyword] = (name, options, fn) => create(name, options, fn, { __proto__: null, [keyword]: true });
  });
  return test;
}

function makeHookFunction(name) {
  return (fn, options) => {
    currentParent().createHook(name, fn, options).location = callerLocation();
  };
}

module.exports = {
  Harness,
  getHarness,
  makeHookFunction,
  testFunction: makeTestFunction(Test),
  suiteFunction: makeTestFunction(Suite),
};
