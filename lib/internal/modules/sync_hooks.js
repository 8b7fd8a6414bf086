'use strict';

// module.registerHooks(): functions of the program that customize resolving and loading of require() and import,
// synchronously on the same thread. The last one registered is called first; each may call the next one, and the
// default step is the last.

const {
  ArrayIsArray,
  ArrayPrototypeIndexOf,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  ObjectAssign,
  ObjectFreeze,
  StringPrototypeStartsWith,
} = primordials;

const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_RETURN_PROPERTY_VALUE } } = require('internal/errors');
const { SymbolDispose } = require('internal/util');
const { validateFunction } = require('internal/validators');

const resolvers = []; // ModuleHooks objects in the order of registration.
const loaders = [];

function remove(list, hooks) {
  const index = ArrayPrototypeIndexOf(list, hooks);
  if (index !== -1) ArrayPrototypeSplice(list, index, 1);
}

class ModuleHooks {
  constructor(resolve, load) {
    this.resolve = resolve;
    this.load = load;
    if (resolve) ArrayPrototypePush(resolvers, this);
    if (load) ArrayPrototypePush(loaders, this);
    ObjectFreeze(this);
  }

  deregister() {
    remove(resolvers, this);
    remove(loaders, this);
  }
}
ModuleHooks.prototype[SymbolDispose] = ModuleHooks.prototype.deregister;

function registerHooks(hooks) {
  const { resolve, load } = hooks;
  if (resolve) validateFunction(resolve, 'hooks.resolve');
  if (load) validateFunction(load, 'hooks.load');
  return new ModuleHooks(resolve, load);
}

// ---- Chains

// Calls the hooks of a list from the last to the first, then `last`. They share one context.
function callChain(list, name, argument, context, last, validate) {
  let reached = list.length;
  const call = (index, value, changes) => {
    reached = index;
    if (changes && changes !== context) ObjectAssign(context, changes);
    if (index === 0) return validate(value, last(value, context));
    const next = (nextValue, nextContext) => call(index - 1, nextValue, nextContext);
    const result = (0, list[index - 1][name])(value, context, next);
    if (reached === index && !result.shortCircuit) {
      throw new ERR_INVALID_RETURN_PROPERTY_VALUE('true', name, 'shortCircuit', result.shortCircuit);
    }
    return validate(value, result);
  };
  return call(list.length, argument, context);
}

function validateResolved(specifier, { url, format, importAttributes }) {
  if (typeof url !== 'string') throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a URL string', 'resolve', 'url', url);
  if (format && typeof format !== 'string') {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a string', 'resolve', 'format', format);
  }
  if (importAttributes && typeof importAttributes !== 'object') {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('an object', 'resolve', 'importAttributes', importAttributes);
  }
  return { __proto__: null, url, format, importAttributes };
}

function isBytes(source) {
  const types = require('internal/util/types');
  return types.isAnyArrayBuffer(source) || types.isArrayBufferView(source);
}

// Checks the result of a load hook. Built-in modules, addons and CommonJS may lack a source.
function validateLoaded(url, result) {
  const { format, source } = result;
  const mayLack = StringPrototypeStartsWith(url, 'node:') || format === 'addon' || format === 'builtin' ||
    (format === 'commonjs' && (source === null || source === undefined));
  if (!mayLack && typeof source !== 'string' && !isBytes(source)) {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  }
  if (typeof format !== 'string' && format !== undefined && format !== null) {
    throw new ERR_INVALID_RETURN_PROPERTY_VALUE('a string', 'load', 'format', format);
  }
  return result;
}

// Validates the conditions of a context, which a hook may have changed. Returns undefined for the default ones.
function validateConditions(conditions) {
  if (conditions !== undefined && !ArrayIsArray(conditions)) {
    throw new ERR_INVALID_ARG_VALUE('context.conditions', conditions, 'expected an array');
  }
  return conditions;
}

// Returns { url, format, importAttributes }. `last(specifier, context)` resolves without hooks.
function resolveWithHooks(specifier, parentURL, importAttributes, conditions, last) {
  const context = { parentURL, importAttributes, conditions };
  if (resolvers.length === 0) return last(specifier, context);
  return callChain(resolvers, 'resolve', specifier, context, last, validateResolved);
}

// Returns { format, source }. The source is a string if the format is textual.
function loadWithHooks(url, format, importAttributes, conditions, last) {
  const context = { format, importAttributes, conditions };
  if (loaders.length === 0) return last(url, context);
  const result = callChain(loaders, 'load', url, context, last, validateLoaded);
  if (result.format === 'wasm' || !isBytes(result.source)) return result;
  const { TextDecoder } = require('internal/encoding');
  return { __proto__: null, format: result.format, source: new TextDecoder().decode(result.source) };
}

// `byThread`: modules whose require.resolve() is answered by hooks on another thread; set by esm/customize.
module.exports = {
  byThread: undefined,
  loadWithHooks,
  loaders,
  registerHooks,
  resolveWithHooks,
  resolvers,
  validateConditions,
};
