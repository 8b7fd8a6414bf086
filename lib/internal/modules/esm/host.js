'use strict';

// What the language leaves to its host: import() and import.meta.

const {
  Promise,
  PromiseResolve,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeStartsWith,
} = primordials;

const { importThroughHooks, isCustomized } = require('internal/modules/esm/customize');
const { findJob, makeJob, run, urlOf } = require('internal/modules/esm/loader');
const { resolve } = require('internal/modules/esm/resolve');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');
const { tryGetCwd } = require('internal/process/cwd');
const path = require('path');

const SLASH = 0x2f;

// ---- import()

function currentDirectory() {
  const directory = tryGetCwd();
  return pathToHref(`${directory === '/' ? '' : directory}/`);
}

// Name of a script or module => the URL that its relative specifiers start from. Modules are compiled under their URLs,
// scripts under their paths.
const bases = new SafeMap();

function baseOf(referrer) {
  const known = bases.get(referrer);
  if (known !== undefined) return known;
  const base = makeBase(referrer);
  // Text without a file. It is not remembered: directories change.
  if (base === undefined) return currentDirectory() + (isNameOfText(referrer) ? referrer : '');
  bases.set(referrer, base);
  return base;
}

// '[eval]' and '[stdin]'.
function isNameOfText(referrer) {
  return typeof referrer === 'string' && referrer[0] === '[' && !StringPrototypeIncludes(referrer, '/');
}

function makeBase(referrer) {
  if (typeof referrer !== 'string') return undefined;
  if (StringPrototypeCharCodeAt(referrer, 0) === SLASH) return pathToHref(referrer);
  if (!StringPrototypeIncludes(referrer, ':')) return undefined;
  const { URL } = lazyURL();
  try {
    return new URL(referrer).href;
  } catch {
    return undefined; // Just a name.
  }
}

function turnOfTheLoop() {
  const { setImmediate } = require('timers');
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

// How many turns of the microtask queue import() takes in Node 20 before anyone hears of it. Programs that mix it with
// other promises can tell, so it takes as many here.
const kTurnsToFail = 3; // The specifier leads nowhere.
const kTurnsIfLoaded = 7;
const kTurnsIfFailed = 6; // It was loaded before, in vain.
const kTurnsToFind = 5; // Known, and not complete yet; evaluation adds the rest.
const kTurnsToLoad = 11; // Without reading a file: a built-in module, a data: URL, or something that cannot be loaded.
const kTurnsToLink = 2;

// CommonJS that says so by its name is read only when it runs.
function isReadFirst(url) {
  return isFileHref(url) && !StringPrototypeEndsWith(url, '.cjs');
}

async function takeTurns(count) {
  while (count-- > 1) await undefined; // Whoever awaits this takes the last one.
}

async function loadWithoutReading(url, attributes) {
  let turns = kTurnsToLoad;
  if (StringPrototypeStartsWith(url, 'data:')) turns++;
  await takeTurns(turns - 1);
  const job = makeJob(url, attributes, undefined, false);
  if (job.hasFailed) throw job.failure;
  await takeTurns(kTurnsToLink);
  return job;
}

async function importFrom(specifier, base, attributes) {
  if (isCustomized()) return importThroughHooks(specifier, base, attributes, false);
  let url;
  try {
    url = resolve(specifier, base);
  } catch (error) {
    await takeTurns(kTurnsToFail);
    throw error;
  }
  const known = findJob(url, attributes);
  if (known === undefined) {
    if (!isReadFirst(url)) return run(await loadWithoutReading(url, attributes));
    await turnOfTheLoop();
  } else if (known.exports !== undefined) {
    await takeTurns(kTurnsIfLoaded);
    return known.exports;
  } else if (known.hasFailed) {
    await takeTurns(kTurnsIfFailed);
    throw known.failure;
  } else {
    await takeTurns(kTurnsToFind);
  }
  return run(makeJob(url, attributes, undefined, false));
}

// Hooks of code that was compiled with an answer of its own to import() (vm): symbol => function.
const compilers = new SafeMap();

// What V8 calls for import(); must return a promise.
function importModuleDynamically(specifier, referrer, attributes, compiler) {
  if (compiler !== undefined) {
    const answer = compilers.get(compiler);
    if (answer !== undefined) return PromiseResolve(answer(specifier, referrer, attributes));
  }
  let base;
  try {
    base = baseOf(referrer);
  } catch (error) {
    return new Promise((resolve, reject) => reject(error)); // The current directory is gone.
  }
  return importFrom(specifier, base, attributes);
}

// ---- import.meta

function makeResolve(url) {
  return function resolve(specifier) {
    return resolveForMeta(`${specifier}`, url);
  };
}

function resolveForMeta(specifier, url) {
  try {
    return resolve(specifier, url);
  } catch (error) {
    // Where a file is to be can be said without its being there.
    if ((error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT') &&
        error.url !== undefined) {
      return error.url;
    }
    throw error;
  }
}

function initializeImportMeta(meta, number) {
  const url = urlOf(number);
  if (url === undefined) return;
  if (isFileHref(url)) {
    const filename = hrefToPath(stripQuery(url));
    meta.dirname = path.dirname(filename);
    meta.filename = filename;
  }
  meta.resolve = makeResolve(url);
  meta.url = url;
}

module.exports = {
  compilers,
  currentDirectory,
  importFrom,
  importModuleDynamically,
  initializeImportMeta,
};
