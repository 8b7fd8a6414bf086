'use strict';

// module.register(): functions of the user's that take part in resolving and loading ES modules. Each may ask the one
// registered before it; the last in line is the loader itself. Node runs them on a thread of their own; here they are
// modules of the program, and the graph is put together step by step, as each of them may take its time.

const {
  ArrayPrototypePush,
  JSONStringify,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  PromisePrototypeThen,
  RegExpPrototypeSymbolReplace,
  SafeMap,
  SafePromiseAllReturnArrayLike,
  SafeSet,
  encodeURIComponent,
} = primordials;

const binding = internalBinding('modules');
const {
  codes: {
    ERR_INVALID_RETURN_PROPERTY_VALUE,
    ERR_INVALID_RETURN_VALUE,
    ERR_LOADER_CHAIN_INCOMPLETE,
    ERR_REQUIRE_ASYNC_MODULE,
    ERR_UNKNOWN_MODULE_FORMAT,
  },
} = require('internal/errors');
const loader = require('internal/modules/esm/loader');
const { formatHint, load: defaultLoad, typeOf, validateAttributes } = require('internal/modules/esm/formats');
const { ModuleJob, checkSource } = require('internal/modules/esm/job');
const { resolve: defaultResolve } = require('internal/modules/esm/resolve');
const { translate } = require('internal/modules/esm/translators');
const { getImportConditions } = require('internal/modules/package_resolve');
const { isFileHref, lazyURL } = require('internal/modules/urls');

const resolvers = []; // { name, call }, in the order of their registration.
const loaders = [];
let initialization; // The promise of those that are still being initialised.

function isCustomized() {
  return resolvers.length > 0 || loaders.length > 0;
}

// ---- Registration

function register(specifier, parentURL, options) {
  if (typeof parentURL === 'object' && parentURL !== null && !lazyURL().isURL(parentURL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  const job = loader.getJob(`${specifier}`, parentURL === undefined ? 'data:' : `${parentURL}`, []);
  const { initialize, resolve, load } = evaluateAtOnce(job);
  if (typeof initialize === 'function') {
    const result = initialize(options?.data);
    if (typeof result?.then === 'function') {
      const before = initialization;
      initialization = (async () => {
        await before;
        await result;
      })();
    }
  }
  if (typeof resolve === 'function') ArrayPrototypePush(resolvers, { name: `${specifier} 'resolve'`, call: resolve });
  if (typeof load === 'function') ArrayPrototypePush(loaders, { name: `${specifier} 'load'`, call: load });
}

let hasWarned = false;

// module.register(): what programs should call is registerHooks().
function registerDeprecated(specifier, parentURL = undefined, options = undefined) {
  if (!hasWarned) {
    hasWarned = true;
    process.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.',
                        'DeprecationWarning', 'DEP0205');
  }
  register(specifier, parentURL, options);
}
ObjectDefineProperty(registerDeprecated, 'name', { __proto__: null, value: 'register', configurable: true });

// --experimental-loader: registered before anything is loaded.
function registerFromCommandLine(list) {
  let calls = '';
  for (let i = 0; i < list.length; i++) {
    const name = RegExpPrototypeSymbolReplace(/'/g, encodeURIComponent(JSONStringify(list[i])), '%27');
    const readable = RegExpPrototypeSymbolReplace(/%2F/gi, RegExpPrototypeSymbolReplace(/%22/g, name, '"'), '/');
    calls += `${i > 0 ? '; ' : ''}register(${readable}, pathToFileURL("./"))`;
  }
  process.emitWarning(
    '`--experimental-loader` may be removed in the future; instead use `register()`:\n' +
    '--import \'data:text/javascript,import { register } from "node:module"; import { pathToFileURL } from "node:url"; ' +
    `${calls};'`, 'ExperimentalWarning');
  const { currentDirectory } = require('internal/modules/esm/host');
  for (let i = 0; i < list.length; i++) register(list[i], currentDirectory());
}

function ignore() {}

function evaluateAtOnce(job) {
  job.link(loader.getJob);
  job.instantiate();
  if (binding.isAsync(job.number)) throw new ERR_REQUIRE_ASYNC_MODULE(job.url);
  PromisePrototypeThen(job.evaluate(), undefined, ignore);
  if (binding.status(job.number) === binding.kErrored) throw binding.error(job.number);
  return job.namespace();
}

// ---- Chains

// Calls the hook at `index`, and checks that it answered or asked on. `last` is what stands behind the first of them.
async function callChain(hooks, index, argument, context, last, nameOfNext) {
  if (index < 0) return last(argument, context);
  const hook = hooks[index];
  let hasAsked = false;
  const next = (nextArgument = argument, nextContext = undefined) => {
    hasAsked = true;
    const merged = nextContext === undefined || nextContext === context ? context :
      withAssertions(ObjectAssign({}, plain(context), renamed(nextContext)));
    return callChain(hooks, index - 1, `${nextArgument}`, merged, last, nameOfNext);
  };
  const answer = await hook.call(argument, context, next);
  if (typeof answer !== 'object' || answer === null) {
    throw new ERR_INVALID_RETURN_VALUE('an object', `${hook.name} hook's ${nameOfNext}()`, answer);
  }
  if (!hasAsked && answer.shortCircuit !== true) throw new ERR_LOADER_CHAIN_INCOMPLETE(hook.name);
  return answer;
}

function toPairs(attributes) {
  const pairs = [];
  const keys = ObjectKeys(attributes);
  for (let i = 0; i < keys.length; i++) ArrayPrototypePush(pairs, keys[i], attributes[keys[i]]);
  return pairs;
}

function toAttributes(pairs) {
  const attributes = { __proto__: null };
  for (let i = 0; i < pairs.length; i += 2) attributes[pairs[i]] = pairs[i + 1];
  return attributes;
}

// Without the accessor, which is no property of its own.
function plain({ conditions: list, format, importAttributes, parentURL }) {
  return { conditions: list, format, importAttributes, parentURL };
}

function warnOfAssertions() {
  process.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

// The context or the answer of a hook, with what it calls assertions under their new name.
function renamed(object) {
  if (!ObjectPrototypeHasOwnProperty(object, 'importAssertions')) return object;
  warnOfAssertions();
  const { importAssertions, ...rest } = object;
  return { importAttributes: importAssertions, ...rest };
}

// The old name of the attributes, for hooks that were written for it.
function withAssertions(context) {
  return ObjectDefineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOfAssertions();
      return this.importAttributes;
    },
    set(value) {
      warnOfAssertions();
      this.importAttributes = value;
    },
  });
}

function conditions() {
  const list = [];
  getImportConditions().forEach((condition) => ArrayPrototypePush(list, condition));
  return list;
}

function lastResolver(specifier, { parentURL }) {
  const url = parentURL === undefined ? specifier : defaultResolve(specifier, parentURL);
  return { __proto__: null, url, format: formatHint(url) };
}

async function resolve(specifier, parentURL, pairs) {
  const importAttributes = toAttributes(pairs);
  const context = withAssertions({ conditions: conditions(), importAttributes, parentURL });
  const index = resolvers.length - 1;
  const answer = renamed(await callChain(resolvers, index, specifier, context, lastResolver, 'nextResolve'));
  if (typeof answer.url !== 'string') {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a URL string', resolvers[index]?.name, 'url', answer.url);
  }
  const { format } = answer;
  if (format !== undefined && format !== null && typeof format !== 'string') {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a string', resolvers[index]?.name, 'format', format);
  }
  return answer;
}

// The text comes as a Buffer, as hooks expect it. CommonJS is read when it runs.
function lastLoader(url, context) {
  const { format, source } = defaultLoad(url, context.format ?? undefined, toPairs(context.importAttributes));
  return {
    __proto__: null,
    format,
    source: source === undefined || format === 'commonjs' ? null : require('buffer').Buffer.from(source),
    isDefault: true,
  };
}

const formats = new SafeSet([
  'addon', 'builtin', 'commonjs', 'commonjs-typescript', 'json', 'module', 'module-typescript', 'text',
  'wasm',
]);

function textOf(source) {
  if (typeof source === 'string' || source === null || source === undefined) return source;
  const { Buffer } = require('buffer');
  if (lazyTypes().isAnyArrayBuffer(source)) return Buffer.from(source).toString();
  if (lazyTypes().isArrayBufferView(source)) {
    return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString();
  }
  return `${source}`;
}

let types;
function lazyTypes() {
  types ??= require('internal/util/types');
  return types;
}

// ---- Jobs

const underWay = new SafeMap(); // URL and type => promise of the job

async function makeJob(url, format, pairs, isMain) {
  const importAttributes = toAttributes(pairs);
  const context = withAssertions({ conditions: conditions(), format, importAttributes });
  const answer = await callChain(loaders, loaders.length - 1, url, context, lastLoader, 'nextLoad');
  if (typeof answer.format !== 'string' && answer.format !== undefined && answer.format !== null) {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE(
      'a string', loaders[loaders.length - 1]?.name, 'format', answer.format);
  }
  if (!formats.has(answer.format)) throw new ERR_UNKNOWN_MODULE_FORMAT(answer.format, url);
  validateAttributes(url, answer.format, pairs);
  let source = answer.format === 'wasm' ? answer.source : textOf(answer.source);
  const isOwnText = answer.format === 'commonjs' && typeof source === 'string';
  if (typeof source !== 'string' && answer.format !== 'wasm') source = answer.format === 'commonjs' && isFileHref(url) ? defaultLoad(url).source : '';
  return new ModuleJob(url, answer.format, translate(url, answer.format, source, isMain, isOwnText));
}

async function getJob(specifier, parentURL, pairs, isMain) {
  if (initialization !== undefined) await initialization;
  const { url, format, importAttributes } = await resolve(specifier, parentURL, pairs);
  if (importAttributes) pairs = toPairs(importAttributes);
  const known = loader.findJob(url, pairs);
  if (known !== undefined) return known;
  const key = `${typeOf(pairs) ?? ''} ${url}`;
  let promise = underWay.get(key);
  if (promise === undefined) {
    promise = makeJob(url, format, pairs, isMain);
    underWay.set(key, promise);
  }
  let job;
  try {
    job = await promise;
  } finally {
    underWay.delete(key);
  }
  return loader.findJob(url, pairs) ?? loader.addJob(job, pairs);
}

async function findTargets(job) {
  const requests = binding.requests(job.number);
  const asked = [];
  for (let i = 0; i < requests.length; i += 3) {
    ArrayPrototypePush(asked, getJob(requests[i], job.url, requests[i + 1], false));
  }
  const targets = await SafePromiseAllReturnArrayLike(asked);
  const numbers = [];
  const links = [];
  for (let i = 0; i < targets.length; i++) {
    if (targets[i].hasFailed) throw targets[i].failure;
    ArrayPrototypePush(numbers, targets[i].number);
    if (requests[i * 3 + 2]) checkSource(targets[i]);
    else ArrayPrototypePush(links, targets[i]);
  }
  if (job.targets !== undefined) return; // Another import was quicker.
  binding.link(job.number, numbers);
  job.targets = targets;
  job.links = links;
}

async function link(root) {
  const queue = [root];
  const seen = new SafeSet();
  seen.add(root);
  for (let i = 0; i < queue.length; i++) {
    const job = queue[i];
    if (job.hasFailed) throw job.failure;
    if (job.isLinked) continue;
    if (job.targets === undefined) await findTargets(job);
    for (let j = 0; j < job.links.length; j++) {
      if (seen.has(job.links[j])) continue;
      seen.add(job.links[j]);
      ArrayPrototypePush(queue, job.links[j]);
    }
  }
  for (let i = 0; i < queue.length; i++) queue[i].isLinked = true;
}

// What import() and the entry point do once there are hooks.
async function importThroughHooks(specifier, parentURL, pairs, isMain) {
  const job = await getJob(specifier, parentURL, pairs, isMain);
  if (job.exports === undefined) await link(job);
  return loader.run(job);
}

module.exports = { getJob, importThroughHooks, isCustomized, link, register, registerDeprecated, registerFromCommandLine };
