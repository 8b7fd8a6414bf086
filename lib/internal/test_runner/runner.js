'use strict';
// run(): runs each file of tests in its own process, with one stream of events for all of them.

const {
  ArrayIsArray,
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeIncludes,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  ArrayPrototypeSome,
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
const { getValidatedPath } = require('internal/fs/utils');
const { hasFlag } = require('internal/options');
const { checkPattern, kTestFiles } = require('internal/test_runner/options');
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
  '--test-shard', '--test-force-exit', '--experimental-test-tag-filter', '--experimental-test-coverage',
  '--test-coverage-include', '--test-coverage-exclude', '--test-coverage-include-all',
  '--test-coverage-lines', '--test-coverage-branches', '--test-coverage-functions', '--test-isolation',
  '--experimental-test-isolation', '--test-randomize', '--test-random-seed', '--test-global-setup'];
const kTakeValues = ['--test-reporter', '--test-reporter-destination', '--test-concurrency', '--test-timeout',
  '--test-shard', '--experimental-test-tag-filter', '--test-coverage-include', '--test-coverage-exclude',
  '--test-coverage-lines', '--test-coverage-branches', '--test-coverage-functions', '--test-isolation',
  '--experimental-test-isolation', '--test-random-seed', '--test-global-setup'];

// Set by `rondo test`: the children get no options but those that are given, and end with this process.
const kIsOfCommand = Symbol('kIsOfCommand');

// Time for a process to end after SIGTERM before it is killed.
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
    if (!ArrayPrototypeIncludes(kOurOptions, name)) ArrayPrototypePush(result, execArgv[i]);
    else if (name === execArgv[i] && ArrayPrototypeIncludes(kTakeValues, name)) i++;
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
    return this.#children > 0 ||
      ArrayPrototypeSome(this.#waiting, ({ type }) => type === 'test:pass' || type === 'test:fail');
  }

  flushIfFirst() {
    if (this.mayReport()) this.flush();
  }

  // Files run side by side, and are reported one after the other.
  add(event) {
    event.data.entryFile = this.location.file;
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
    // The files count as one.
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
  const add = (option, values = []) =>
    ArrayPrototypeForEach(values, (value) => ArrayPrototypePush(args, `${option}=${value}`));
  add('--test-name-pattern', options.patterns);
  add('--test-skip-pattern', options.skipPatterns);
  add('--experimental-test-tag-filter', options.tagFilters);
  if (options.randomSeed !== undefined) ArrayPrototypePush(args, `--test-random-seed=${options.randomSeed}`);
  if (options.only && !ArrayPrototypeIncludes(args, '--test-only')) ArrayPrototypePush(args, '--test-only');
  ArrayPrototypePush(args, path, ...options.argv);
  return args;
}

// spawn() sends SIGTERM when the signal is aborted. A process that does not end is killed, and its pipes are closed
// here, as processes that it started may hold the other ends.
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
      __proto__: null, ...(options.env ?? process.env), NODE_TEST_CONTEXT: 'child-v8',
      NODE_TEST_WORKER_ID: `${workerId}`,
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

// A string is passed on unchanged, and the child compiles it; an invalid expression is rejected here.
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
function refuseMissing({ rerunFailuresFilePath, watch }) {
  if (watch) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('options.watch');
  if (rerunFailuresFilePath) throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('options.rerunFailuresFilePath');
}

function readRandomSeed({ randomize, randomSeed, rerunFailuresFilePath, watch }) {
  validateOptional(validateBoolean, randomize, 'options.randomize');
  validateOptional(validateUint32, randomSeed, 'options.randomSeed');
  if (randomSeed === undefined || randomSeed === null) {
    if (!randomize) return undefined;
  }
  const refuse = (mode) => {
    const isSeed = randomSeed !== undefined && randomSeed !== null;
    const name = isSeed ? 'options.randomSeed' : 'options.randomize';
    throw new ERR_INVALID_ARG_VALUE(name, isSeed ? randomSeed : randomize, `is not supported with ${mode} mode`);
  };
  if (watch) refuse('watch');
  if (rerunFailuresFilePath) refuse('rerun failures');
  return randomSeed ?? require('internal/test_runner/random').makeSeed();
}

function readCoverage(options, cwd) {
  const {
    branchCoverage = 0, coverage = false, coverageExcludeGlobs, coverageIncludeAll = false, coverageIncludeGlobs,
    functionCoverage = 0, lineCoverage = 0,
  } = options;
  validateBoolean(coverage, 'options.coverage');
  validateBoolean(coverageIncludeAll, 'options.coverageIncludeAll');
  const excludeGlobs = toList(coverageExcludeGlobs);
  validateOptional(validateStringArray, excludeGlobs, 'options.coverageExcludeGlobs');
  const includeGlobs = toList(coverageIncludeGlobs);
  validateOptional(validateStringArray, includeGlobs, 'options.coverageIncludeGlobs');
  validateInteger(lineCoverage, 'options.lineCoverage', 0, 100);
  validateInteger(branchCoverage, 'options.branchCoverage', 0, 100);
  validateInteger(functionCoverage, 'options.functionCoverage', 0, 100);
  return !coverage ? undefined : {
    __proto__: null,
    cwd,
    sourceMaps: hasFlag('enable-source-maps'),
    excludeGlobs: excludeGlobs ?? [kTestFiles],
    includeGlobs: includeGlobs ?? [],
    includeAll: coverageIncludeAll,
    thresholds: { __proto__: null, line: lineCoverage, branch: branchCoverage, function: functionCoverage },
  };
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
  const randomSeed = readRandomSeed(options);
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
  const { globalSetupPath, isolation = 'process' } = options;
  validateOneOf(isolation, 'options.isolation', ['process', 'none']);
  const coverage = readCoverage(options, cwd);
  validateStringArray(argv, 'options.argv');
  validateStringArray(execArgv, 'options.execArgv');
  if (globalSetupPath !== undefined && globalSetupPath !== null) {
    getValidatedPath(globalSetupPath, 'options.globalSetupPath');
  }
  validateOptional(validateObject, env, 'options.env');
  if (env && isolation === 'none') {
    throw new ERR_INVALID_ARG_VALUE('options.env', env, 'is not supported with isolation=\'none\'');
  }
  if (signal !== undefined) validateAbortSignal(signal, 'options.signal');
  refuseMissing(options);
  return {
    __proto__: null, argv, coverage, cwd, isOfCommand: options[kIsOfCommand] === true, env, execArgv, forceExit,
    globalSetupPath: globalSetupPath ?? undefined, isolation, only, patterns, randomSeed, shard, skipPatterns,
    tagFilters,
  };
}

function printSeed({ randomSeed, root }) {
  if (randomSeed !== undefined) root.diagnostic(`Randomized test order seed: ${randomSeed}`);
}

// isolation: 'none'
function runHere(paths, settings, rootOptions, prepare) {
  const { readOptions, toPattern } = require('internal/test_runner/options');
  const { runInProcess } = require('internal/test_runner/in_process');
  const given = readOptions();
  const toExpressions = (list) => list?.map((pattern) => (isRegExp(pattern) ? pattern : toPattern(pattern)));
  const harness = runInProcess(paths, {
    __proto__: null,
    ...given,
    filtersByOnly: true,
    isOnly: settings.only ?? given.isOnly,
    patterns: toExpressions(settings.patterns) ?? given.patterns,
    skipPatterns: toExpressions(settings.skipPatterns) ?? given.skipPatterns,
    tagFilters: settings.tagFilters ?? given.tagFilters,
    timeout: Infinity,
    forceExit: settings.forceExit ?? given.forceExit,
    coverage: settings.coverage,
    randomSeed: settings.randomSeed,
    cwd: settings.cwd,
    loadsPreloads: settings.isOfCommand,
  }, rootOptions, prepare);
  printSeed(harness);
  return harness.reporter;
}

function run(options = kEmptyObject) {
  validateObject(options, 'options');
  const settings = readRunOptions(options);
  const { concurrency, setup, signal, timeout } = options;
  const { coverage, cwd, forceExit, globalSetupPath, randomSeed, shard } = settings;
  const rootOptions = { __proto__: null, concurrency, timeout, signal };
  let paths = options.files ?? findTestFiles(options.globPatterns ?? [], cwd).files;
  if (shard) paths = ArrayPrototypeFilter(paths, (_, i) => i % shard.total === shard.index - 1);
  const prepare = async (harness) => {
    if (globalSetupPath !== undefined) await harness.setUpGlobally(globalSetupPath, cwd);
    await setup?.(harness.reporter);
  };
  if (settings.isolation === 'none') return runHere(paths, settings, rootOptions, prepare);
  const harness = new Harness({ randomSeed }, rootOptions);
  const { reporter, root } = harness;
  printSeed(harness);
  if (process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning('node:test run() is being called recursively within a test file. skipping running files.');
    harness.finish();
    return reporter;
  }
  settings.workers = root.concurrency;
  harness.startCoverage(coverage);

  const runAll = async () => {
    await prepare(harness);
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
    await harness.teardown?.();
    if (forceExit) reporter.once('end', () => process.exit());
  };
  PromisePrototypeThen(runAll(), undefined, (error) => reporter.destroy(error));
  return reporter;
}

module.exports = { kIsOfCommand, run };
