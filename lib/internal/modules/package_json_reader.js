'use strict';

// package.json files: each is read once, and the nearest one of a directory is remembered for the directory.

const {
  Error,
  JSONParse,
  ObjectPrototypeHasOwnProperty,
  ObjectSetPrototypeOf,
  SafeMap,
  StringPrototypeEndsWith,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
} = primordials;

const { readPackage } = internalBinding('module_fs');
const { codes: { ERR_INVALID_PACKAGE_CONFIG } } = require('internal/errors');
const { lookUp } = require('internal/errors/system');
const { isFileHref, hrefToPath } = require('internal/modules/urls');

const packages = new SafeMap(); // Path of the package.json => Package
const scopes = new SafeMap(); // Directory => Package, or null

// A program may have put anything on Object.prototype.
function own(data, key) {
  return data !== undefined && ObjectPrototypeHasOwnProperty(data, key) ? data[key] : undefined;
}

class Package {
  constructor(path, data) {
    this.exists = data !== undefined;
    this.path = path; // Of the package.json
    this.directory = StringPrototypeSlice(path, 0, -'/package.json'.length) || '/';
    const name = own(data, 'name');
    const main = own(data, 'main');
    const type = own(data, 'type');
    const imports = own(data, 'imports');
    this.name = typeof name === 'string' ? name : undefined;
    this.main = typeof main === 'string' ? main : undefined;
    this.type = type === 'module' || type === 'commonjs' ? type : 'none';
    this.exports = own(data, 'exports') ?? undefined;
    this.imports = typeof imports === 'object' && imports !== null ? imports : undefined;
  }
}
// No prototype: assignments to properties must not call a setter that a program has put on Object.prototype.
ObjectSetPrototypeOf(Package.prototype, null);

// With a `specifier` the asker is an import in the module at `base`; without one it is require().
function parse(text, path, base, specifier) {
  try {
    const data = JSONParse(text);
    return typeof data === 'object' && data !== null ? data : {};
  } catch {
    const from = base === undefined ? undefined :
      (specifier !== undefined ? `"${specifier}" from ` : '') + (isFileHref(base) ? hrefToPath(base) : base);
    throw new ERR_INVALID_PACKAGE_CONFIG(from === undefined ? `${path}.` : path, from === undefined ? from :
      `${from}.`);
  }
}

// Taking a file that cannot be read for one that is not there could resolve a name to another file.
function unreadable(path, errno) {
  const { 1: words } = lookUp(errno);
  const error = new Error(`Cannot read package config ${path}: ${words}.`);
  error.code = 'ERR_INVALID_PACKAGE_CONFIG';
  return error;
}

// The Package at this path; `exists` is false where there is none.
function read(path, base, specifier) {
  const known = packages.get(path);
  if (known !== undefined) return known;
  const text = readPackage(path);
  if (typeof text === 'number') throw unreadable(path, text);
  const made = new Package(path, text === undefined ? undefined : parse(text, path, base, specifier));
  packages.set(path, made);
  return made;
}

function nearest(directory, base, specifier) {
  const known = scopes.get(directory);
  if (known !== undefined) return known;
  let found = null;
  // A package begins below node_modules, never at it.
  if (!StringPrototypeEndsWith(directory, '/node_modules')) {
    const own = read(directory === '/' ? '/package.json' : `${directory}/package.json`, base, specifier);
    if (own.exists) {
      found = own;
    } else if (directory !== '/') {
      const slash = StringPrototypeLastIndexOf(directory, '/');
      found = nearest(slash === 0 ? '/' : StringPrototypeSlice(directory, 0, slash), base, specifier);
    }
  }
  scopes.set(directory, found);
  return found;
}

// The Package that the file at an absolute path belongs to, or null.
function packageOf(filename, base, specifier) {
  if (filename[0] !== '/') return null; // A URL that a hook made up.
  const slash = StringPrototypeLastIndexOf(filename, '/');
  return nearest(slash === 0 ? '/' : StringPrototypeSlice(filename, 0, slash), base, specifier);
}

// The "type" of the nearest package.json: 'module', 'commonjs' or 'none'.
function typeOf(filename) {
  const found = packageOf(filename);
  return found === null ? 'none' : found.type;
}

function reset() {
  packages.clear();
  scopes.clear();
}

module.exports = { packageOf, read, reset, typeOf };
