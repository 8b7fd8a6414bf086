'use strict';

// Reads package.json files. Each is read once, and the nearest one of each directory is cached.

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

// Reads only own properties, because a program may have modified Object.prototype.
function own(data, key) {
  return data !== undefined && ObjectPrototypeHasOwnProperty(data, key) ? data[key] : undefined;
}

class Package {
  constructor(path, data) {
    this.exists = data !== undefined;
    this.path = path; // Path of the package.json.
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

// `specifier` is set if an import in the module at `base` needs the file, and undefined for require().
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

// An unreadable file is an error: treating it as missing could resolve a name to another file.
function unreadable(path, errno) {
  const { 1: words } = lookUp(errno);
  const error = new Error(`Cannot read package config ${path}: ${words}.`);
  error.code = 'ERR_INVALID_PACKAGE_CONFIG';
  return error;
}

// Returns the Package at this path; `exists` is false if there is no file.
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
  // node_modules itself is never the directory of a package.
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

// Returns the Package that contains the file at an absolute path, or null.
function packageOf(filename, base, specifier) {
  if (filename[0] !== '/') return null; // A URL from a hook.
  const slash = StringPrototypeLastIndexOf(filename, '/');
  return nearest(slash === 0 ? '/' : StringPrototypeSlice(filename, 0, slash), base, specifier);
}

// Returns the "type" of the nearest package.json: 'module', 'commonjs' or 'none'.
function typeOf(filename) {
  const found = packageOf(filename);
  return found === null ? 'none' : found.type;
}

function reset() {
  packages.clear();
  scopes.clear();
}

module.exports = { packageOf, read, reset, typeOf };
