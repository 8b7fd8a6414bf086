'use strict';
// The command line's options for tests, and the reporters that they name.

const {
  ArrayPrototypeEvery,
  ArrayPrototypeMap,
  PromisePrototypeThen,
  RegExp,
  RegExpPrototypeExec,
  SafePromiseAll,
  SafeMap,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { getFlag, getFlags, hasFlag } = require('internal/options');
const { validateTag } = require('internal/test_runner/filters');
const { emitExperimentalWarning } = require('internal/util');
const { validateInteger, validateUint32 } = require('internal/validators');

const kReporters = new SafeMap([
  ['spec', 'internal/test_runner/reporters/spec'],
  ['tap', 'internal/test_runner/reporters/tap'],
  ['dot', 'internal/test_runner/reporters/dot'],
  ['junit', 'internal/test_runner/reporters/junit'],
  ['lcov', 'internal/test_runner/reporters/lcov'],
]);

// 'text', or '/text/flags'.
function toPattern(text) {
  const match = RegExpPrototypeExec(/^\/(.*)\/([a-z]*)$/, text);
  if (match === null) return new RegExp(text);
  return new RegExp(match[1], match[2]);
}

function checkPattern(text, name) {
  try {
    toPattern(text);
  } catch (error) {
    throw new ERR_INVALID_ARG_VALUE(name, text, `is an invalid regular expression. ${error.message}`);
  }
}

function isChild() {
  return process.env.NODE_TEST_CONTEXT === 'child-v8';
}

// With one reporter its destination may be left out.
function readReporters() {
  const reporters = getFlags('test-reporter');
  const destinations = getFlags('test-reporter-destination');
  if (reporters.length === 0 && destinations.length === 0) {
    return { reporters: ['spec'], destinations: ['stdout'] };
  }
  if (reporters.length === 1 && destinations.length === 0) return { reporters, destinations: ['stdout'] };
  if (destinations.length !== reporters.length) {
    throw new ERR_INVALID_ARG_VALUE('--test-reporter', reporters,
      'must match the number of specified \'--test-reporter-destination\'');
  }
  return { reporters, destinations };
}

function readPatterns(flag) {
  const patterns = getFlags(flag);
  return patterns.length === 0 ? undefined : ArrayPrototypeMap(patterns, (text) => {
    checkPattern(text, `--${flag}`);
    return toPattern(text);
  });
}

// The default of --test-coverage-exclude: files of tests.
const kTestFiles = '**/{test,test/**/*,test-*,*[._-]test}.{js,mjs,cjs,ts,mts,cts}';

function toPercent(flag) {
  const given = getFlags(flag);
  const value = given.length === 0 ? 0 : +given[given.length - 1];
  validateInteger(value, `--${flag}`, 0, 100);
  return value;
}

// --experimental-test-coverage and the options for it.
function readCoverage(cwd = process.cwd()) {
  if (isChild() || !hasFlag('experimental-test-coverage')) return undefined;
  const exclude = getFlags('test-coverage-exclude');
  return {
    __proto__: null,
    cwd,
    sourceMaps: hasFlag('enable-source-maps'),
    excludeGlobs: exclude.length === 0 ? [kTestFiles] : exclude,
    includeGlobs: getFlags('test-coverage-include'),
    includeAll: hasFlag('test-coverage-include-all'),
    thresholds: {
      __proto__: null,
      line: toPercent('test-coverage-lines'),
      branch: toPercent('test-coverage-branches'),
      function: toPercent('test-coverage-functions'),
    },
  };
}

function readRandomSeed() {
  const given = getFlags('test-random-seed');
  if (given.length > 0) {
    const seed = +given[given.length - 1];
    validateUint32(seed, '--test-random-seed');
    return seed;
  }
  return hasFlag('test-randomize') ? require('internal/test_runner/random').makeSeed() : undefined;
}

function readTimeout() {
  const given = getFlags('test-timeout');
  const timeout = given.length === 0 ? Infinity : +given[given.length - 1];
  return timeout > 0 ? timeout : Infinity;
}

function readOptions() {
  const isOnly = hasFlag('test-only');
  const tagFilters = getFlags('experimental-test-tag-filter');
  if (tagFilters.length > 0) emitExperimentalWarning('Test tags');
  return {
    __proto__: null,
    isOnly,
    // A file that is run by itself needs no option for it.
    filtersByOnly: isChild() ? isOnly : true,
    patterns: readPatterns('test-name-pattern'),
    skipPatterns: readPatterns('test-skip-pattern'),
    tagFilters: tagFilters.length === 0 ? undefined : ArrayPrototypeMap(
      tagFilters, (tag, i) => validateTag(tag, `--experimental-test-tag-filter[${i}]`)),
    updatesSnapshots: hasFlag('test-update-snapshots'),
    timeout: readTimeout(),
    forceExit: hasFlag('test-force-exit'),
    coverage: readCoverage(),
    randomSeed: readRandomSeed(),
    globalSetupPath: isChild() ? undefined : getFlag('test-global-setup'),
  };
}

function openDestination(name) {
  if (name === 'stdout') return process.stdout;
  if (name === 'stderr') return process.stderr;
  return require('fs').createWriteStream(name).on('error', (error) => {
    process.stderr.write(`rondo: cannot write the report to ${name}: ${error.message}\n`);
    process.exit(1);
  });
}

// A built-in reporter at once, any other as a promise: a module whose default export is one.
function loadReporter(name) {
  if (kReporters.has(name)) return require(kReporters.get(name));
  const { pathToFileURL } = require('internal/url');
  const { importURL } = require('internal/modules/esm/loader');
  const { resolve } = require('internal/modules/esm/resolve');
  const loading = (async () => importURL(resolve(name, pathToFileURL(`${process.cwd()}/`).href)))();
  return PromisePrototypeThen(loading, (module) => {
    const reporter = module.default ?? module.default?.default;
    if (!reporter) throw new ERR_INVALID_ARG_TYPE('reporter', ['function', 'Duplex', 'class'], reporter);
    return reporter;
  });
}

function isClassOfStreams(reporter) {
  return typeof reporter === 'function' && typeof reporter.prototype?.pipe === 'function';
}

function connect(stream, reporter, destination) {
  const { compose } = require('stream');
  const sink = openDestination(destination);
  const instance = isClassOfStreams(reporter) ? new reporter() : reporter;
  const output = typeof instance?.pipe === 'function' ? stream.pipe(instance) : compose(stream, instance);
  output.pipe(sink);
}

// Returns undefined if the reporters are ready, otherwise a promise.
function setUpReporters(stream, { reporters, destinations } = readReporters()) {
  if (isChild()) {
    require('internal/test_runner/child_protocol').writeTo(stream);
    return undefined;
  }
  if (reporters === undefined) ({ reporters, destinations } = readReporters());
  const loaded = ArrayPrototypeMap(reporters, loadReporter);
  if (ArrayPrototypeEvery(reporters, (name) => kReporters.has(name))) {
    for (let i = 0; i < loaded.length; i++) connect(stream, loaded[i], destinations[i]);
    return undefined;
  }
  return PromisePrototypeThen(SafePromiseAll(loaded), (all) => {
    for (let i = 0; i < all.length; i++) connect(stream, all[i], destinations[i]);
  });
}

module.exports = { checkPattern, isChild, kTestFiles, readOptions, setUpReporters, toPattern };
