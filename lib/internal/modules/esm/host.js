'use strict';

// What the language leaves to its host: import() and import.meta.

const {
  Promise,
  PromiseResolve,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
} = primordials;

const { isLoaded, makeJob, run, urlOf } = require('internal/modules/esm/loader');
const { resolve } = require('internal/modules/esm/resolve');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');
const path = require('path');

const SLASH = 0x2f;

// ---- import()

function currentDirectory() {
  return pathToHref(`${process.cwd() === '/' ? '' : process.cwd()}/`);
}

// The URL that relative specifiers start from. Modules are compiled under their URLs, scripts under their paths, and
// text without a file belongs to the current directory.
function baseOf(referrer) {
  if (typeof referrer === 'string') {
    if (StringPrototypeCharCodeAt(referrer, 0) === SLASH) return pathToHref(referrer);
    if (StringPrototypeIncludes(referrer, ':')) {
      const { URL } = lazyURL();
      try {
        return new URL(referrer).href;
      } catch {
        // Just a name.
      }
    }
  }
  return currentDirectory();
}

function turnOfTheLoop() {
  const { setImmediate } = require('timers');
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

async function importFrom(specifier, base, attributes) {
  await undefined;
  const url = resolve(specifier, base);
  if (isFileHref(url) && !isLoaded(url, attributes)) await turnOfTheLoop();
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
