'use strict';

// Resolves the specifier of an import to the URL of a module.

const {
  JSONStringify,
  RegExpPrototypeExec,
  SafeMap,
  SafeSet,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIndexOf,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  RegExpPrototypeSymbolReplace,
  StringPrototypeIncludes,
  encodeURI,
} = primordials;

const {
  codes: {
    ERR_INVALID_MODULE_SPECIFIER,
    ERR_INVALID_URL,
    ERR_MODULE_NOT_FOUND,
    ERR_UNSUPPORTED_DIR_IMPORT,
    ERR_UNSUPPORTED_RESOLVE_REQUEST,
  },
} = require('internal/errors');
const { setOwnProperty } = require('internal/util');
const binding = internalBinding('module_fs');
const builtins = require('internal/modules/builtins');
const { toRealPath } = require('internal/modules/files');
const {
  displayed,
  getImportConditions,
  isImportName,
  packageImportsResolve,
  packageResolve,
} = require('internal/modules/package_resolve');
const {
  hrefToPath,
  isFileHref,
  isRelative,
  lazyURL,
  parseAbsolute,
  pathToHref,
  resolveRelative,
  stripQuery,
} = require('internal/modules/urls');

const SLASH = 0x2f;

// Parent URL => specifier => URL. A successful resolution is cached forever.
const known = new SafeMap();

// ---- Files

let preserveSymlinks;
function keepsLinks() {
  preserveSymlinks ??= require('internal/options').hasFlag('preserve-symlinks') ||
    process.env.NODE_PRESERVE_SYMLINKS === '1';
  return preserveSymlinks;
}

function pathOf(href, base) {
  try {
    return hrefToPath(href);
  } catch (error) {
    setOwnProperty(error, 'input', href);
    setOwnProperty(error, 'module', base);
    throw error;
  }
}

// Returns the URL of an existing file with links resolved; `found` is a path or a file: URL.
function finish(found, base) {
  const isPath = StringPrototypeCharCodeAt(found, 0) === SLASH;
  if (!isPath && RegExpPrototypeExec(/%2f|%5c/i, stripQuery(found)) !== null) {
    const { pathname } = new (lazyURL().URL)(found);
    throw new ERR_INVALID_MODULE_SPECIFIER(
      pathname, 'must not include encoded "/" or "\\" characters', displayed(base));
  }
  const path = isPath ? found : pathOf(found, base);
  const kind = binding.stat(path.length > 1 && StringPrototypeEndsWith(path, '/') ?
    StringPrototypeSlice(path, 0, -1) : path);
  if (kind === 1) {
    throw new ERR_UNSUPPORTED_DIR_IMPORT(path, displayed(base), isPath ? pathToHref(found) : found);
  }
  if (kind !== 0) {
    const error = new ERR_MODULE_NOT_FOUND(path, displayed(base), isPath ? pathToHref(found) : found);
    if (base === undefined) error.message = `Cannot find module '${path}'`;
    throw error;
  }
  if (keepsLinks()) return isPath ? pathToHref(found) : found;
  const real = toRealPath(path);
  if (real === path && (isPath || !StringPrototypeIncludes(found, '%'))) return isPath ? pathToHref(found) : found;
  const end = isPath ? '' : StringPrototypeSlice(found, stripQuery(found).length);
  return pathToHref(real) + end;
}

// ---- Specifiers

function unsupportedRequest(specifier, base, cause) {
  const error = new ERR_UNSUPPORTED_RESOLVE_REQUEST(specifier, base);
  if (cause !== undefined) error.cause = cause;
  return error;
}

// With a base that is not a file, only full URLs and names of built-in modules can be resolved.
function resolveAgainstOther(specifier, base) {
  const { URL } = lazyURL();
  try {
    return new URL(specifier, base).href;
  } catch (cause) {
    throw unsupportedRequest(specifier, base, cause);
  }
}

// Rejects a bare name with such a base, which has no directories to search.
function refuseBare(specifier, base) {
  const { URL } = lazyURL();
  if (!URL.canParse('./package.json', base)) throw unsupportedRequest(specifier, base, new ERR_INVALID_URL(specifier));
  throw new ERR_INVALID_URL(base);
}

// Returns a path, a file: URL, or the URL of another module.
function locate(specifier, base, conditions) {
  const isFileBase = isFileHref(base);
  if (isRelative(specifier) || StringPrototypeCharCodeAt(specifier, 0) === SLASH) {
    return isFileBase ? resolveRelative(specifier, base) : resolveAgainstOther(specifier, base);
  }
  if (isImportName(specifier) && isFileBase) {
    return packageImportsResolve(specifier, hrefToPath(stripQuery(base)), base, conditions);
  }
  if (builtins.isBuiltin(specifier)) return `node:${builtins.withoutScheme(specifier)}`;
  const url = parseAbsolute(specifier);
  if (url !== undefined) return url.href;
  if (!isFileBase) return refuseBare(specifier, base);
  return packageResolve(specifier, hrefToPath(stripQuery(base)), base, conditions);
}

// Percent-encodes a path for use as a specifier.
function encoded(path) {
  return RegExpPrototypeSymbolReplace(/[?#]/g, encodeURI(path), (char) => (char === '?' ? '%3F' : '%23'));
}

// Returns the file that require() would have found, as a specifier for the suggestion in the error message.
function commonJSAnswer(specifier, base) {
  const { Module } = require('internal/modules/cjs/loader');
  const path = require('path');
  const parent = hrefToPath(stripQuery(base));
  const asking = new Module(parent, null);
  asking.filename = parent;
  asking.paths = Module._nodeModulePaths(asking.path);
  let found;
  try {
    found = Module._resolveFilename(specifier, asking, false);
  } catch {
    return undefined;
  }
  if (isRelative(specifier)) {
    found = encoded(path.relative(asking.path, found));
    return StringPrototypeStartsWith(found, '../') ? found : `./${found}`;
  }
  if (StringPrototypeCharCodeAt(specifier, 0) === SLASH) return encoded(found);
  const slash = StringPrototypeIndexOf(specifier, '/');
  const name = slash === -1 ? specifier : StringPrototypeSlice(specifier, 0, slash);
  const directory = `/node_modules/${name}/`;
  const start = StringPrototypeLastIndexOf(found, directory);
  if (start === -1) return pathToHref(found); // A file directly in node_modules.
  return `${name}/${encoded(StringPrototypeSlice(found, start + directory.length))}`;
}

function addHints(error, specifier, base) {
  if (builtins.isMissingBuiltin(specifier)) {
    addLine(error, `'${specifier}' is a built-in module of Node that is not in Rondo yet`);
    return;
  }
  if (!isFileHref(base) || isImportName(specifier)) return;
  if (StringPrototypeStartsWith(specifier, 'file://')) specifier = hrefToPath(specifier);
  const answer = commonJSAnswer(specifier, base);
  if (answer !== undefined && answer !== specifier) addLine(error, `Did you mean to import ${JSONStringify(answer)}?`);
}

// Appends a line to the message, and to the stack, which may already have been formatted.
function addLine(error, line) {
  const { stack } = error;
  const end = StringPrototypeIndexOf(stack, '\n    at ');
  error.stack = end === -1 ? `${stack}\n${line}` :
    `${StringPrototypeSlice(stack, 0, end)}\n${line}${StringPrototypeSlice(stack, end)}`;
  error.message += `\n${line}`;
}

// With conditions other than the default ones, the result is not cached.
function resolve(specifier, base, conditions) {
  if (conditions !== undefined && !isDefault(conditions)) return find(specifier, base, new SafeSet(conditions));
  let specifiers = known.get(base);
  if (specifiers === undefined) {
    specifiers = new SafeMap();
    known.set(base, specifiers);
  }
  const before = specifiers.get(specifier);
  if (before !== undefined) return before;
  const url = find(specifier, base, getImportConditions());
  specifiers.set(specifier, url);
  return url;
}

function isDefault(conditions) {
  const set = getImportConditions();
  if (conditions.length !== set.size) return false;
  for (let i = 0; i < conditions.length; i++) if (!set.has(conditions[i])) return false;
  return true;
}

function find(specifier, base, conditions) {
  let url;
  try {
    url = locate(specifier, base, conditions);
    if (StringPrototypeCharCodeAt(url, 0) === SLASH || isFileHref(url)) url = finish(url, base);
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'ERR_UNSUPPORTED_DIR_IMPORT') {
      addHints(error, specifier, base);
    }
    throw error;
  }
  return url;
}

function reset() {
  known.clear();
  preserveSymlinks = undefined;
}

module.exports = { reset, resolve };
