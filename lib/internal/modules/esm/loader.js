'use strict';

// ES modules: the cache of them, their evaluation, and require() of a module. What V8 asks for is in esm/host.
//
// Files are read synchronously, as require() does it. What a program can notice of the asynchrony of Node's loader is kept:
// a module's body runs as a microtask (TICK-08), and import() of a file that is not loaded yet lets the loop turn first.

const {
  ArrayPrototypePush,
  ObjectDefineProperty,
  PromisePrototypeThen,
  SafeMap,
} = primordials;

const binding = internalBinding('modules');
const {
  codes: {
    ERR_REQUIRE_ASYNC_MODULE,
    ERR_REQUIRE_CYCLE_MODULE,
  },
} = require('internal/errors');
const { load, typeOf, validateAttributes } = require('internal/modules/esm/formats');
const { ModuleJob, explainMissingGlobal } = require('internal/modules/esm/job');
const { resolve } = require('internal/modules/esm/resolve');
const { translate } = require('internal/modules/esm/translators');
const { pathToHref } = require('internal/modules/urls');
const { kDrains, shared } = require('internal/shared');

const noAttributes = [];

// URL => job; JSON has a place of its own, as the same URL may not be imported as both.
const jobs = new SafeMap();
const jsonJobs = new SafeMap();
// Number of a module => its URL, for import.meta.
const urls = [];

// Attributes that nobody knows are the importer's fault, and nothing is kept: others may import the same module.
function cacheOf(attributes) {
  if (attributes.length === 0) return jobs;
  return attributes.length === 2 && typeOf(attributes) === 'json' ? jsonJobs : new SafeMap();
}

function makeJob(url, attributes, source, isMain) {
  const cache = cacheOf(attributes);
  const known = cache.get(url);
  if (known !== undefined) return known;
  let job;
  try {
    const loaded = source === undefined ? load(url) : { format: 'module', source };
    validateAttributes(url, loaded.format, attributes);
    job = new ModuleJob(url, loaded.format, translate(url, loaded.format, loaded.source, isMain));
    urls[job.number] = url;
  } catch (error) {
    job = new ModuleJob(url, undefined, -1);
    job.hasFailed = true;
    job.failure = error;
  }
  cache.set(url, job);
  return job;
}

function getJob(specifier, parentURL, attributes) {
  return makeJob(resolve(specifier, parentURL), attributes, undefined, false);
}

function addJob(job, attributes) {
  cacheOf(attributes).set(job.url, job);
  urls[job.number] = job.url;
  return job;
}

function findJob(url, attributes) {
  return cacheOf(attributes).get(url);
}

function urlOf(number) {
  return urls[number];
}

// ---- Evaluation

// All that is done at once. It happens in a microtask, but is no sign of microtasks that do not end, however long it takes:
// the watchdog, who looks at the count, is told that the drain is interrupted.
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
    explainMissingGlobal(error, job.url);
    throw error;
  }
  job.exports = job.namespace();
  return job.exports;
}

// The module of a URL, evaluated: what the entry point and --import use. Begins in a microtask.
async function importURL(url, isMain) {
  await undefined;
  const { importThroughHooks, isCustomized } = require('internal/modules/esm/customize');
  if (isCustomized()) return importThroughHooks(url, undefined, noAttributes, isMain);
  return run(makeJob(url, noAttributes, undefined, isMain));
}

// The same for text that has no file.
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

// CommonJS that was compiled from modules looks for __esModule next to `default`.
function exportsForRequire(job) {
  const namespace = job.namespace();
  if ('module.exports' in namespace) return namespace['module.exports'];
  if (!('default' in namespace) || '__esModule' in namespace) return namespace;
  const facade = binding.compileModule(job.url, facadeSource);
  const requests = binding.requests(facade);
  const targets = [];
  for (let i = 0; i < requests.length; i += 2) ArrayPrototypePush(targets, job.number);
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

// Gives the CommonJS module `module` the exports of the ES module in `source`.
function requireModule(module, filename, source, parent, isMain) {
  const url = pathToHref(filename);
  if (isMain) {
    ObjectDefineProperty(process, 'mainModule', {
      __proto__: null, value: undefined, writable: true, enumerable: true, configurable: true,
    });
    require('internal/modules/run_main').runEntryPoint(() => importSource(url, source));
    return;
  }
  const job = makeJob(url, noAttributes, source, false);
  if (!job.hasFailed && binding.status(job.number) === binding.kEvaluating) throw cycleError(filename, parent);
  job.link(getJob);
  job.instantiate();
  if (binding.isAsync(job.number)) throw new ERR_REQUIRE_ASYNC_MODULE(filename, parent?.filename);
  if (binding.status(job.number) === binding.kEvaluating) throw cycleError(filename, parent);
  const promise = job.evaluate();
  if (binding.status(job.number) === binding.kErrored) {
    const error = binding.error(job.number);
    explainMissingGlobal(error, url);
    throw error;
  }
  if (binding.promiseState(promise)[0] === 0) throw cycleError(filename, parent);
  ObjectDefineProperty(module, 'exports', {
    __proto__: null, value: exportsForRequire(job), writable: true, enumerable: true, configurable: true,
  });
}

module.exports = {
  addJob,
  findJob,
  getJob,
  importSource,
  importURL,
  makeJob,
  requireModule,
  run,
  urlOf,
};
