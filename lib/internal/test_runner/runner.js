'use strict';
// run(): runs each file of tests in its own process, with one stream of events for all of them.

const {
  ArrayIsArray,
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ObjectKeys,
  PromisePrototypeThen,
  RegExpPrototypeExec,
  SafePromiseAll,
  Symbol,
} = primordials;

const { spawn } = require('child_process');
const { once } = require('events');
const { kEndsWithParent } = require('internal/child_process/process_handle');
const {
  codes: { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE },
} = require('internal/errors');
const { Parser } = require('internal/test_runner/child_protocol');
const { failure, kSubtestsFailed, kTestCodeFailure } = require('internal/test_runner/failure');
const { checkPattern } = require('internal/test_runner/options');
const { validateTag } = require('internal/test_runner/filters');
const { findTestFiles } = require('internal/test_runner/files');
const { Harness } = require('internal/test_runner/harness');
const { Test } = require('internal/test_runner/test');
const { clearTimeout, setTimeout } = require('timers');
const { resolve } = require('path');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const { isRegExp } = require('internal/util/types');
const {
  validateAbortSignal,
  validateArray,
  validateBoolean,
  validateFunction,
  validateInteger,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateUint32,
} = require('internal/validators');

// Totals that each child prints at its end. They are dropped, because the runner prints them for all files.
const kFigures = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) \d/;
// Options for the process that runs the files, not for the files.
const kOurOptions = ['--test', '--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-timeout',
                     '--test-shard', '--test-force-exit', '--experimental-test-tag-filter'];
const kTakeValues = ['--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-timeout',
                     '--test-shard', '--experimental-test-tag-filter'];

// Set by `rondo test`: the children get no options but those that are given, and end with this process.
const kIsOfCommand = Symbol('kIsOfCommand');

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

  // True if results of the file's own tests have been reported or are queued.
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
    const isOwn = data.nesting === 0;
    if (type === 'test:plan' && isOwn) return;
    if (type === 'test:diagnostic' && isOwn && RegExpPrototypeExec(kFigures, data.message) !== null) return;
    const { counters } = this.harness;
    // Seen from here, all files are one.
    if (type === 'test:pass' || type === 'test:fail') {
      if (data.nesting === 0) {
        data.testNumber = counters.topLevel + 1;
        this.#children++;
      }
      this.harness.count({
        nesting: data.nesting,
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

  complete() {
    if (this.mayReport()) this.flush();
    super.complete();
  }

  report() {
    this.flush();
    if (this.isReplaced) return;
    super.report();
  }
}

function execArgs(path, options) {
  // The commands give all options of the child, run() gives more of them.
  const args = options.isOfCommand ?
    inheritedOptions(options.execArgv) : [...inheritedOptions(process.execArgv), ...options.execArgv];
  const add = (option, values = []) => ArrayPrototypeForEach(values, (value) => ArrayPrototypePush(args, `${option}=${value}`));
  add('--test-name-pattern', options.patterns);
  add('--test-skip-pattern', options.skipPatterns);
  add('--experimental-test-tag-filter', options.tagFilters);
  if (options.only && !args.includes('--test-only')) ArrayPrototypePush(args, '--test-only');
  ArrayPrototypePush(args, path, ...options.argv);
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

let nextWorker = 0;

async function runFile(path, options, test, signal) {
  const workerId = options.workers === Infinity ? ++nextWorker : nextWorker++ % options.workers + 1;
  const child = spawn(process.execPath, execArgs(path, options), {
    __proto__: null,
    signal,
    cwd: options.cwd,
    env: {
      __proto__: null, ...(options.env ?? process.env), NODE_TEST_CONTEXT: 'child-v8', NODE_TEST_WORKER_ID: `${workerId}`,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    [kEndsWithParent]: options.isOfCommand,
  });
  killAfterAbort(child, signal);
  let failed;
  child.on('error', (error) => { failed = error; });
  const say = (type) => (bytes) => test.add({ type, data: { __proto__: null, file: path, message: bytes.toString() } });
  const parser = new Parser((event) => test.add(event), say('test:stdout'));
  child.stdout.on('data', (chunk) => parser.push(chunk));
  // Report stderr line by line, even if a line was written in pieces.
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
  if (shard === undefined || shard === null) return undefined;
  validateObject(shard, 'options.shard');
  const { index, total } = shard;
  validateInteger(total, 'options.shard.total', 1);
  validateInteger(index, 'options.shard.index', 1, total);
  if (watch) throw new ERR_INVALID_ARG_VALUE('options.shard', watch, 'shards not supported with watch mode');
  return { __proto__: null, index, total };
}

function toList(given) {
  if (given === undefined || given === null) return undefined;
  return ArrayIsArray(given) ? given : [given];
}

// A string is kept as it is: the child makes an expression of it. One that is none is refused here.
function toPatterns(given, name) {
  const list = toList(given);
  return list === undefined ? undefined : ArrayPrototypeMap(list, (value, i) => {
    if (typeof value === 'string') checkPattern(value, `${name}[${i}]`);
    else if (!isRegExp(value)) throw new ERR_INVALID_ARG_TYPE(`${name}[${i}]`, ['string', 'RegExp'], value);
    return value;
  });
}

function toTagFilters(given) {
  const list = toList(given);
  if (list === undefined || list.length === 0) return undefined;
  emitExperimentalWarning('Test tags');
  return ArrayPrototypeMap(list, (value, i) => validateTag(value, `options.testTagFilters[${i}]`));
}

function validateOptional(validate, value, name) {
  if (value !== undefined && value !== null) validate(value, name);
}

// Throws for options of Node that select tests but are missing in Rondo: ignoring them would give a wrong result.
function refuseMissing({ coverage = false, isolation = 'process', randomize, randomSeed, rerunFailuresFilePath, watch }) {
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  validateBoolean(coverage, 'options.coverage');
  validateOptional(validateBoolean, randomize, 'options.randomize');
  validateOptional(validateUint32, randomSeed, 'options.randomSeed');
  const given = {
    __proto__: null, 'options.isolation': isolation === 'none', 'options.coverage': coverage, 'options.watch': watch,
    'options.randomize': randomize, 'options.randomSeed': typeof randomSeed === 'number',
    'options.rerunFailuresFilePath': rerunFailuresFilePath,
  };
  ArrayPrototypeForEach(ObjectKeys(given), (name) => {
    if (given[name]) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(name);
  });
}

function readRunOptions(options) {
  const {
    argv = [], cwd = process.cwd(), env, execArgv = [], files, forceExit, globPatterns, only, setup, signal, watch,
  } = options;
  validateOptional(validateArray, files, 'options.files');
  validateOptional(validateBoolean, watch, 'options.watch');
  validateOptional(validateBoolean, forceExit, 'options.forceExit');
  if (forceExit && watch) {
    throw new ERR_INVALID_ARG_VALUE('options.forceExit', watch, 'is not supported with watch mode');
  }
  validateOptional(validateBoolean, only, 'options.only');
  validateOptional(validateArray, globPatterns, 'options.globPatterns');
  validateString(cwd, 'options.cwd');
  if (globPatterns?.length > 0 && files?.length > 0) {
    throw new ERR_INVALID_ARG_VALUE(
      'options.globPatterns', globPatterns, 'is not supported when specifying \'options.files\'');
  }
  const shard = validateShard(options.shard, watch);
  validateOptional(validateFunction, setup, 'options.setup');
  const patterns = toPatterns(options.testNamePatterns, 'options.testNamePatterns');
  const skipPatterns = toPatterns(options.testSkipPatterns, 'options.testSkipPatterns');
  const tagFilters = toTagFilters(options.testTagFilters);
  validateStringArray(argv, 'options.argv');
  validateStringArray(execArgv, 'options.execArgv');
  validateOptional(validateObject, env, 'options.env');
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  refuseMissing(options);
  return {
    __proto__: null, argv, cwd, isOfCommand: options[kIsOfCommand] === true, env, execArgv, forceExit, only, patterns, shard,
    skipPatterns, tagFilters,
  };
}

function run(options = kEmptyObject) {
  validateObject(options, 'options');
  const settings = readRunOptions(options);
  const { concurrency, setup, signal, timeout } = options;
  const { cwd, forceExit, shard } = settings;
  const harness = new Harness({}, { __proto__: null, concurrency, timeout, signal });
  const { reporter, root } = harness;
  let paths = options.files ?? findTestFiles(options.globPatterns ?? [], cwd).files;
  if (shard) paths = ArrayPrototypeFilter(paths, (_, i) => i % shard.total === shard.index - 1);
  if (process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning('node:test run() is being called recursively within a test file. skipping running files.');
    harness.finish();
    return reporter;
  }
  settings.workers = root.concurrency;

  const runAll = async () => {
    await setup?.(reporter);
    harness.isReady = true;
    await SafePromiseAll(ArrayPrototypeMap(paths, (path) => {
      path = `${path}`;
      const file = resolve(cwd, path);
      const location = { __proto__: null, line: 1, column: 1, file };
      const test = root.createSubtest(FileTest, path, { __proto__: null, timeout, signal },
                                      (context) => runFile(file, settings, test, context.signal), { location });
      return test.start();
    }));
    harness.finish();
    if (forceExit) reporter.once('end', () => process.exit());
  };
  PromisePrototypeThen(runAll(), undefined, (error) => reporter.destroy(error));
  return reporter;
}

module.exports = { kIsOfCommand, run };
