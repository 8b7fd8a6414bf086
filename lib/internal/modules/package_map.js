'use strict';

// --experimental-package-map: a JSON file lists the packages of a program with their dependencies. Bare names are
// looked up there, not in node_modules.

const {
  JSONParse,
  ObjectKeys,
  SafeMap,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

const {
  codes: {
    ERR_PACKAGE_MAP_EXTERNAL_FILE,
    ERR_PACKAGE_MAP_INVALID,
    ERR_PACKAGE_MAP_KEY_NOT_FOUND,
  },
} = require('internal/errors');
const { emitExperimentalWarning, setOwnProperty } = require('internal/util');
const { fileURLToPath, pathToFileURL, URL } = require('internal/url');
const path = require('path');

let map; // { file, packages: key => { directory, dependencies }, keys: directory => key }

function invalid(file, reason, cause) {
  const error = new ERR_PACKAGE_MAP_INVALID(file, reason);
  if (cause !== undefined) setOwnProperty(error, 'cause', cause);
  return error;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

// Returns the directory of a package.
function directoryOf(file, base, key, entry) {
  const url = isObject(entry) ? entry.url : undefined;
  if (url === undefined) throw invalid(file, `package "${key}" is missing "url" field`);
  if (typeof url !== 'string') {
    throw invalid(file, `package "${key}" has invalid "url" field: expected string, got ${typeof url}`);
  }
  if (url === '') throw invalid(file, `package "${key}" has an empty "url" field`);
  let parsed;
  try {
    parsed = new URL(url, base);
  } catch (error) {
    throw invalid(file, `package "${key}" has invalid url "${url}"`, error);
  }
  if (parsed.protocol !== 'file:') {
    throw invalid(file,
      `package "${key}" has unsupported URL scheme in url "${url}"; only file: URLs and relative URLs ` +
      'are currently supported');
  }
  try {
    return path.resolve(fileURLToPath(parsed));
  } catch (error) {
    throw invalid(file, `package "${key}" has invalid file url "${url}"`, error);
  }
}

function parse(file, data) {
  if (!isObject(data) || !isObject(data.packages)) throw invalid(file, 'missing "packages" object');
  const packages = new SafeMap();
  const keys = new SafeMap();
  const base = new URL('./', pathToFileURL(file));
  const names = ObjectKeys(data.packages);
  for (let i = 0; i < names.length; i++) {
    const key = names[i];
    const entry = data.packages[key];
    const directory = directoryOf(file, base, key, entry);
    const before = keys.get(directory);
    if (before !== undefined) {
      throw invalid(
        file,
        `packages "${before}" and "${key}" have the same url "${entry.url}"; this will be supported in the future`);
    }
    const dependencies = new SafeMap();
    if (isObject(entry.dependencies)) {
      const list = ObjectKeys(entry.dependencies);
      for (let j = 0; j < list.length; j++) dependencies.set(list[j], entry.dependencies[list[j]]);
    }
    packages.set(key, { directory, dependencies });
    keys.set(directory, key);
  }
  return { file, packages, keys };
}

function read(file) {
  const fs = require('fs');
  let text;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw invalid(file, 'failed to read', error);
  }
  // Resolve links, because modules are identified by their real paths.
  file = fs.realpathSync(file);
  let data;
  try {
    data = JSONParse(text);
  } catch (error) {
    throw invalid(file, 'invalid JSON', error);
  }
  return parse(file, data);
}

function load() {
  if (map !== undefined) return map;
  emitExperimentalWarning('Package maps');
  const file = require('internal/options').getFlag('experimental-package-map');
  // Store an empty map first: after a failure the next look-up fails, too, without reading the file again.
  map = { file, packages: new SafeMap(), keys: new SafeMap() };
  map = read(path.resolve(file));
  return map;
}

// Returns the package that contains a file: the one with the nearest directory.
function packageOf({ packages, keys }, filename) {
  for (let place = path.resolve(filename); ; place = path.dirname(place)) {
    const key = keys.get(place);
    if (key !== undefined) return packages.get(key);
    if (place === '/') return undefined;
  }
}

// Returns { directory, name, subpath } of the package for a bare specifier in a file; undefined if it is not a
// dependency of the file's package.
function lookUp(specifier, from) {
  const loaded = load();
  const asking = packageOf(loaded, from);
  if (asking === undefined) throw new ERR_PACKAGE_MAP_EXTERNAL_FILE(specifier, from, loaded.file);
  let slash = StringPrototypeIndexOf(specifier, '/');
  if (specifier[0] === '@' && slash !== -1) slash = StringPrototypeIndexOf(specifier, '/', slash + 1);
  const name = slash === -1 ? specifier : StringPrototypeSlice(specifier, 0, slash);
  const key = asking.dependencies.get(name);
  if (key === undefined) return undefined;
  const found = loaded.packages.get(key);
  if (found === undefined) throw new ERR_PACKAGE_MAP_KEY_NOT_FOUND(key, loaded.file);
  return { directory: found.directory, subpath: slash === -1 ? '.' : `.${StringPrototypeSlice(specifier, slash)}` };
}

module.exports = { lookUp };
