'use strict';

// The function `require` that a module gets, and module.createRequire().

const {
  StringPrototypeStartsWith,
} = primordials;

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { setOwnProperty } = require('internal/util');
const { validateString } = require('internal/validators');
const { endsWithSlash } = require('internal/modules/cjs/find');
const { hrefToPath, lazyURL } = require('internal/modules/urls');
const path = require('path');

function makeRequireFunction(module, Module) {
  // With the name and the length that programs have seen it with.
  const require = function require(path) {
    return module.require(path);
  };

  function resolve(request, options) {
    validateString(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  }

  function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  }

  resolve.paths = paths;
  require.resolve = resolve;
  setOwnProperty(require, 'main', process.mainModule); // Whatever Object.prototype has under that name.
  // Programs add their own kinds of files here.
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

const wanted = 'must be a file URL object, file URL string, or absolute path string';

function toFilename(location) {
  if (typeof location === 'string') {
    if (path.isAbsolute(location)) return location;
    if (StringPrototypeStartsWith(location, 'file:')) {
      try {
        return hrefToPath(location);
      } catch {
        throw new ERR_INVALID_ARG_VALUE('filename', location, wanted);
      }
    }
  } else if (lazyURL().isURL(location)) {
    try {
      return lazyURL().fileURLToPath(location);
    } catch {
      throw new ERR_INVALID_ARG_VALUE('filename', location, wanted);
    }
  }
  throw new ERR_INVALID_ARG_VALUE('filename', location, wanted);
}

function createRequire(location, Module) {
  const filename = toFilename(location);
  // A directory: its require() behaves as that of a file in it.
  const proxyPath = endsWithSlash(filename) ? path.join(filename, 'noop.js') : filename;
  const module = new Module(proxyPath);
  module.filename = proxyPath;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequireFunction(module, Module);
}

module.exports = { createRequire, makeRequireFunction };
