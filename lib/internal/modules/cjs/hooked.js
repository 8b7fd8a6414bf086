'use strict';

// require() with the hooks of module.registerHooks(). Converts between the URLs of hooks and the file names of
// require().

const {
  ArrayPrototypePush,
  SafeWeakMap,
} = primordials;

const { codes: { ERR_UNKNOWN_BUILTIN_MODULE } } = require('internal/errors');
const builtins = require('internal/modules/builtins');
const { readText } = require('internal/modules/files');
const { getRequireConditions, withRequireConditions } = require('internal/modules/package_resolve');
const { loadWithHooks, loaders, resolveWithHooks, validateConditions } = require('internal/modules/sync_hooks');
const { hrefToPath, isFileHref, pathToHref, stripQuery } = require('internal/modules/urls');

// Module => { url, format, source }, as returned by hooks.
const details = new SafeWeakMap();

function toURL(filename) {
  const id = builtins.builtinId(filename);
  if (id !== undefined) return `node:${id}`;
  return filename[0] === '/' ? pathToHref(filename) : filename;
}

function toFilename(url) {
  const id = builtins.builtinId(url);
  if (id !== undefined) return id;
  return isFileHref(url) ? hrefToPath(stripQuery(url)) : url;
}

function conditions() {
  const list = [];
  getRequireConditions().forEach((condition) => ArrayPrototypePush(list, condition));
  return list;
}

function urlOf(module) {
  const known = details.get(module)?.url;
  if (known !== undefined) return known;
  return module.filename ? toURL(module.filename) : undefined;
}

// Resolves a request to { url, format, filename }.
function resolve(request, parent, isMain, options, Module) {
  const parentURL = parent ? urlOf(parent) : undefined;
  const own = conditions();
  const last = (specifier, context) => {
    if (builtins.hasScheme(specifier) && builtins.builtinId(specifier) === undefined) {
      throw new ERR_UNKNOWN_BUILTIN_MODULE(specifier);
    }
    const resolveFilename = () => Module._resolveFilename(specifier, parent, isMain, options);
    const list = validateConditions(context.conditions);
    const found = list === undefined ? resolveFilename() : withRequireConditions(list, resolveFilename);
    return { __proto__: null, url: toURL(found), format: undefined };
  };
  const { url, format } = resolveWithHooks(request, parentURL, undefined, own, last);
  return { __proto__: null, url, format, filename: toFilename(url) };
}

function defaultLoad(url, { format }) {
  return { source: format === 'builtin' ? null : readText(toFilename(url)), format };
}

// Returns { source, format } of a module that is being loaded.
function loadSource(module, filename, format) {
  const known = details.get(module);
  if (known?.source !== undefined) return known;
  if (loaders.length === 0) return { source: readText(filename), format: known?.format ?? format };
  const url = known?.url ?? toURL(filename);
  const loaded = loadWithHooks(url, known?.format ?? format, undefined, conditions(), defaultLoad);
  const result = { url, format: loaded.format ?? known?.format ?? format, source: loaded.source ?? readText(filename) };
  details.set(module, result);
  return result;
}

// Calls the hooks for a built-in module. Returns the module that they replace it with, or undefined.
function loadBuiltin(id) {
  const url = `node:${id}`;
  const { format, source } = loadWithHooks(url, 'builtin', undefined, conditions(), defaultLoad);
  return format && format !== 'builtin' ? { url, format, source } : undefined;
}

module.exports = { details, loadBuiltin, loadSource, resolve, urlOf };
