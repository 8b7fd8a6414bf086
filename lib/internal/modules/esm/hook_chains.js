'use strict';

// The hooks of module.register() on their thread: functions that customize resolving and loading of ES modules. The
// last one registered is called first; each may call the next one, and the default step is the last.

const {
  ArrayPrototypePush,
  ObjectAssign,
  ObjectDefineProperty,
  ObjectKeys,
} = primordials;

const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_RETURN_PROPERTY_VALUE,
    ERR_INVALID_RETURN_VALUE,
    ERR_LOADER_CHAIN_INCOMPLETE,
    ERR_UNKNOWN_MODULE_FORMAT,
  },
} = require('internal/errors');
const { URL } = require('internal/url');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { validateObject, validateString } = require('internal/validators');
const { formatHint, load: defaultLoad, validateAttributes } = require('internal/modules/esm/formats');
const { resolve: defaultResolve } = require('internal/modules/esm/resolve');
const { getImportConditions } = require('internal/modules/package_resolve');

function toPairs(attributes) {
  const pairs = [];
  const keys = ObjectKeys(attributes ?? {});
  for (let i = 0; i < keys.length; i++) ArrayPrototypePush(pairs, keys[i], attributes[keys[i]]);
  return pairs;
}

function defaultConditions() {
  const list = [];
  getImportConditions().forEach((condition) => ArrayPrototypePush(list, condition));
  return list;
}

// ---- The default steps

function lastResolver(specifier, { conditions, parentURL }) {
  const { currentDirectory } = require('internal/modules/esm/host');
  const url = defaultResolve(specifier, parentURL ?? currentDirectory(), conditions);
  return { __proto__: null, url, format: formatHint(url) };
}

// Returns text as a Buffer, as hooks expect. The source of CommonJS is read when it runs.
function lastLoader(url, { format, importAttributes, source: given }) {
  const pairs = toPairs(importAttributes);
  if (given !== undefined && given !== null && typeof format === 'string') {
    validateAttributes(url, format, pairs);
    return { __proto__: null, format, source: given };
  }
  const loaded = defaultLoad(url, format ?? undefined, pairs);
  validateAttributes(url, loaded.format, pairs);
  const hasText = loaded.source !== undefined && loaded.format !== 'commonjs' && loaded.format !== 'addon';
  return {
    __proto__: null,
    format: loaded.format,
    responseURL: url,
    source: hasText ? require('buffer').Buffer.from(loaded.source) : null,
  };
}

// ---- Kinds of hooks

function validateURL(name, url, context) {
  if (typeof url !== 'string') throw new ERR_INVALID_ARG_TYPE(`${name} url`, 'a URL string', url);
  if (!URL.canParse(url)) throw new ERR_INVALID_ARG_VALUE(`${name} url`, url, 'should be a URL string');
  if (context) validateObject(context, `${name} context`);
}

function validateSpecifier(name, specifier, context) {
  validateString(specifier, `${name} specifier`);
  if (context) validateObject(context, `${name} context`);
}

const resolving = {
  name: 'resolve',
  next: 'nextResolve',
  hooks: [], // { url, call }, in the order of registration
  last: { url: 'node:internal/modules/esm/resolve', call: lastResolver },
  validate: validateSpecifier,
};
const loading = {
  name: 'load',
  next: 'nextLoad',
  hooks: [],
  last: { url: 'node:internal/modules/esm/load', call: lastLoader },
  validate: validateURL,
};

let hasWarned = false;

// Adds the hooks of a module, and calls its initialize().
function addHooks(url, { globalPreload, initialize, load, resolve }, data) {
  if (resolve) ArrayPrototypePush(resolving.hooks, { url, call: resolve });
  if (load) ArrayPrototypePush(loading.hooks, { url, call: load });
  if (initialize) return initialize(data);
  if (globalPreload && !hasWarned) {
    hasWarned = true;
    process.emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
  }
  return undefined;
}

function hasHooks() {
  return resolving.hooks.length > 0 || loading.hooks.length > 0;
}

// ---- Chains

function validateOutput(name, output) {
  if (typeof output !== 'object' || output === null) throw new ERR_INVALID_RETURN_VALUE('an object', name, output);
}

// Returns the function that calls the hook at `index`. All hooks of one run share its context.
function makeStep(kind, index, run) {
  const { url, call } = index < 0 ? kind.last : kind.hooks[index];
  const next = index < 0 ? undefined : makeStep(kind, index - 1, run);
  const step = async (argument = undefined, context) => {
    run.hook = `${url} '${kind.name}'`;
    const name = `${run.hook} hook's ${kind.next}()`;
    kind.validate(name, argument, context);
    if (index < 0) run.isComplete = true;
    if (context) ObjectAssign(run.context, context);
    const output = await call(argument, run.context, next);
    validateOutput(name, output);
    if (output.shortCircuit === true) run.isComplete = true;
    return output;
  };
  return ObjectDefineProperty(step, 'name', { __proto__: null, value: kind.next });
}

async function runChain(kind, argument, context) {
  const run = { context: withAssertions(context), hook: '', isComplete: false };
  const output = await makeStep(kind, kind.hooks.length - 1, run)(argument, undefined);
  validateOutput(run.hook, output);
  if (!run.isComplete) throw new ERR_LOADER_CHAIN_INCOMPLETE(run.hook);
  return { hook: run.hook, output };
}

function warnOfAssertions() {
  process.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

// Defines the old name of the attributes, for older hooks.
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

function invalidProperty(wanted, hook, name, value) {
  return new ERR_INVALID_RETURN_PROPERTY_VALUE(wanted, hook, name, value);
}

// Returns { url, format, importAttributes }.
async function resolve(specifier, parentURL, importAttributes) {
  const context = { conditions: defaultConditions(), importAttributes, parentURL };
  const { hook, output } = await runChain(resolving, specifier, context);
  const { format, url } = output;
  if (typeof url !== 'string' || !URL.canParse(url)) throw invalidProperty('a URL string', hook, 'url', url);
  let attributes = output.importAttributes;
  if (!('importAttributes' in output) && 'importAssertions' in output) {
    warnOfAssertions();
    attributes = output.importAssertions;
  }
  if (attributes !== undefined && attributes !== null && typeof attributes !== 'object') {
    throw invalidProperty('an object', hook, 'importAttributes', attributes);
  }
  if (format !== undefined && format !== null && typeof format !== 'string') {
    throw invalidProperty('a string', hook, 'format', format);
  }
  return { __proto__: null, url, format, importAttributes: attributes };
}

function isSource(source) {
  return source === undefined || source === null || typeof source === 'string' || isAnyArrayBuffer(source) ||
    isArrayBufferView(source);
}

// Returns { format, source }, where the source is text, bytes or null.
async function load(url, format, importAttributes) {
  const { hook, output } = await runChain(loading, url, { format, importAttributes });
  const { responseURL = url, source } = output;
  if (typeof responseURL !== 'string' || !URL.canParse(responseURL) || new URL(responseURL).href !== responseURL) {
    throw invalidProperty('undefined or a fully resolved URL string', hook, 'responseURL', responseURL);
  }
  if (output.format === undefined || output.format === null) throw new ERR_UNKNOWN_MODULE_FORMAT(output.format, url);
  if (typeof output.format !== 'string') throw invalidProperty('a string', hook, 'format', output.format);
  if (!isSource(source)) throw invalidProperty('a string, an ArrayBuffer, or a TypedArray', hook, 'source', source);
  return { __proto__: null, format: output.format, source };
}

module.exports = { addHooks, hasHooks, load, resolve };
