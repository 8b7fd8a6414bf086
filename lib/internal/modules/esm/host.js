'use strict';

// Host hooks of the language: import() and import.meta.

const {
  ObjectPrototypeHasOwnProperty,
  Promise,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_SOURCE_PHASE_NOT_DEFINED } } = require('internal/errors');
const customize = require('internal/modules/esm/customize');
const { getJob: getJobThroughHooks, importThroughHooks, isCustomized } = require('internal/modules/esm/customize');
const { findJob, getJob, isMainJob, makeJob, resolveThroughHooks, run, urlOf } = require('internal/modules/esm/loader');
const { resolve } = require('internal/modules/esm/resolve');
const { sourceObjectOf, wasmModules } = require('internal/modules/esm/translators');
const { resolvers } = require('internal/modules/sync_hooks');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');
const { hasFlag } = require('internal/options');
const { tryGetCwd } = require('internal/process/cwd');
const path = require('path');

const onImport = require('diagnostics_channel').tracingChannel('module.import');

const SLASH = 0x2f;

// ---- import()

function currentDirectory() {
  const directory = tryGetCwd();
  return pathToHref(`${directory === '/' ? '' : directory}/`);
}

// Name of a script or module => the base URL of its relative specifiers. Modules are compiled under their URLs, scripts
// under their paths.
const bases = new SafeMap();

function baseOf(referrer) {
  const known = bases.get(referrer);
  if (known !== undefined) return known;
  const base = makeBase(referrer);
  // Text without a file. Not cached, because the current directory may change.
  if (base === undefined) return currentDirectory() + (isNameOfText(referrer) ? referrer : '');
  bases.set(referrer, base);
  return base;
}

// True for '[eval]' and '[stdin]'.
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
    return undefined; // Only a name, not a URL or path.
  }
}

// The number of microtask turns that import() takes in Node 26 until it settles. Programs that combine it with other
// promises can observe the number, so it is the same here.
const kTurnsToFail = 4; // The module cannot be resolved, loaded or linked.
const kTurnsIfLoaded = 7;
const kTurnsIfFailed = 6; // The module was loaded before, and could not be instantiated.
const kTurnsToFind = 5; // The module is known, but not complete; plus the turns of its evaluation.
const kTurnsToLoad = 8; // The module is new; plus the turns of its evaluation.
const kTurnsToLink = 2; // Additional turns if the module has imports.

async function takeTurns(count) {
  while (count-- > 1) await undefined; // The caller's await takes the last turn.
}

function resolveImport(specifier, base, attributes) {
  if (resolvers.length === 0) return { url: resolve(specifier, base), format: undefined, pairs: attributes };
  return resolveThroughHooks(specifier, base, attributes);
}

function importFrom(specifier, base, attributes, isSource) {
  if (!onImport.hasSubscribers) return importNow(specifier, base, attributes, isSource);
  const context = { __proto__: null, parentURL: base, url: specifier };
  return onImport.tracePromise(importNow, context, undefined, specifier, base, attributes, isSource);
}

// import.source(): loads the module without linking or running it.
async function importSourceObject(specifier, base, attributes) {
  let job;
  if (isCustomized()) {
    job = await getJobThroughHooks(specifier, base, attributes, false);
  } else {
    const { url, format, pairs } = resolveImport(specifier, base, attributes);
    job = makeJob(url, pairs, undefined, false, format);
  }
  if (job.hasFailed) throw job.failure;
  const object = sourceObjectOf(job.number);
  if (object === undefined) throw new ERR_SOURCE_PHASE_NOT_DEFINED(job.url);
  return object;
}

async function importNow(specifier, base, attributes, isSource) {
  if (isSource) return importSourceObject(specifier, base, attributes);
  if (isCustomized()) return importThroughHooks(specifier, base, attributes, false);
  let known;
  let job;
  try {
    const { url, format, pairs } = resolveImport(specifier, base, attributes);
    known = findJob(url, pairs);
    job = makeJob(url, pairs, undefined, false, format);
    if (known !== job || !(job.hasFailed || job.evaluation)) known = undefined;
    if (known === undefined) job.link(getJob);
  } catch (error) {
    await takeTurns(kTurnsToFail);
    throw error;
  }
  if (known === undefined) {
    if (job.preparation === undefined) {
      const hasImports = job.targets !== undefined && job.targets.length !== 0;
      job.preparation = takeTurns(hasImports ? kTurnsToLoad + kTurnsToLink : kTurnsToLoad);
    } else {
      await takeTurns(kTurnsToFind - 1);
    }
    await job.preparation;
  } else if (known.exports !== undefined) {
    await takeTurns(kTurnsIfLoaded);
    return known.exports;
  } else if (known.hasFailed) {
    await takeTurns(kTurnsIfFailed);
    throw known.failure;
  } else {
    await takeTurns(kTurnsToFind);
  }
  return run(job);
}

// import() of a script or module by its name.
function importOfReferrer(specifier, referrer, attributes, isSource) {
  let base;
  try {
    base = baseOf(referrer);
  } catch (error) {
    return new Promise((resolve, reject) => reject(error)); // The current directory has been removed.
  }
  return importFrom(specifier, base, attributes, isSource);
}

// Called by V8 for import(); must return a promise. `option` is a symbol in code that was compiled with vm.
function importModuleDynamically(specifier, referrer, attributes, option, isSource, isInOtherContext) {
  if (option === undefined) return importOfReferrer(specifier, referrer, attributes, isSource);
  const { importFromCode } = require('internal/vm/imports');
  return importFromCode(option, specifier, referrer, attributes, isSource, isInOtherContext);
}

// ---- import.meta

function makeResolve(url) {
  return function resolve(specifier, parentURL) {
    if (parentURL === undefined || parentURL === null || !hasFlag('experimental-import-meta-resolve')) {
      return resolveForMeta(`${specifier}`, url);
    }
    if (typeof parentURL !== 'string' && !lazyURL().isURL(parentURL)) {
      throw new ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parentURL);
    }
    return resolveForMeta(`${specifier}`, `${parentURL}`);
  };
}

function resolveForMeta(specifier, url) {
  try {
    if (customize.isRemote()) return customize.resolveSync(specifier, url, []).url;
    return resolvers.length === 0 ? resolve(specifier, url) : resolveThroughHooks(specifier, url, []).url;
  } catch (error) {
    // import.meta.resolve() returns the URL even if the file does not exist.
    if ((error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT') &&
        ObjectPrototypeHasOwnProperty(error, 'url')) {
      return error.url;
    }
    throw error;
  }
}

function initializeImportMeta(meta, number) {
  const wasm = wasmModules.get(number);
  if (wasm !== undefined) {
    meta.instantiate = wasm.instantiate;
    return;
  }
  const url = urlOf(number);
  if (url === undefined) return;
  if (isFileHref(url)) {
    const filename = hrefToPath(stripQuery(url));
    meta.dirname = path.dirname(filename);
    meta.filename = filename;
  }
  meta.main = isMainJob(number);
  // Hooks are asynchronous, and their own thread cannot block on them.
  if (!customize.isHooksThread()) meta.resolve = makeResolve(url);
  meta.url = url;
}

module.exports = {
  currentDirectory,
  importFrom,
  importModuleDynamically,
  importOfReferrer,
  initializeImportMeta,
};
