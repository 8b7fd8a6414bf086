'use strict';

// Resolves the argument of require() to a file: extensions, directories, packages, node_modules.

const {
  ArrayIsArray,
  ArrayPrototypeConcat,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeUnshift,
  Error,
  ObjectKeys,
  RegExpPrototypeExec,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const binding = internalBinding('module_fs');
const { codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_MODULE_SPECIFIER } } = require('internal/errors');
const { validateString } = require('internal/validators');
const { toRealPath } = require('internal/modules/files');
const packages = require('internal/modules/package_json_reader');
const { getRequireConditions, packageExportsResolve } = require('internal/modules/package_resolve');
const { hrefToPath, pathToHref, isRelative } = require('internal/modules/urls');
const path = require('path');

const SLASH = 0x2f;
const DOT = 0x2e;

// ---- The file system, remembered

let statOfFile = binding.stat;
// Cache of stat() results during a require(), which checks the same files repeatedly. Afterwards files may change.
let statCache = null;
let depth = 0;

function stat(filename) {
  if (statCache === null) return statOfFile(filename);
  const known = statCache.get(filename);
  if (known !== undefined) return known;
  const result = statOfFile(filename);
  if (result >= 0) statCache.set(filename, result);
  return result;
}

function enterRequire() {
  if (depth++ === 0) statCache = new SafeMap();
}

function leaveRequire() {
  if (--depth === 0) statCache = null;
}

let preserveSymlinks;
let preserveSymlinksMain;
function resolveLinks(filename, isMain) {
  if (preserveSymlinks === undefined) {
    const { hasFlag } = require('internal/options');
    // Read lazily, because a worker has its own environment.
    preserveSymlinks = hasFlag('preserve-symlinks') || process.env.NODE_PRESERVE_SYMLINKS === '1';
    preserveSymlinksMain = hasFlag('preserve-symlinks-main') || process.env.NODE_PRESERVE_SYMLINKS_MAIN === '1';
  }
  return (isMain ? preserveSymlinksMain : preserveSymlinks) ? path.resolve(filename) : toRealPath(filename);
}

// ---- Files and directories

function tryFile(filename, isMain) {
  return stat(filename) === 0 ? resolveLinks(filename, isMain) : false;
}

function tryExtensions(base, extensions, isMain) {
  for (let i = 0; i < extensions.length; i++) {
    const filename = tryFile(base + extensions[i], isMain);
    if (filename) return filename;
  }
  return false;
}

function tryPackage(directory, extensions, isMain, request) {
  const pkg = packages.read(path.resolve(directory, 'package.json'));
  const { main } = pkg;
  if (!main) return tryExtensions(path.resolve(directory, 'index'), extensions, isMain);
  const filename = path.resolve(directory, main);
  let found = tryFile(filename, isMain) || tryExtensions(filename, extensions, isMain) ||
    tryExtensions(path.resolve(filename, 'index'), extensions, isMain);
  if (found) return found;
  found = tryExtensions(path.resolve(directory, 'index'), extensions, isMain);
  if (!found) {
    const error = new Error(
      `Cannot find module '${filename}'. Please verify that the package.json has a valid "main" entry`);
    error.code = 'MODULE_NOT_FOUND';
    error.path = pkg.path;
    error.requestPath = request;
    throw error;
  }
  process.emitWarning(
    `Invalid 'main' field in '${pkg.path}' of '${main}'. Please either fix that or report it to the module author`,
    'DeprecationWarning', 'DEP0128');
  return found;
}

// ---- Packages with "exports"

// The target of "exports" must be a file; no extension is added.
function finishExports(resolved, parentPath, packagePath) {
  if (StringPrototypeCharCodeAt(resolved, 0) !== SLASH) {
    if (RegExpPrototypeExec(/%2f|%5c/i, resolved) !== null) {
      throw new ERR_INVALID_MODULE_SPECIFIER(resolved, 'must not include encoded "/" or "\\" characters', parentPath);
    }
    resolved = hrefToPath(resolved);
  }
  const filename = tryFile(resolved, false);
  if (filename) return filename;
  const error = new Error(`Cannot find module '${resolved}'`);
  error.code = 'MODULE_NOT_FOUND';
  error.path = packagePath;
  throw error;
}

const packageName = /^((?:@[^/\\%]+\/)?[^./\\%][^/\\%]*)(\/.*)?$/;

function resolveExports(directory, request) {
  const match = RegExpPrototypeExec(packageName, request);
  if (match === null) return undefined;
  const packagePath = path.resolve(directory, match[1]);
  const pkg = packages.read(`${packagePath}/package.json`);
  if (!pkg.exists || pkg.exports === undefined) return undefined;
  const resolved = packageExportsResolve(pkg, `.${match[2] ?? ''}`, undefined, getRequireConditions());
  return finishExports(resolved, undefined, pkg.path);
}

// --experimental-package-map: undefined if the package is not a dependency of the file's package, false if the file
// does not exist.
function findByMap(request, parentPath, cache, extensions) {
  const found = require('internal/modules/package_map').lookUp(request, parentPath);
  if (found === undefined) return undefined;
  const { directory, subpath } = found;
  const pkg = packages.read(`${directory}/package.json`);
  if (pkg.exports === undefined) return findPath(subpath, [directory], false, cache, extensions);
  const resolved = packageExportsResolve(pkg, subpath, pathToHref(parentPath), getRequireConditions());
  return finishExports(resolved, parentPath, pkg.path);
}

// A package with "exports" may require itself by its name.
function trySelf(parentPath, request) {
  if (!parentPath) return undefined;
  const pkg = packages.packageOf(parentPath);
  if (pkg === null || pkg.exports === undefined || pkg.name === undefined) return undefined;
  let subpath;
  if (request === pkg.name) subpath = '.';
  else if (StringPrototypeSlice(request, 0, pkg.name.length + 1) === `${pkg.name}/`) {
    subpath = `.${StringPrototypeSlice(request, pkg.name.length)}`;
  } else {
    return undefined;
  }
  const resolved = packageExportsResolve(pkg, subpath, pathToHref(parentPath), getRequireConditions());
  return finishExports(resolved, parentPath, pkg.path);
}

// ---- The search

function endsAsDirectory(request) {
  const { length } = request;
  if (length === 0) return false;
  const last = StringPrototypeCharCodeAt(request, length - 1);
  if (last === SLASH) return true;
  if (last !== DOT) return false;
  if (length === 1) return true;
  const before = StringPrototypeCharCodeAt(request, length - 2);
  if (before === SLASH) return true;
  return before === DOT && (length === 2 || StringPrototypeCharCodeAt(request, length - 3) === SLASH);
}

// Returns the file of `request` in one of the directories `paths`, or false. `cache` is Module._pathCache, and
// `extensions` Module._extensions.
function findPath(request, paths, isMain, cache, extensions) {
  const isAbsolute = path.isAbsolute(request);
  if (isAbsolute) paths = [''];
  else if (!paths || paths.length === 0) return false;

  const key = `${request}\x00${paths.length === 1 ? paths[0] : ArrayPrototypeJoin(paths, '\x00')}`;
  const known = cache[key];
  if (known) return known;

  const isDirectory = endsAsDirectory(request);
  const relative = isRelative(request);
  // A request that begins with '..' can be resolved even if the directory itself does not exist.
  const leaves = relative && StringPrototypeStartsWith(path.normalize(request), '..');
  let suffixes;
  for (let i = 0; i < paths.length; i++) {
    const directory = paths[i];
    if (directory && !leaves && stat(directory) < 1) continue;
    if (!isAbsolute && !relative) {
      const exported = resolveExports(directory, request);
      if (exported) return exported;
    }
    const base = path.resolve(directory, request);
    const kind = stat(base);
    let filename = false;
    if (!isDirectory) {
      if (kind === 0) filename = resolveLinks(base, isMain);
      if (!filename) {
        suffixes ??= ObjectKeys(extensions);
        filename = tryExtensions(base, suffixes, isMain);
      }
    }
    if (!filename && kind === 1) {
      suffixes ??= ObjectKeys(extensions);
      filename = tryPackage(base, suffixes, isMain, request);
    }
    if (filename) {
      cache[key] = filename;
      return filename;
    }
  }
  return false;
}

// Returns the paths that a failed search tried: package directories, or for a path the names with each extension.
function triedPaths(request, paths, extensions) {
  const tried = [];
  const isAbsolute = path.isAbsolute(request);
  if (isAbsolute) paths = [''];
  if (!paths) return tried;
  for (let i = 0; i < paths.length; i++) {
    const base = path.resolve(paths[i], request);
    ArrayPrototypePush(tried, base);
    if (!isAbsolute && !isRelative(request)) continue;
    const suffixes = ObjectKeys(extensions);
    for (let j = 0; j < suffixes.length; j++) ArrayPrototypePush(tried, base + suffixes[j]);
    if (stat(base) !== 1) continue;
    for (let j = 0; j < suffixes.length; j++) ArrayPrototypePush(tried, `${base}/index${suffixes[j]}`);
  }
  return tried;
}

// ---- Directories to search

function nodeModulePaths(from) {
  from = path.resolve(from);
  if (from === '/') return ['/node_modules'];
  const paths = [];
  let end = from.length;
  while (end > 0) {
    const slash = StringPrototypeLastIndexOf(from, '/', end - 1);
    if (StringPrototypeSlice(from, slash + 1, end) !== 'node_modules') {
      ArrayPrototypePush(paths, `${StringPrototypeSlice(from, 0, end)}/node_modules`);
    }
    end = slash;
  }
  ArrayPrototypePush(paths, '/node_modules');
  return paths;
}

// Returns the directories for the option `paths` of require.resolve().
function lookupPathsOfOptions(request, paths, Module) {
  if (!ArrayIsArray(paths)) throw new ERR_INVALID_ARG_VALUE('options.paths', paths);
  for (let i = 0; i < paths.length; i++) validateString(paths[i], `paths[${i}]`);
  if (isRelative(request)) return paths;
  const fakeParent = new Module('', null);
  const found = [];
  for (let i = 0; i < paths.length; i++) {
    fakeParent.paths = Module._nodeModulePaths(paths[i]);
    const lookups = Module._resolveLookupPaths(request, fakeParent) ?? [];
    for (let j = 0; j < lookups.length; j++) {
      if (!ArrayPrototypeIncludes(found, lookups[j])) ArrayPrototypePush(found, lookups[j]);
    }
  }
  return found;
}

// Returns NODE_PATH, then the directories in the home directory and next to the executable.
function globalPaths() {
  const { env } = process;
  const paths = [path.resolve(process.execPath, '..', '..', 'lib', 'node')];
  const home = env.HOME;
  if (home) {
    ArrayPrototypeUnshift(paths, path.resolve(home, '.node_modules'), path.resolve(home, '.node_libraries'));
  }
  const fromEnv = env.NODE_PATH;
  if (!fromEnv) return paths;
  const first = [];
  const parts = StringPrototypeSplit(fromEnv, path.delimiter);
  for (let i = 0; i < parts.length; i++) if (parts[i]) ArrayPrototypePush(first, parts[i]);
  return ArrayPrototypeConcat(first, paths);
}

// Returns the longest registered extension of a name: for 'a.test.js' tries '.test.js', then '.js'.
function findExtension(filename, extensions) {
  const name = StringPrototypeSlice(filename, StringPrototypeLastIndexOf(filename, '/') + 1);
  for (let i = 1; i < name.length; i++) { // A leading dot does not begin an extension.
    if (StringPrototypeCharCodeAt(name, i) !== DOT) continue;
    const extension = StringPrototypeSlice(name, i);
    if (extensions[extension]) return extension;
  }
  return '.js';
}

function endsWithSlash(filename) {
  return StringPrototypeEndsWith(filename, '/');
}

module.exports = {
  endsWithSlash,
  enterRequire,
  findByMap,
  findExtension,
  findPath,
  finishExports,
  getStat() {
    return statOfFile;
  },
  globalPaths,
  leaveRequire,
  lookupPathsOfOptions,
  nodeModulePaths,
  reset() {
    preserveSymlinks = undefined;
    preserveSymlinksMain = undefined;
  },
  resolveLinks,
  setStat(replacement) {
    statOfFile = replacement;
    statCache = depth > 0 ? new SafeMap() : null;
  },
  stat,
  triedPaths,
  trySelf,
};
