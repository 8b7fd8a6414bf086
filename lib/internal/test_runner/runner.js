'use strict';
// run(): each file of tests in a process of its own, and one stream of what happens in all of them.

const {
  ArrayIsArray,
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  PromisePrototypeThen,
  RegExpPrototypeExec,
  SafePromiseAll,
} = primordials;

const { spawn } = require('child_process');
const { once } = require('events');
const { kEndsWithParent } = require('internal/child_process/process_handle');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { Parser } = require('internal/test_runner/child_protocol');
const { failure, kSubtestsFailed, kTestCodeFailure } = require('internal/test_runner/failure');
const { findTestFiles } = require('internal/test_runner/files');
const { Harness } = require('internal/test_runner/harness');
const { Test } = require('internal/test_runner/test');
const { clearTimeout, setTimeout } = require('timers');
const { resolve } = require('path');
const { isRegExp } = require('internal/util/types');
const {
  validateAbortSignal,
  validateArray,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
} = require('internal/validators');

// What a child says of itself at its end, and we say for all of them.
const kFigures = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/;
// Options for the process that runs the files, not for the files.
const kOurOptions = ['--test', '--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-timeout',
                     '--test-shard', '--test-force-exit'];
const kTakeValues = ['--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-timeout',
                     '--test-shard'];

// How long a process that was asked to end (SIGTERM) may take before it is killed.
const kGraceMs = 1000;

function ownName(arg) {
  const at = arg.indexOf('=');
  return at < 0 ? arg : arg.slice(0, at);
}

// The options of this process that its children get as well.
function inheritedOptions(execArgv) {
  const result = [];
  for (let i = 0; i < execArgv.length; i++) {
    const name = ownName(execArgv[i]);
    if (!kOurOptions.includes(name)) ArrayPrototypePush(result, execArgv[i]);
    else if (name === execArgv[i] && kTakeValues.includes(name)) i++;
  }
  return result;
}

// A file: a test whose subtests are in another process. Those are reported in its place, unless it has none.
class FileTest extends Test {
  #waiting = [];
  #children = 0;

  constructor(parent, name, options, fn, more) {
    super(parent, name, options, fn, { ...more, type: 'file' });
  }

  get isReplaced() {
    return this.#children > 0 && (this.error === null || this.error.failureType === kSubtestsFailed);
  }

  // Of its own tests some have been told of, or will be.
  get hasTests() {
    return this.#children > 0 || this.#waiting.some(({ type }) => type === 'test:pass' || type === 'test:fail');
  }

  flushIfFirst() {
    if (this.mayReport()) this.flush();
  }

  // Files run side by side, and are reported one after the other.
  add(event) {
    if (this.mayReport()) this.#emit(event);
    else ArrayPrototypePush(this.#waiting, event);
  }

  flush() {
    const events = this.#waiting;
    this.#waiting = [];
    for (let i = 0; i < events.length; i++) this.#emit(events[i]);
  }

  #emit({ type, data }) {
    const isOwn = data.nesting === 0 && data.file === undefined;
    if (type === 'test:plan' && isOwn) return;
    if (type === 'test:diagnostic' && isOwn && RegExpPrototypeExec(kFigures, data.message) !== null) return;
    const { counters } = this.harness;
    // Seen from here, all files are one.
    if (data.nesting === 0 && data.testNumber !== undefined) data.testNumber = counters.topLevel + 1;
    if (type === 'test:pass' || type === 'test:fail') {
      if (data.nesting === 0) {
        this.#children++;
        counters.topLevel++;
      }
      this.harness.count({
        type: data.details.type === 'suite' ? 'suite' : 'test',
        isSkipped: data.skip !== undefined,
        isTodo: data.todo !== undefined,
        passed: type === 'test:pass',
        cancelled: data.details.error?.failureType === 'cancelledByParent' ||
          data.details.error?.failureType === 'testTimeoutFailure' || data.details.error?.failureType === 'testAborted',
      });
    }
    this.reporter.emitEvent(type, data);
  }

  countAndComplete() {
    if (this.mayReport()) this.flush();
    super.countAndComplete();
  }

  report() {
    this.flush();
    if (this.isReplaced) return;
    this.harness.counters.topLevel++;
    this.harness.count({ type: 'test', isSkipped: false, isTodo: false, passed: this.passed, cancelled: this.cancelled });
    super.report();
  }
}

function execArgs(path, options) {
  const args = inheritedOptions(options.execArgv ?? process.execArgv);
  ArrayPrototypeForEach(options.patterns ?? [], (pattern) => ArrayPrototypePush(args, `--test-name-pattern=${pattern}`));
  if (options.only && !args.includes('--test-only')) ArrayPrototypePush(args, '--test-only');
  ArrayPrototypePush(args, path);
  return args;
}

// spawn() sends SIGTERM when the signal is aborted. A process that does not end is killed, and its pipes are closed here,
// as processes that it started may hold the other ends.
function killAfterAbort(child, signal) {
  let hasClosed = false;
  let timer;
  child.once('close', () => {
    hasClosed = true;
    clearTimeout(timer);
  });
  const onAbort = () => {
    if (hasClosed) return;
    timer = setTimeout(() => {
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.stderr.destroy();
    }, kGraceMs);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { __proto__: null, once: true });
}

async function runFile(path, options, test, signal) {
  const child = spawn(process.execPath, execArgs(path, options), {
    __proto__: null,
    signal,
    env: { __proto__: null, ...process.env, NODE_TEST_CONTEXT: 'child-v8', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    [kEndsWithParent]: options.endsWithParent === true,
  });
  killAfterAbort(child, signal);
  let failed;
  child.on('error', (error) => { failed = error; });
  const say = (type) => (bytes) => test.add({ type, data: { __proto__: null, file: path, message: bytes.toString() } });
  const parser = new Parser((event) => test.add(event), say('test:stdout'));
  child.stdout.on('data', (chunk) => parser.push(chunk));
  // Lines, since what is written in pieces should be told in one.
  require('readline').createInterface({ __proto__: null, input: child.stderr }).on('line', (text) => {
    say('test:stderr')(`${text}\n`);
  });
  const { 0: code, 1: exitSignal } = await once(child, 'close');
  parser.end();
  test.flushIfFirst();
  if (code === 0 && exitSignal === null) return;
  if (failed !== undefined && failed.name !== 'AbortError') throw failed;
  const error = failure('test failed', test.hasTests ? kSubtestsFailed : kTestCodeFailure);
  error.exitCode = code;
  error.signal = exitSignal;
  throw error;
}

function validateShard(shard, watch) {
  if (shard === undefined || shard === null) return;
  validateObject(shard, 'options.shard');
  const { index, total } = shard;
  validateInteger(total, 'options.shard.total', 1);
  validateInteger(index, 'options.shard.index', 1, total);
  if (watch) throw new ERR_INVALID_ARG_VALUE('options.shard', watch, 'shards not supported with watch mode');
}

function toPatterns(given) {
  if (given === undefined || given === null) return undefined;
  const list = ArrayIsArray(given) ? given : [given];
  return ArrayPrototypeMap(list, (value, i) => {
    if (isRegExp(value) || typeof value === 'string') return value;
    throw new ERR_INVALID_ARG_TYPE(`options.testNamePatterns[${i}]`, ['string', 'RegExp'], value);
  });
}

function run(options) {
  if (options === null || typeof options !== 'object') options = { __proto__: null };
  const { concurrency, files, forceExit, only, setup, shard, signal, testNamePatterns, timeout, watch } = options;
  if (files !== undefined && files !== null) validateArray(files, 'options.files');
  if (watch !== undefined && watch !== null) validateBoolean(watch, 'options.watch');
  if (forceExit !== undefined && forceExit !== null) validateBoolean(forceExit, 'options.forceExit');
  if (only !== undefined && only !== null) validateBoolean(only, 'options.only');
  validateShard(shard, watch);
  if (setup !== undefined && setup !== null) validateFunction(setup, 'options.setup');
  const patterns = toPatterns(testNamePatterns);
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');

  const harness = new Harness({}, { __proto__: null, concurrency, timeout, signal });
  const { reporter, root } = harness;
  let paths = files ?? findTestFiles([]).files;
  if (shard) paths = ArrayPrototypeFilter(paths, (_, i) => i % shard.total === shard.index - 1);
  const settings = {
    __proto__: null, patterns, only, execArgv: options.execArgv, env: options.env, endsWithParent: options.endsWithParent,
  };

  const runAll = async () => {
    await setup?.(reporter);
    harness.isReady = harness.isOfFiles = true;
    await SafePromiseAll(ArrayPrototypeMap(paths, (path) => {
      path = resolve(`${path}`);
      const location = { __proto__: null, line: 1, column: 1, file: path };
      const test = root.createSubtest(FileTest, path, { __proto__: null, timeout, signal },
                                      (context) => runFile(path, settings, test, context.signal), { location });
      return test.start();
    }));
    harness.finish();
    if (forceExit) reporter.once('end', () => process.exit());
  };
  PromisePrototypeThen(runAll(), undefined, (error) => reporter.destroy(error));
  return reporter;
}

module.exports = { run };
