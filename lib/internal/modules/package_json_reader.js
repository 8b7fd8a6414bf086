'use strict';

// package.json files: each is read once, and the nearest one of a directory is remembered for the directory.

const {
  JSONParse,
  ObjectPrototypeHasOwnProperty,
  SafeMap,
  StringPrototypeEndsWith,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
} = primordials;

const { readPackage } = internalBinding('module_fs');
const { codes: { ERR_INVALID_PACKAGE_CONFIG } } = require('internal/errors');
const { isFileHref, hrefToPath } = require('internal/modules/urls');

const packages = new SafeMap(); // Path of the package.json => Package
const scopes = new SafeMap(); // Directory => Package, or null

class Package {
  constructor(path, data) {
    this.exists = data !== undefined;
    this.path = path; // Of the package.json
    this.directory = StringPrototypeSlice(path, 0, -'/package.json'.length) || '/';
    this.name = data !== undefined && typeof data.name === 'string' ? data.name : undefined;
    this.main = data !== undefined && typeof data.main === 'string' ? data.main : undefined;
    this.type = data !== undefined && (data.type === 'module' || data.type === 'commonjs') ? data.type : 'none';
    this.exports = undefined;
    this.imports = undefined;
    if (data !== undefined) {
      if (ObjectPrototypeHasOwnProperty(data, 'exports') && data.exports !== null) this.exports = data.exports;
      const { imports } = data;
      if (typeof imports === 'object' && imports !== null) this.imports = imports;
    }
  }
}

// With a `specifier` the asker is an import in the module at `base`; without one it is require().
function parse(text, path, base, specifier) {
  try {
    const data = JSONParse(text);
    return typeof data === 'object' && data !== null ? data : {};
  } catch (error) {
    if (specifier !== undefined || base !== undefined) {
      const from = base === undefined ? undefined :
        (specifier !== undefined ? `"${specifier}" from ` : '') + (isFileHref(base) ? hrefToPath(base) : base);
      throw new ERR_INVALID_PACKAGE_CONFIG(path, from, error.message);
    }
    error.message = `Error parsing ${path}: ${error.message}`;
    error.path = path;
    throw error;
  }
}

// The Package at this path; `exists` is false where there is none.
function read(path, base, specifier) {
  const known = packages.get(path);
  if (known !== undefined) return known;
  const text = readPackage(path);
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
  const slash = StringPrototypeLastIndexOf(filename, '/');
  if (slash === -1) return null;
  return nearest(slash === 0 ? '/' : StringPrototypeSlice(filename, 0, slash), base, specifier);
}

// 'module', 'commonjs' or 'none': what the nearest package.json says that .js files are.
function typeOf(filename) {
  const found = packageOf(filename);
  return found === null ? 'none' : found.type;
}

function reset() {
  packages.clear();
  scopes.clear();
}

module.exports = { packageOf, read, reset, typeOf };
