'use strict';

// Resolves "exports" and "imports" of packages, for both require() and import.
//
// A result is an absolute path ('/a/b.js'), a file: URL if the target contains characters that are special in URLs (%,
// ?, #), or `node:` and the name of a built-in module. `base` is the URL of the importing module; for require() it is
// undefined, and messages do not mention it.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  JSONStringify,
  NumberIsInteger,
  ObjectGetOwnPropertyNames,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  RegExpPrototypeExec,
  SafeSet,
  String,
  StringPrototypeCharCodeAt,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeLastIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  decodeURIComponent,
} = primordials;

const {
  codes: {
    ERR_INVALID_MODULE_SPECIFIER,
    ERR_INVALID_PACKAGE_CONFIG,
    ERR_INVALID_PACKAGE_TARGET,
    ERR_MODULE_NOT_FOUND,
    ERR_PACKAGE_IMPORT_NOT_DEFINED,
    ERR_PACKAGE_PATH_NOT_EXPORTED,
  },
} = require('internal/errors');
const { stat } = internalBinding('module_fs');
const { isBuiltin, withoutScheme } = require('internal/modules/builtins');
const { hasFlag } = require('internal/options');
const packages = require('internal/modules/package_json_reader');
const { hrefToPath, isFileHref, parseAbsolute, pathToHref, resolveRelative } = require('internal/modules/urls');

const SLASH = 0x2f;
const HASH = 0x23;
const needsURL = /[%?#\\]|[^\x20-\x7e]/;

function displayed(base) {
  return base === undefined ? undefined : isFileHref(base) ? hrefToPath(base) : base;
}

function directoryWithSlash(pkg) {
  return pkg.directory === '/' ? '/' : `${pkg.directory}/`;
}

// ---- Targets

function invalidTarget(pkg, match, target, isImport, base) {
  const shown = typeof target === 'object' && target !== null ? JSONStringify(target, null, '') : `${target}`;
  return new ERR_INVALID_PACKAGE_TARGET(directoryWithSlash(pkg), match, shown, isImport, displayed(base));
}

// Finds segments that would leave the package or enter node_modules, in any encoding.
function hasForbiddenSegment(path) {
  let start = 0;
  for (let i = 0; i <= path.length; i++) {
    const code = i === path.length ? SLASH : StringPrototypeCharCodeAt(path, i);
    if (code !== SLASH && code !== 0x5c) continue;
    let segment = StringPrototypeSlice(path, start, i);
    start = i + 1;
    if (StringPrototypeIncludes(segment, '%')) {
      try {
        segment = decodeURIComponent(segment);
      } catch {
        continue;
      }
    }
    if (segment === '.' || segment === '..' || StringPrototypeToLowerCase(segment) === 'node_modules') return true;
  }
  return false;
}

// Resolves './x' in the package to a path, or to a URL if the two differ.
function inPackage(pkg, target) {
  if (RegExpPrototypeExec(needsURL, target) !== null) return resolveRelative(target, pathToHref(pkg.path));
  return directoryWithSlash(pkg) + StringPrototypeSlice(target, 2);
}

// Empty segments are deprecated, but still allowed.
function hasEmptySegment(path) {
  return RegExpPrototypeExec(/^[/\\]|[/\\]{2}|[/\\]$|^$/, path) !== null;
}

function warnOfSegment(pkg, target, match, wildcard, base, isImport, isTarget) {
  if (process.noDeprecation) return;
  const request = wildcard === undefined ? match : StringPrototypeReplaceAll(match, '*', () => wildcard);
  const resolved = wildcard === undefined ? target : StringPrototypeReplaceAll(target, '*', () => wildcard);
  const isDouble = RegExpPrototypeExec(/[/\\]{2}/, isTarget ? resolved : request) !== null;
  process.emitWarning(
    `Use of deprecated ${isDouble ? 'double slash' : 'leading or trailing slash matching'} resolving "${resolved}" for module ` +
    `request "${request}" ${request === match ? '' : `matched to "${match}" `}in the "${isImport ? 'imports' : 'exports'}" ` +
    `field module resolution of the package at ${pkg.path}${base === undefined ? '' : ` imported from ${displayed(base)}`}.`,
    'DeprecationWarning', 'DEP0166');
}

// Specifiers with a trailing slash that were warned about, once per package.
const warnedOfSlash = new SafeSet();

function warnOfTrailingSlash(pkg, subpath, base) {
  const key = `${pkg.path}|${subpath}`;
  if (process.noDeprecation || warnedOfSlash.has(key)) return;
  warnedOfSlash.add(key);
  process.emitWarning(
    `Use of deprecated trailing slash pattern mapping "${subpath}" in the "exports" field module resolution of the package ` +
    `at ${pkg.path}${base === undefined ? '' : ` imported from ${displayed(base)}`}. Mapping specifiers ending in "/" is no ` +
    'longer supported.', 'DeprecationWarning', 'DEP0155');
}

function resolveString(pkg, target, match, wildcard, base, isImport, conditions) {
  if (!StringPrototypeStartsWith(target, './')) {
    if (isImport && !StringPrototypeStartsWith(target, '../') && !StringPrototypeStartsWith(target, '/')) {
      if (parseAbsolute(target) === undefined) {
        const name = wildcard === undefined ? target : StringPrototypeReplaceAll(target, '*', () => wildcard);
        return packageResolve(name, pkg.path, pathToHref(pkg.path), conditions);
      }
    }
    throw invalidTarget(pkg, match, target, isImport, base);
  }
  if (hasForbiddenSegment(StringPrototypeSlice(target, 2))) throw invalidTarget(pkg, match, target, isImport, base);
  const isDirectory = wildcard !== undefined && !isImport && wildcard !== '' &&
    StringPrototypeEndsWith(wildcard, '/') &&
    StringPrototypeEndsWith(match, '*');
  if (!isDirectory && hasEmptySegment(StringPrototypeSlice(target, 2))) {
    warnOfSegment(pkg, target, match, wildcard, base, isImport, true);
  }
  if (wildcard === undefined) return inPackage(pkg, target);
  if (hasForbiddenSegment(wildcard)) {
    const request = StringPrototypeReplaceAll(match, '*', () => wildcard);
    throw new ERR_INVALID_MODULE_SPECIFIER(
      request,
      `request is not a valid match in pattern "${match}" for the "${isImport ? 'imports' : 'exports'}" resolution of ` +
        `${pkg.path}`,
      displayed(base));
  }
  if (!isDirectory && wildcard !== '' && hasEmptySegment(wildcard)) {
    warnOfSegment(pkg, target, match, wildcard, base, isImport, false);
  }
  return inPackage(pkg, StringPrototypeReplaceAll(target, '*', () => wildcard));
}

function isIndex(key) {
  const number = +key;
  return `${number}` === key && NumberIsInteger(number) && number >= 0 && number < 0xffff_ffff;
}

// Returns undefined if no condition applies and the search continues, null if the package excludes the target.
function resolveTarget(pkg, target, match, wildcard, base, isImport, conditions) {
  if (typeof target === 'string') return resolveString(pkg, target, match, wildcard, base, isImport, conditions);
  if (ArrayIsArray(target)) {
    let failure = target.length === 0 ? null : undefined;
    for (let i = 0; i < target.length; i++) {
      let found;
      try {
        found = resolveTarget(pkg, target[i], match, wildcard, base, isImport, conditions);
      } catch (error) {
        if (error.code !== 'ERR_INVALID_PACKAGE_TARGET') throw error;
        failure = error;
        continue;
      }
      if (found === undefined) continue;
      if (found !== null) return found;
      failure = null;
    }
    if (failure === undefined || failure === null) return failure;
    throw failure;
  }
  if (typeof target === 'object' && target !== null) {
    const keys = ObjectGetOwnPropertyNames(target);
    for (let i = 0; i < keys.length; i++) {
      if (isIndex(keys[i])) {
        throw new ERR_INVALID_PACKAGE_CONFIG(pkg.path, base, '"exports" cannot contain numeric property keys.');
      }
    }
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key !== 'default' && !conditions.has(key)) continue;
      const found = resolveTarget(pkg, target[key], match, wildcard, base, isImport, conditions);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (target === null) return null;
  throw invalidTarget(pkg, match, target, isImport, base);
}

// ---- Patterns

// The pattern with the longer part before the star wins, then the longer pattern.
function isBetterPattern(best, key) {
  if (best === '') return true;
  const a = StringPrototypeIndexOf(best, '*');
  const b = StringPrototypeIndexOf(key, '*');
  return b > a || (b === a && key.length > best.length);
}

// Returns the best pattern for `name` among the keys of `map` and the text that its star matches; undefined if none
// matches.
function findPattern(map, name) {
  let best = '';
  let wildcard = '';
  const keys = ObjectKeys(map);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const star = StringPrototypeIndexOf(key, '*');
    if (star === -1 || StringPrototypeLastIndexOf(key, '*') !== star) continue;
    if (!StringPrototypeStartsWith(name, StringPrototypeSlice(key, 0, star))) continue;
    const trailer = StringPrototypeSlice(key, star + 1);
    if (name.length < key.length || !StringPrototypeEndsWith(name, trailer) || !isBetterPattern(best, key)) continue;
    best = key;
    wildcard = StringPrototypeSlice(name, star, name.length - trailer.length);
  }
  return best === '' ? undefined : { key: best, wildcard };
}

// True if `name` begins like one of the patterns.
function hasPatternFor(map, name) {
  const keys = ObjectKeys(map);
  for (let i = 0; i < keys.length; i++) {
    const star = StringPrototypeIndexOf(keys[i], '*');
    if (star !== -1 && StringPrototypeStartsWith(name, StringPrototypeSlice(keys[i], 0, star))) return true;
  }
  return false;
}

// ---- "exports"

// True if "exports" is only the main entry: a string, a list, or conditions.
function isMainOnly(exports, pkg, base) {
  if (typeof exports === 'string' || ArrayIsArray(exports)) return true;
  if (typeof exports !== 'object' || exports === null) return false;
  const keys = ObjectKeys(exports);
  let conditional = false;
  for (let i = 0; i < keys.length; i++) {
    const isCondition = keys[i] === '' || keys[i][0] !== '.';
    if (i === 0) {
      conditional = isCondition;
    } else if (conditional !== isCondition) {
      throw new ERR_INVALID_PACKAGE_CONFIG(
        pkg.path, base,
        '"exports" cannot contain some keys starting with \'.\' and some not. The exports object must either be an ' +
          'object of package subpath keys or an object of main entry condition name keys only.');
    }
  }
  return conditional;
}

function packageExportsResolve(pkg, subpath, base, conditions) {
  let { exports } = pkg;
  if (isMainOnly(exports, pkg, base)) exports = { '.': exports };
  let found;
  if (ObjectPrototypeHasOwnProperty(exports, subpath) && !StringPrototypeIncludes(subpath, '*') &&
      !StringPrototypeEndsWith(subpath, '/')) {
    found = resolveTarget(pkg, exports[subpath], subpath, undefined, base, false, conditions);
  } else {
    const pattern = findPattern(exports, subpath);
    if (StringPrototypeEndsWith(subpath, '/') && hasPatternFor(exports, subpath)) {
      warnOfTrailingSlash(pkg, subpath, base);
    }
    if (pattern !== undefined) {
      found = resolveTarget(pkg, exports[pattern.key], pattern.key, pattern.wildcard, base, false, conditions);
    }
  }
  if (found === undefined || found === null) {
    throw new ERR_PACKAGE_PATH_NOT_EXPORTED(directoryWithSlash(pkg), subpath, displayed(base));
  }
  return found;
}

// ---- "imports"

function packageImportsResolve(name, from, base, conditions) {
  if (name === '#' || StringPrototypeEndsWith(name, '/')) {
    throw new ERR_INVALID_MODULE_SPECIFIER(name, 'is not a valid internal imports specifier name', displayed(base));
  }
  const pkg = packages.packageOf(from, base);
  if (pkg !== null && pkg.imports !== undefined) {
    const { imports } = pkg;
    let found;
    if (ObjectPrototypeHasOwnProperty(imports, name) && !StringPrototypeIncludes(name, '*')) {
      found = resolveTarget(pkg, imports[name], name, undefined, base, true, conditions);
    } else {
      const pattern = findPattern(imports, name);
      if (pattern !== undefined) {
        found = resolveTarget(pkg, imports[pattern.key], pattern.key, pattern.wildcard, base, true, conditions);
      }
    }
    if (found !== undefined && found !== null) return found;
  }
  throw new ERR_PACKAGE_IMPORT_NOT_DEFINED(name, pkg === null ? undefined : directoryWithSlash(pkg), displayed(base));
}

// ---- Bare names, as import resolves them

// Parses '@scope/name/sub' to { name: '@scope/name', subpath: './sub' }.
function parsePackageName(specifier, base) {
  let slash = StringPrototypeIndexOf(specifier, '/');
  let isValid = true;
  if (specifier[0] === '@') {
    isValid = slash !== -1 && specifier.length > 1;
    if (isValid) slash = StringPrototypeIndexOf(specifier, '/', slash + 1);
  }
  const name = slash === -1 ? specifier : StringPrototypeSlice(specifier, 0, slash);
  if (!isValid || RegExpPrototypeExec(/^\.|%|\\/, name) !== null) {
    throw new ERR_INVALID_MODULE_SPECIFIER(specifier, 'is not a valid package name', displayed(base));
  }
  return { name, subpath: `.${slash === -1 ? '' : StringPrototypeSlice(specifier, slash)}` };
}

const mainEndings = ['', '.js', '.json', '.node', '/index.js', '/index.json', '/index.node'];
const indexNames = ['index.js', 'index.json', 'index.node'];

// True if the file is loaded as an ES module: deprecation warnings apply only to those.
function isModule(path) {
  return !StringPrototypeEndsWith(path, '.json') && !StringPrototypeEndsWith(path, '.node') &&
    packages.typeOf(path) === 'module';
}

function warnOfIndex(pkg, path, base) {
  const directory = directoryWithSlash(pkg);
  process.emitWarning(
    `No "main" or "exports" field defined in the package.json for ${directory} resolving the main entry point "${
      StringPrototypeSlice(path,
        directory.length)}", imported from ${displayed(base)}.\nDefault "index" lookups for the ` +
    'main are deprecated for ES modules.', 'DeprecationWarning', 'DEP0151');
}

function warnOfMain(pkg, path, base) {
  if (!isModule(path)) return;
  if (!pkg.main) {
    warnOfIndex(pkg, path, base);
    return;
  }
  const directory = directoryWithSlash(pkg);
  if (require('path').resolve(directory, pkg.main) === normalized(path)) return;
  process.emitWarning(
    `Package ${directory} has a "main" field set to "${pkg.main}", excluding the full filename and extension to the ` +
    `resolved file at "${StringPrototypeSlice(path, directory.length)}", imported from ${displayed(base)}.\n Automatic ` +
    'extension resolution of the "main" field is deprecated for ES modules.', 'DeprecationWarning', 'DEP0151');
}

function resolveMain(pkg, base) {
  const directory = directoryWithSlash(pkg);
  if (pkg.main !== undefined) {
    const start = StringPrototypeStartsWith(pkg.main, './') ? StringPrototypeSlice(pkg.main, 2) : pkg.main;
    for (let i = 0; i < mainEndings.length; i++) {
      const path = `${directory}${start}${mainEndings[i]}`;
      if (stat(path) === 0) {
        warnOfMain(pkg, path, base);
        return normalized(path);
      }
    }
  }
  for (let i = 0; i < indexNames.length; i++) {
    if (stat(directory + indexNames[i]) === 0) {
      warnOfMain(pkg, directory + indexNames[i], base);
      return directory + indexNames[i];
    }
  }
  throw new ERR_MODULE_NOT_FOUND(normalized(`${directory}${pkg.main ?? 'index.js'}`), displayed(base), null);
}

function normalized(path) {
  return StringPrototypeIncludes(path, '/.') || StringPrototypeIncludes(path, '//') ?
    require('path').normalize(path) : path;
}

// Returns the node_modules directories to search for a file, nearest first.
function nodeModulesOf(from) {
  const found = [];
  let slash = StringPrototypeLastIndexOf(from, '/');
  while (slash !== -1) {
    const directory = StringPrototypeSlice(from, 0, slash);
    if (!StringPrototypeEndsWith(directory, '/node_modules')) ArrayPrototypePush(found, `${directory}/node_modules`);
    slash = slash === 0 ? -1 : StringPrototypeLastIndexOf(directory, '/');
  }
  return found;
}

// Returns the Package for a bare name in the file at `from`, which may itself be in the package; undefined if not
// found.
function findPackage(name, from, base, specifier) {
  const own = packages.packageOf(from, base);
  if (own !== null && own.name === name && own.exports !== undefined) return own;
  const tried = nodeModulesOf(from);
  for (let i = 0; i < tried.length; i++) {
    const directory = `${tried[i]}/${name}`;
    if (stat(directory) === 1) return packages.read(`${directory}/package.json`, base, specifier);
  }
  return undefined;
}

function resolveInPackage(pkg, subpath, base, conditions) {
  if (pkg.exports !== undefined) return packageExportsResolve(pkg, subpath, base, conditions);
  return subpath === '.' ? resolveMain(pkg, base) : inPackage(pkg, subpath);
}

function resolveByMap(specifier, from, base, conditions) {
  const found = require('internal/modules/package_map').lookUp(specifier, from);
  if (found === undefined) throw new ERR_MODULE_NOT_FOUND(specifier, displayed(base), null);
  const pkg = packages.read(`${found.directory}/package.json`, base, specifier);
  return resolveInPackage(pkg, found.subpath, base, conditions);
}

// `from` is the path of the importing file.
function packageResolve(specifier, from, base, conditions) {
  if (isBuiltin(specifier)) return `node:${withoutScheme(specifier)}`;
  if (hasFlag('experimental-package-map')) return resolveByMap(specifier, from, base, conditions);
  const { name, subpath } = parsePackageName(specifier, base);
  const pkg = findPackage(name, from, base, specifier);
  if (pkg !== undefined) return resolveInPackage(pkg, subpath, base, conditions);
  const tried = nodeModulesOf(from);
  const error = new ERR_MODULE_NOT_FOUND(name, displayed(base), null);
  for (let i = 0; i < tried.length; i++) tried[i] = `${tried[i]}/${name}`;
  error.triedPaths = tried;
  throw error;
}

// ---- Conditions

let userConditions;
function getUserConditions() {
  userConditions ??= require('internal/options').getFlags('conditions');
  return userConditions;
}

function makeConditions(first) {
  const user = getUserConditions();
  const set = new SafeSet();
  for (let i = 0; i < first.length; i++) set.add(first[i]);
  for (let i = 0; i < user.length; i++) set.add(String(user[i]));
  return set;
}

// 'node-addons' is not among the conditions, because native addons cannot be loaded.
let requireConditions;
function getRequireConditions() {
  requireConditions ??= makeConditions(['require', 'node', 'module-sync']);
  return requireConditions;
}

// Calls a function during which require() resolves with other conditions.
function withRequireConditions(list, call) {
  const before = requireConditions;
  requireConditions = new SafeSet(list);
  try {
    return call();
  } finally {
    requireConditions = before;
  }
}

let importConditions;
function getImportConditions() {
  importConditions ??= makeConditions(['node', 'import', 'module-sync']);
  return importConditions;
}

function isImportName(specifier) {
  return StringPrototypeCharCodeAt(specifier, 0) === HASH;
}

// Resets the conditions at start-up, because those of the snapshot are not those of the command line.
function reset() {
  userConditions = undefined;
  requireConditions = undefined;
  importConditions = undefined;
}

module.exports = {
  displayed,
  findPackage,
  getImportConditions,
  getRequireConditions,
  isImportName,
  packageExportsResolve,
  packageImportsResolve,
  packageResolve,
  parsePackageName,
  reset,
  withRequireConditions,
};
