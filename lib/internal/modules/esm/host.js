'use strict';

// What the language leaves to its host: import() and import.meta.

const {
  Promise,
  PromiseResolve,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
} = primordials;

const { importThroughHooks, isCustomized } = require('internal/modules/esm/customize');
const { findJob, makeJob, run, urlOf } = require('internal/modules/esm/loader');
const { resolve } = require('internal/modules/esm/resolve');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');
const path = require('path');

const SLASH = 0x2f;

// ---- import()

function currentDirectory() {
  return pathToHref(`${process.cwd() === '/' ? '' : process.cwd()}/`);
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

// How many turns of the microtask queue import() takes in Node before anyone hears of it. Programs that mix it with other
// promises can tell, so it takes as many here.
const kTurnsToFail = 3; // The specifier leads nowhere.
const kTurnsIfLoaded = 7;
const kTurnsToFind = 5; // Known, and not complete yet; evaluation adds the rest.
const kTurnsToLoad = 13; // Without reading a file.

// CommonJS that says so by its name is read only when it runs.
function isReadFirst(url) {
  return isFileHref(url) && !StringPrototypeEndsWith(url, '.cjs');
}

async function importFrom(specifier, base, attributes) {
  if (isCustomized()) return importThroughHooks(specifier, base, attributes, false);
  let url;
  try {
    url = resolve(specifier, base);
  } catch (error) {
    for (let i = 0; i < kTurnsToFail; i++) await undefined;
    throw error;
  }
  const known = findJob(url, attributes);
  if (known !== undefined && known.exports !== undefined) {
    for (let i = 0; i < kTurnsIfLoaded; i++) await undefined;
    return known.exports;
  }
  if (known === undefined && isReadFirst(url)) {
    await turnOfTheLoop();
  } else {
    const turns = known === undefined ? kTurnsToLoad : kTurnsToFind;
    for (let i = 0; i < turns; i++) await undefined;
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
