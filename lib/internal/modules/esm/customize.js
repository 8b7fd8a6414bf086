'use strict';

// module.register() and --experimental-loader, on the program's side. Once there are hooks, the graph of a module is
// built asynchronously, because the hooks run on a separate thread. On that thread itself the hooks are called
// directly.

const {
  ArrayPrototypePush,
  JSONStringify,
  ObjectDefineProperty,
  ObjectKeys,
  RegExpPrototypeSymbolReplace,
  SafeMap,
  SafePromiseAllReturnArrayLike,
  SafeSet,
  SafeWeakMap,
  encodeURIComponent,
} = primordials;

const binding = internalBinding('modules');
const { codes: { ERR_INVALID_RETURN_PROPERTY_VALUE, ERR_UNKNOWN_MODULE_FORMAT } } = require('internal/errors');
const loader = require('internal/modules/esm/loader');
const { isKnownFormat, load: defaultLoad, typeOf } = require('internal/modules/esm/formats');
const { ModuleJob, checkSource } = require('internal/modules/esm/job');
const { translate } = require('internal/modules/esm/translators');
const { getImportConditions } = require('internal/modules/package_resolve');
const syncHooks = require('internal/modules/sync_hooks');
const { isFileHref, lazyURL } = require('internal/modules/urls');

let client; // esm/hooks_client, once a hook is registered
let chains; // esm/hook_chains, on the thread of the hooks
let registerHere;

function lazyClient() {
  if (client === undefined) {
    client = require('internal/modules/esm/hooks_client');
    loader.setHooks(getJobSync);
  }
  return client;
}

function isCustomized() {
  return client !== undefined || (chains !== undefined && chains.hasHooks());
}

// True if hooks run on another thread. Callers can block until such a hook returns.
function isRemote() {
  return client !== undefined;
}

// True on the thread that runs the hooks.
function isHooksThread() {
  return chains !== undefined;
}

// Called on the thread that runs the hooks.
function useChains(list, register) {
  chains = list;
  registerHere = register;
}

// ---- Registration

function register(specifier, parentURL, options) {
  if (typeof parentURL === 'object' && parentURL !== null && !lazyURL().isURL(parentURL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  const args = [`${specifier}`, `${parentURL ?? 'data:'}`, options?.data];
  if (chains !== undefined) registerHere(args[0], args[1], args[2]);
  else lazyClient().requestSync('register', args, options?.transferList);
}

let hasWarned = false;

// module.register(), which is deprecated in favour of registerHooks().
function registerDeprecated(specifier, parentURL = undefined, options = undefined) {
  if (!hasWarned) {
    hasWarned = true;
    process.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.',
      'DeprecationWarning', 'DEP0205');
  }
  register(specifier, parentURL, options);
}
ObjectDefineProperty(registerDeprecated, 'name', { __proto__: null, value: 'register', configurable: true });

// Registers the modules of --experimental-loader before any other module is loaded.
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

// ---- Requests

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

function resolve(specifier, parentURL, pairs) {
  if (client !== undefined && syncHooks.resolvers.length > 0) return resolveSync(specifier, parentURL, pairs);
  const attributes = toAttributes(pairs);
  return chains !== undefined ? chains.resolve(specifier, parentURL, attributes) :
    client.request('resolve', [specifier, parentURL, attributes]);
}

function load(url, format, pairs) {
  if (client !== undefined && syncHooks.loaders.length > 0) return loadSync(url, format, pairs);
  const attributes = toAttributes(pairs);
  if (chains !== undefined) return chains.load(url, format, attributes);
  return client.request('load', [url, format, attributes]);
}

function conditions() {
  const list = [];
  getImportConditions().forEach((condition) => ArrayPrototypePush(list, condition));
  return list;
}

// CommonJS module => function that answers its require.resolve() through hooks
const resolvers = new SafeWeakMap();
syncHooks.byThread = resolvers;

// Resolves synchronously, for import.meta.resolve(), require(), and programs with hooks of module.registerHooks().
// Those hooks are called first; their default step calls the hooks thread.
function resolveSync(specifier, parentURL, pairs) {
  return syncHooks.resolveWithHooks(specifier, parentURL, toAttributes(pairs), conditions(), (next, context) => {
    syncHooks.validateConditions(context.conditions);
    return client.requestSync('resolve', [`${next}`, context.parentURL, context.importAttributes]);
  });
}

function loadSync(url, format, pairs) {
  return syncHooks.loadWithHooks(url, format, toAttributes(pairs), conditions(), (next, context) =>
    client.requestSync('load', [`${next}`, context.format, context.importAttributes]));
}

// ---- Jobs

let types;
function lazyTypes() {
  types ??= require('internal/util/types');
  return types;
}

function textOf(source) {
  if (typeof source === 'string' || source === null || source === undefined) return source;
  const { Buffer } = require('buffer');
  if (lazyTypes().isAnyArrayBuffer(source)) return Buffer.from(source).toString();
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength).toString();
}

function makeJob(url, { format, source: given }, isMain) {
  if (!isKnownFormat(format)) throw new ERR_UNKNOWN_MODULE_FORMAT(format, url);
  let source = format === 'wasm' ? given : textOf(given);
  const isCommonJS = format === 'commonjs' || format === 'commonjs-typescript';
  const isOwnText = isCommonJS && typeof source === 'string';
  if (isCommonJS && !isOwnText) source = isFileHref(url) ? defaultLoad(url, format).source : '';
  if (typeof source !== 'string' && format !== 'builtin' && format !== 'addon' && format !== 'wasm') {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('string, array buffer, or typed array', 'load', 'source', source);
  }
  const number = translate(url, format, source, isMain, isOwnText);
  if (isMain) loader.setMain(number);
  return new ModuleJob(url, format, number);
}

const underWay = new SafeMap(); // URL and type => promise of the job in progress

async function loadJob(url, format, pairs, isMain) {
  return makeJob(url, await load(url, format, pairs), isMain);
}

async function getJob(specifier, parentURL, pairs, isMain) {
  const { url, format, importAttributes } = await resolve(specifier, parentURL, pairs);
  if (importAttributes) pairs = toPairs(importAttributes);
  const known = loader.findJob(url, pairs);
  if (known !== undefined && !known.hasFailed) return known;
  const key = `${typeOf(pairs) ?? ''} ${url}`;
  let promise = underWay.get(key);
  if (promise === undefined) {
    promise = loadJob(url, format, pairs, isMain);
    underWay.set(key, promise);
  }
  let job;
  try {
    job = await promise;
  } finally {
    underWay.delete(key);
  }
  const other = loader.findJob(url, pairs);
  return other !== undefined && !other.hasFailed ? other : loader.addJob(job, pairs);
}

// Like getJob(), for the graph of a require().
function getJobSync(specifier, parentURL, pairs) {
  const { url, format, importAttributes } = resolveSync(specifier, parentURL, pairs);
  if (importAttributes) pairs = toPairs(importAttributes);
  const known = loader.findJob(url, pairs);
  if (known !== undefined && !known.hasFailed) return known;
  return loader.addJob(makeJob(url, loadSync(url, format, pairs), false), pairs);
}

async function findTargets(job) {
  const requests = binding.requests(job.number);
  const jobs = [];
  for (let i = 0; i < requests.length; i += 3) {
    ArrayPrototypePush(jobs, getJob(requests[i], job.url, requests[i + 1], false));
  }
  const targets = await SafePromiseAllReturnArrayLike(jobs);
  const numbers = [];
  const links = [];
  for (let i = 0; i < targets.length; i++) {
    if (targets[i].hasFailed) throw targets[i].failure;
    ArrayPrototypePush(numbers, targets[i].number);
    if (requests[i * 3 + 2]) checkSource(targets[i]);
    else ArrayPrototypePush(links, targets[i]);
  }
  if (job.targets !== undefined) return; // Another import was faster.
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

// Implements import() and the entry point once there are hooks.
async function importThroughHooks(specifier, parentURL, pairs, isMain) {
  const job = await getJob(specifier, parentURL, pairs, isMain);
  if (job.exports === undefined) await link(job);
  return loader.run(job);
}

module.exports = {
  getJob,
  getJobSync,
  importThroughHooks,
  isCustomized,
  isHooksThread,
  isRemote,
  link,
  register,
  registerDeprecated,
  registerFromCommandLine,
  resolveSync,
  resolvers,
  useChains,
};
