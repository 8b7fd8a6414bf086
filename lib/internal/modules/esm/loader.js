'use strict';

// ES modules: their cache, their evaluation, and require() of a module. V8's host callbacks are in esm/host.
//
// Files are read synchronously, as by require(). The observable asynchrony of Node's loader is preserved: a module's
// body runs as a microtask (TICK-08), and import() of a file that is not loaded yet waits for a turn of the loop.

const {
  ArrayPrototypePush,
  ErrorCaptureStackTrace,
  ObjectDefineProperty,
  ObjectKeys,
  PromisePrototypeThen,
  RegExpPrototypeExec,
  SafeMap,
  SafeSet,
} = primordials;

const binding = internalBinding('modules');
const {
  codes: {
    ERR_REQUIRE_ASYNC_MODULE,
    ERR_REQUIRE_CYCLE_MODULE,
    ERR_REQUIRE_ESM_RACE_CONDITION,
    ERR_UNKNOWN_MODULE_FORMAT,
  },
} = require('internal/errors');
const {
  detect,
  formatHint,
  isKnownFormat,
  load,
  typeOf,
  validateAttributes,
  validateKeys,
  warnOfTypeless,
} = require('internal/modules/esm/formats');
const { ModuleJob, explainMissingGlobal } = require('internal/modules/esm/job');
const { resolve } = require('internal/modules/esm/resolve');
const { translate } = require('internal/modules/esm/translators');
const { getImportConditions } = require('internal/modules/package_resolve');
const packages = require('internal/modules/package_json_reader');
const hooks = require('internal/modules/sync_hooks');
const { hrefToPath, isFileHref, pathToHref, stripQuery } = require('internal/modules/urls');
const { getFlag, hasFlag } = require('internal/options');
const { isUnderNodeModules } = require('internal/util');
const { kDrains, shared } = require('internal/shared');

const noAttributes = [];

let getJobByHooks; // Set by esm/customize if hooks run on another thread

function setHooks(getJobSync) {
  getJobByHooks = getJobSync;
}

// URL => job. JSON modules, which need the attribute `type`, have a separate cache.
const jobs = new SafeMap();
const jsonJobs = new SafeMap();
// Number of a module => its URL, for import.meta.
const urls = [];
let mainNumber = -1;

// The cache for these attributes. Unknown attributes are an error of the importer, so their result is not cached.
function cacheOf(attributes) {
  if (attributes.length === 0) return jobs;
  return attributes.length === 2 && typeOf(attributes) === 'json' ? jsonJobs : new SafeMap();
}

function makeJob(url, attributes, source, isMain, format) {
  const cache = cacheOf(attributes);
  const known = cache.get(url);
  // Retry modules that failed to load or link: the missing file may exist by now.
  if (known !== undefined && (!known.hasFailed || known.isLinked)) return known;
  let job;
  try {
    validateKeys(url, attributes);
    const loaded = source === undefined ? loadURL(url, format, attributes) : { format: 'module', source };
    validateAttributes(url, loaded.format, attributes);
    const number = translate(url, loaded.format, loaded.source, isMain, loaded.isOwnText);
    job = new ModuleJob(url, loaded.format, number);
    urls[job.number] = url;
    if (isMain) mainNumber = job.number;
  } catch (error) {
    job = new ModuleJob(url, undefined, -1);
    job.isLinked = false;
    job.hasFailed = true;
    job.failure = error;
  }
  cache.set(url, job);
  return job;
}

function getJob(specifier, parentURL, attributes) {
  let job;
  if (getJobByHooks !== undefined) {
    job = getJobByHooks(specifier, parentURL, attributes);
  } else if (hooks.resolvers.length === 0) {
    job = makeJob(resolve(specifier, parentURL), attributes, undefined, false);
  } else {
    const { url, format, pairs } = resolveThroughHooks(specifier, parentURL, attributes);
    job = makeJob(url, pairs, undefined, false, format);
  }
  if (underWay.size > 0) refuseCycle(job, specifier, parentURL);
  return job;
}

// A module loaded by require() cannot import a module that is waiting for that require(): a CommonJS module that called
// it, or a module whose evaluation led to it.
function refuseCycle(job, specifier, parentURL) {
  let kind = 'Module';
  if (job.format === 'commonjs' && isFileHref(job.url)) {
    const cached = require('internal/modules/cjs/loader').cachedModule(hrefToPath(stripQuery(job.url)));
    if (cached === undefined || cached.loaded) return;
    kind = 'CommonJS Module';
  } else if (job.number < 0 || binding.status(job.number) !== binding.kEvaluating) {
    return;
  }
  const from = isFileHref(parentURL) ? hrefToPath(stripQuery(parentURL)) : parentURL;
  throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot import ${kind} ${specifier} in a cycle. (from ${from})`);
}

// ---- Hooks of module.registerHooks()

function toAttributes(pairs) {
  const attributes = { __proto__: null };
  for (let i = 0; i < pairs.length; i += 2) attributes[pairs[i]] = pairs[i + 1];
  return attributes;
}

function toPairs(attributes) {
  const pairs = [];
  const keys = ObjectKeys(attributes);
  for (let i = 0; i < keys.length; i++) ArrayPrototypePush(pairs, keys[i], attributes[keys[i]]);
  return pairs;
}

function conditions() {
  const list = [];
  getImportConditions().forEach((condition) => ArrayPrototypePush(list, condition));
  return list;
}

function resolveByDefault(specifier, { conditions: list, parentURL }) {
  hooks.validateConditions(list);
  const url = parentURL === undefined ? specifier : resolve(`${specifier}`, parentURL, list);
  return { __proto__: null, url, format: formatHint(url) };
}

// Returns { url, format, pairs }: hooks may change the attributes.
function resolveThroughHooks(specifier, parentURL, attributes) {
  const { url, format, importAttributes } =
    hooks.resolveWithHooks(specifier, parentURL, toAttributes(attributes), conditions(), resolveByDefault);
  return { url, format, pairs: importAttributes ? toPairs(importAttributes) : attributes };
}

// Returns text as a Buffer, as hooks expect.
function loadByDefault(url, { format, importAttributes }) {
  const loaded = load(url, format === 'builtin' ? undefined : format, toPairs(importAttributes));
  const { source } = loaded;
  return { __proto__: null, format: loaded.format, source: source === undefined ? null :
    require('buffer').Buffer.from(source) };
}

function loadURL(url, format, attributes) {
  if (hooks.loaders.length === 0) return load(url, format, attributes);
  const hint = format ?? formatHint(url);
  const loaded = hooks.loadWithHooks(url, hint, toAttributes(attributes), conditions(), loadByDefault);
  let { source } = loaded;
  if (typeof source !== 'string' && loaded.format !== 'wasm') {
    source = isFileHref(url) && loaded.format === 'commonjs' ? load(url).source : '';
  }
  if (!loaded.format) return { format: detect(source, url), source, isOwnText: true };
  if (!isKnownFormat(loaded.format)) throw new ERR_UNKNOWN_MODULE_FORMAT(loaded.format, url);
  return { format: loaded.format, source, isOwnText: true };
}

function addJob(job, attributes) {
  cacheOf(attributes).set(job.url, job);
  urls[job.number] = job.url;
  return job;
}

function findJob(url, attributes) {
  return cacheOf(attributes).get(url);
}

function setMain(number) {
  mainNumber = number;
}

function isMainJob(number) {
  return number === mainNumber;
}

// Returns the number of the entry point's module, or -1 if the entry point is not a module or not loaded yet.
function mainModule() {
  return mainNumber;
}

function urlOf(number) {
  return urls[number];
}

// ---- Evaluation

// Links, instantiates and starts to evaluate a module synchronously, in a microtask. Changing the count makes the
// watchdog treat the drain as interrupted, because a long evaluation is not an endless microtask drain.
function start(job) {
  const isDraining = (shared[kDrains] & 1) === 1;
  if (isDraining) shared[kDrains]++;
  try {
    job.link(getJob);
    job.instantiate();
    return job.evaluate();
  } finally {
    if (isDraining) shared[kDrains]++;
  }
}

async function run(job) {
  if (job.exports !== undefined) return job.exports;
  const evaluation = start(job);
  try {
    await evaluation;
  } catch (error) {
    explainMissingGlobal(error, job.url, binding.hasAwait(job.number));
    throw error;
  }
  job.exports = job.namespace();
  return job.exports;
}

// Evaluates the module of a URL, for the entry point and --import. Begins in a microtask.
async function importURL(url, isMain) {
  await undefined;
  const { importThroughHooks, isCustomized } = require('internal/modules/esm/customize');
  if (isCustomized()) return importThroughHooks(url, undefined, noAttributes, isMain);
  let format;
  if (hooks.resolvers.length > 0) ({ url, format } = resolveThroughHooks(url, undefined, noAttributes));
  return run(makeJob(url, noAttributes, undefined, isMain, format));
}

// Like importURL(), for text without a file.
async function importSource(url, source) {
  await undefined;
  const job = makeJob(url, noAttributes, source, true);
  const { isCustomized, link } = require('internal/modules/esm/customize');
  if (isCustomized()) await link(job);
  return run(job);
}

// ---- require() of a module

function ignore() {}

const facadeSource =
  "export * from 'original'; export { default } from 'original'; export const __esModule = true;";

// Code compiled from ES modules to CommonJS expects __esModule next to `default`.
function exportsForRequire(job) {
  const namespace = job.namespace();
  if ('module.exports' in namespace) return namespace['module.exports'];
  if (!('default' in namespace) || '__esModule' in namespace) return namespace;
  const facade = binding.compileModule(job.url, facadeSource);
  const requests = binding.requests(facade);
  const targets = [];
  for (let i = 0; i < requests.length; i += 3) ArrayPrototypePush(targets, job.number);
  binding.link(facade, targets);
  binding.instantiate(facade);
  PromisePrototypeThen(binding.evaluate(facade), undefined, ignore);
  return binding.namespaceOf(facade);
}

function cycleError(filename, parent) {
  let message = `Cannot require() ES Module ${filename} in a cycle.`;
  if (parent?.filename) message += ` (from ${parent.filename})`;
  message += ' A cycle involving require(esm) is not allowed to maintain invariants mandated by the ECMAScript ' +
    'specification. Try making at least part of the dependency in the graph lazily loaded.';
  return new ERR_REQUIRE_CYCLE_MODULE(message);
}

function asyncError(job, filename, parent) {
  const stack = parent ? require('internal/modules/cjs/loader').requireStackOf(parent) : [];
  const error = new ERR_REQUIRE_ASYNC_MODULE(filename, stack);
  ErrorCaptureStackTrace(error, requireModule); // Omits frames of the loader, to keep more of the program.
  if (parent) {
    ObjectDefineProperty(error, 'requireStack', {
      __proto__: null, value: stack, writable: true, enumerable: false, configurable: true,
    });
  }
  if (hasFlag('experimental-print-required-tla')) addPlaces(error, job);
  return error;
}

function addPlaces(error, job) {
  const { excerpt, placesIn } = require('internal/modules/esm/await_places');
  const places = placesIn(job);
  if (places.length === 0) return;
  error.stack = excerpt(places) + error.stack;
  ObjectDefineProperty(error, 'topLevelAwaitLocations', {
    __proto__: null, value: places, writable: true, enumerable: false, configurable: true,
  });
}

// --trace-require-module=all or no-node-modules: only the first use is reported.
let hasTraced = false;

function traceRequire(mode, module, parent) {
  if (mode === 'no-node-modules' && (parent === undefined || isUnderNodeModules(parent.filename))) return;
  let prefix = '';
  if (parent) {
    const name = parent.filename || parent.id;
    const from = name === 'internal/preload' ? '--require' : `CommonJS module ${name}`;
    prefix = `${from} is loading ES Module ${module.id || module.filename} using require().\n`;
  }
  process.emitWarning(
    `${prefix}Support for loading ES Module in require() is an experimental feature and might change at ` +
    'any time', 'ExperimentalWarning');
  hasTraced = true;
}

// CommonJS modules whose ES module is being loaded.
const underWay = new SafeSet();

function isUnderWay(module) {
  return underWay.has(module);
}

function isTypeless(filename) {
  return RegExpPrototypeExec(/\.[jt]s$/, filename) !== null && filename[0] === '/' &&
    packages.typeOf(filename) === 'none';
}

// Sets the exports of the CommonJS module `module` to those of the ES module in `source`.
function requireModule(module, filename, source, parent, isMain) {
  const url = filename[0] === '/' ? pathToHref(filename) : filename;
  if (isMain) {
    if (isTypeless(filename)) warnOfTypeless(filename);
    ObjectDefineProperty(process, 'mainModule', {
      __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true,
    });
    require('internal/modules/run_main').runEntryPoint(() => importSource(url, source));
    return;
  }
  const traced = getFlag('trace-require-module');
  if (traced !== undefined && !hasTraced) traceRequire(traced, module, parent);
  underWay.add(module);
  try {
    ObjectDefineProperty(module, 'exports', {
      __proto__: null,
      value: requireSource(url, source, filename, parent),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } finally {
    underWay.delete(module);
  }
}

function requireSource(url, source, filename, parent) {
  const known = jobs.get(url);
  const job = makeJob(url, noAttributes, source, false);
  // An import() has linked the module, but not evaluated it yet.
  if (known === job && job.isLinked && !job.hasFailed && binding.status(job.number) === binding.kUninstantiated) {
    throw new ERR_REQUIRE_ESM_RACE_CONDITION(filename, parent?.filename);
  }
  return requireJob(job, filename, parent);
}

// Evaluates a module synchronously for require().
function requireJob(job, filename, parent) {
  if (!job.hasFailed && binding.status(job.number) === binding.kEvaluating) throw cycleError(filename, parent);
  job.link(getJob);
  job.instantiate();
  if (binding.isAsync(job.number)) throw asyncError(job, filename, parent);
  if (binding.status(job.number) === binding.kEvaluating) throw cycleError(filename, parent);
  const promise = job.evaluate();
  if (binding.status(job.number) === binding.kErrored) {
    const error = binding.error(job.number);
    explainMissingGlobal(error, job.url, false);
    throw error;
  }
  if (binding.promiseState(promise)[0] === 0) throw cycleError(filename, parent);
  if (job.format === 'builtin' || job.format === 'json' || job.format === 'text') return job.namespace().default;
  return exportsForRequire(job);
}

module.exports = {
  addJob,
  cycleError,
  findJob,
  getJob,
  importSource,
  importURL,
  isMainJob,
  isUnderWay,
  mainModule,
  makeJob,
  requireJob,
  requireModule,
  resolveThroughHooks,
  run,
  setHooks,
  setMain,
  urlOf,
};
