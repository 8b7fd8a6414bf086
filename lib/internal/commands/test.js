'use strict';
// rondo test [options] [files, folders, globs]; rondo --test is the same, as Node spells it.

const {
  ArrayPrototypeForEach,
  ArrayPrototypeMap,
  Error,
  Number,
  NumberIsInteger,
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const { AbortController } = require('internal/abort_controller');
const { parseArguments, refuse } = require('internal/commands/arguments');

const kHelp = `usage: rondo test [options] [files, folders or globs]

Runs tests (node:test), each file in a process of its own. Without files it searches the current folder: every script
in folders named test, and test.js, test-*.js, *.test.js, *-test.js, *_test.js elsewhere (.cjs and .mjs as well).

      --reporter=NAME          spec (the default), tap, dot, junit, or a module; may be repeated
      --reporter-destination=FILE  stdout, stderr or a file, one for each reporter
      --name-pattern=PATTERN   only tests whose name matches; may be repeated
      --skip-pattern=PATTERN   no tests whose name matches; may be repeated
      --update-snapshots       store what t.assert.snapshot() compares with
      --only                   only tests with the option 'only'
      --concurrency=N          how many files at a time
      --timeout=MS             how long each file may take
      --shard=I/N              the I-th of N parts of the files
      --force-exit             end when all tests have, whatever else goes on
      --explore=N              run each file under N seeds, and report those under which it fails
      --clock=virtual          sleeps take no time; this, --seed=N and all other options are for the files
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
};

// Node's spelling is known, too: --test-only is --only.
function toOurs(arg) {
  if (!StringPrototypeStartsWith(arg, '--test-')) return arg;
  const equals = StringPrototypeIndexOf(arg, '=');
  const name = StringPrototypeSlice(arg, 7, equals < 0 ? undefined : equals);
  return kOwn[name] === undefined ? arg : `--${StringPrototypeSlice(arg, 7)}`;
}

function toNumber(name, text, least, what) {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text === '' || !NumberIsInteger(number) || number < least) refuse('test', `--${name} needs ${what}, not '${text}'`);
  return number;
}

function toShard(text) {
  if (text === undefined) return undefined;
  const match = RegExpPrototypeExec(/^(\d+)\/(\d+)$/, text);
  const shard = match === null ? undefined : { index: Number(match[1]), total: Number(match[2]) };
  if (shard === undefined || shard.index < 1 || shard.index > shard.total) {
    refuse('test', `--shard needs a part of how many, like 1/3, not '${text}'`);
  }
  return shard;
}

// Aborted by the first SIGINT, SIGTERM or SIGHUP: the files are ended and the report is written. The second ends us at once.
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

// The options of the command line, which stand before the command, are for the files as well.
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
  if (seeds !== undefined) {
    require('internal/test_runner/explore').explore(files, seeds, settings);
    return;
  }
  start(files, settings);
}

function start(files, settings) {
  const { setUpReporters, toPattern } = require('internal/test_runner/options');
  const { kIsOfCommand, run: runFiles } = require('internal/test_runner/runner');
  // A pattern that is none is better refused here than by every file.
  try {
    ArrayPrototypeMap(settings.testNamePatterns ?? [], toPattern);
    ArrayPrototypeMap(settings.testSkipPatterns ?? [], toPattern);
  } catch (error) {
    refuse('test', `--name-pattern: ${error.message}`);
  }
  const destinations = settings.destinations ?? [];
  const reporters = settings.reporters ?? [];
  if (destinations.length !== reporters.length && !(reporters.length === 1 && destinations.length === 0)) {
    refuse('test', `there are ${reporters.length} reporters and ${destinations.length} destinations: each needs one`);
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
