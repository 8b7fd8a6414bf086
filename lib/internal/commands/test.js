'use strict';
// rondo test [options] [files, folders, globs]. Also available as rondo --test, as in Node.

const {
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  Error,
  Number,
  NumberIsInteger,
  RegExpPrototypeExec,
  StringPrototypeSlice,
} = primordials;

const { AbortController } = require('internal/abort_controller');
const { kBadOption, parseArguments, refuse } = require('internal/commands/arguments');

const kHelp = `usage: rondo test [options] [files, folders or globs]

Runs tests (node:test), each file in a separate process. Without files it searches the current folder: every script
in folders named test, and test.js, test-*.js, *.test.js, *-test.js, *_test.js elsewhere (.cjs and .mjs as well).

      --reporter=NAME          spec (the default), tap, dot, junit, lcov, or a module; may be repeated
      --reporter-destination=FILE  stdout, stderr or a file, one for each reporter
      --name-pattern=PATTERN   only tests whose name matches; may be repeated
      --skip-pattern=PATTERN   no tests whose name matches; may be repeated
      --update-snapshots       store the values of t.assert.snapshot()
      --only                   only tests with the option 'only'
      --concurrency=N          number of files run in parallel
      --timeout=MS             time limit of each file
      --shard=I/N              the I-th of N parts of the files
      --coverage               report which lines, branches and functions the tests have run
      --coverage-include=GLOB, --coverage-exclude=GLOB  which files count; may be repeated
      --coverage-include-all   count files that no test has loaded, too
      --coverage-lines=N, --coverage-branches=N, --coverage-functions=N  fail below N percent
      --isolation=none         run all files in this process
      --randomize              run tests in random order; --random-seed=N repeats one
      --global-setup=FILE      a module whose globalSetup() and globalTeardown() run before and after all tests
      --force-exit             exit when all tests have ended, even if handles are open
      --explore=N              run each file under N seeds, and report those under which it fails
      --clock=virtual          sleeps take no real time; this, --seed=N and all other options are for the files
`;

const kOwn = {
  '__proto__': null,
  'reporter': 'values',
  'reporter-destination': 'values',
  'name-pattern': 'values',
  'skip-pattern': 'values',
  'update-snapshots': 'nothing',
  'only': 'nothing',
  'concurrency': 'value',
  'timeout': 'value',
  'shard': 'value',
  'force-exit': 'nothing',
  'explore': 'value',
  'watch': 'nothing',
  'coverage': 'nothing',
  'coverage-include': 'values',
  'coverage-exclude': 'values',
  'coverage-include-all': 'nothing',
  'coverage-lines': 'value',
  'coverage-branches': 'value',
  'coverage-functions': 'value',
  'isolation': 'value',
  'randomize': 'nothing',
  'random-seed': 'value',
  'global-setup': 'value',
  'tag-filter': 'values',
};

// Converts Node's spelling of an option: --test-only is --only, --experimental-test-coverage is --coverage.
function toOurs(arg) {
  const match = RegExpPrototypeExec(/^--(?:experimental-)?test-([^=]+)/, arg);
  if (match === null || kOwn[match[1]] === undefined) return arg;
  return `--${match[1]}${StringPrototypeSlice(arg, match[0].length)}`;
}

// Returns the coverage options of run().
function toCoverage(given) {
  const toPercent = (name) => {
    const value = toNumber(name, given[name], 0, 'a percentage') ?? 0;
    if (value > 100) refuse('test', `--${name} needs a percentage, not '${value}'`);
    return value;
  };
  return {
    __proto__: null,
    coverage: given.coverage !== undefined,
    coverageIncludeGlobs: given['coverage-include'],
    coverageExcludeGlobs: given['coverage-exclude'],
    coverageIncludeAll: given['coverage-include-all'] !== undefined,
    lineCoverage: toPercent('coverage-lines'),
    branchCoverage: toPercent('coverage-branches'),
    functionCoverage: toPercent('coverage-functions'),
  };
}

function toIsolation(given, execArgv) {
  if (given !== 'process' && given !== 'none') refuse('test', `--isolation needs process or none, not '${given}'`);
  if (given === 'none' && execArgv.length > 0) {
    refuse('test', `--isolation=none runs the files in this process, which was not started with ${execArgv[0]}`);
  }
  return given;
}

function toNumber(name, text, least, what) {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text === '' || !NumberIsInteger(number) || number < least) {
    refuse('test', `--${name} needs ${what}, not '${text}'`);
  }
  return number;
}

function toShard(text) {
  if (text === undefined) return undefined;
  const match = RegExpPrototypeExec(/^(\d+)\/(\d+)$/, text);
  const shard = match === null ? undefined : { index: Number(match[1]), total: Number(match[2]) };
  if (shard === undefined || shard.index < 1 || shard.index > shard.total) {
    refuse('test', `--shard needs an index and a count, like 1/3, not '${text}'`);
  }
  return shard;
}

// Returns a signal that the first SIGINT, SIGTERM or SIGHUP aborts: the running files are stopped and the report is
// written. The second signal ends this process at once.
function abortOnSignals() {
  const controller = new AbortController();
  ArrayPrototypeForEach(['SIGINT', 'SIGTERM', 'SIGHUP'], (name) => {
    process.on(name, () => {
      process.exitCode = 1;
      if (controller.signal.aborted) process.exit();
      controller.abort(new Error(`interrupted by ${name}`));
    });
  });
  return controller.signal;
}

// Reports an option that rondo does not accept once, instead of in every file.
function checkOptions(execArgv) {
  if (execArgv.length === 0) return;
  const { spawnSync } = require('child_process');
  const { status, stderr } = spawnSync(process.execPath, [...execArgv, '--version'], { encoding: 'utf8' });
  if (status !== kBadOption) return;
  process.stderr.write(`${stderr}rondo test --help lists the options of rondo test\n`);
  process.exit(kBadOption);
}

// `execArgv` are the options before the command; they are passed on to the test files.
function run(args, execArgv) {
  const { options: given, execArgv: more, rest: names } =
    parseArguments('test', kHelp, ArrayPrototypeMap(args, toOurs), kOwn, { mixed: true });
  if (given.watch !== undefined) refuse('test', '--watch is not supported: run it again when files have changed');
  const settings = {
    __proto__: null,
    reporters: given.reporter,
    destinations: given['reporter-destination'],
    concurrency: toNumber('concurrency', given.concurrency, 1, 'a number of files') ?? true,
    timeout: toNumber('timeout', given.timeout, 0, 'a number of milliseconds'),
    shard: toShard(given.shard),
    only: given.only !== undefined,
    testNamePatterns: given['name-pattern'],
    testSkipPatterns: given['skip-pattern'],
    forceExit: given['force-exit'] !== undefined,
    isolation: toIsolation(given.isolation ?? 'process', more),
    randomize: given.randomize !== undefined,
    randomSeed: toNumber('random-seed', given['random-seed'], 0, 'a number below 2 ** 32'),
    globalSetupPath: given['global-setup'],
    testTagFilters: given['tag-filter'],
    ...toCoverage(given),
    execArgv: [...execArgv, ...more, ...(given['update-snapshots'] === undefined ? [] : ['--test-update-snapshots'])],
    signal: abortOnSignals(),
  };
  const seeds = toNumber('explore', given.explore, 1, 'a number of seeds');
  const { findTestFiles } = require('internal/test_runner/files');
  const { files, missing } = findTestFiles(names);
  if (missing.length > 0) {
    ArrayPrototypeForEach(missing, (path) => process.stderr.write(`Could not find '${path}'\n`));
    process.exit(1);
  }
  checkOptions(more);
  if (seeds !== undefined) {
    require('internal/test_runner/explore').explore(files, seeds, settings);
    return;
  }
  start(files, settings);
}

function start(files, settings) {
  const { setUpReporters, toPattern } = require('internal/test_runner/options');
  const { kIsOfCommand, run: runFiles } = require('internal/test_runner/runner');
  // Report an invalid pattern here once, instead of in every file.
  try {
    ArrayPrototypeMap(settings.testNamePatterns ?? [], toPattern);
    ArrayPrototypeMap(settings.testSkipPatterns ?? [], toPattern);
  } catch (error) {
    refuse('test', `--name-pattern: ${error.message}`);
  }
  const destinations = settings.destinations ?? [];
  const reporters = settings.reporters ?? [];
  if (destinations.length !== reporters.length && !(reporters.length === 1 && destinations.length === 0)) {
    refuse('test', `there are ${reporters.length} reporters and ${destinations.length} destinations: ` +
      'their numbers must be equal');
  }
  const stream = runFiles({
    __proto__: null,
    files,
    concurrency: settings.concurrency,
    timeout: settings.timeout,
    shard: settings.shard,
    only: settings.only,
    testNamePatterns: settings.testNamePatterns,
    testSkipPatterns: settings.testSkipPatterns,
    forceExit: settings.forceExit,
    execArgv: settings.execArgv,
    signal: settings.signal,
    isolation: settings.isolation,
    randomize: settings.randomize,
    randomSeed: settings.randomSeed,
    globalSetupPath: settings.globalSetupPath,
    testTagFilters: settings.testTagFilters,
    coverage: settings.coverage,
    coverageIncludeGlobs: settings.coverageIncludeGlobs,
    coverageExcludeGlobs: settings.coverageExcludeGlobs,
    coverageIncludeAll: settings.coverageIncludeAll,
    lineCoverage: settings.lineCoverage,
    branchCoverage: settings.branchCoverage,
    functionCoverage: settings.functionCoverage,
    [kIsOfCommand]: true,
    async setup(reporter) {
      await setUpReporters(reporter, reporters.length === 0 ? undefined : {
        reporters, destinations: destinations.length === 0 ? ['stdout'] : destinations,
      });
    },
  });
  stream.on('test:summary', ({ file, success }) => {
    if (file === undefined && !success) process.exitCode = 1;
  });
}

module.exports = { run };
