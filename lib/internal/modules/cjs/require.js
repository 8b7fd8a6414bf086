'use strict';

// The function `require` that a module gets, and module.createRequire().

const {
  StringPrototypeStartsWith,
} = primordials;

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { setOwnProperty } = require('internal/util');
const { validateString } = require('internal/validators');
const hooks = require('internal/modules/sync_hooks');
const { endsWithSlash } = require('internal/modules/cjs/find');
const { hrefToPath, isFileHref, lazyURL, stripQuery } = require('internal/modules/urls');
const path = require('path');

function makeRequireFunction(module, Module) {
  // With the name and the length that programs have seen it with.
  const own = function require(path) {
    return module.require(path);
  };

  function resolve(request, options) {
    validateString(request, 'request');
    const byThread = hooks.byThread?.get(module);
    if (byThread !== undefined && !options?.paths) return byThread(request);
    if (hooks.resolvers.length === 0) return Module._resolveFilename(request, module, false, options);
    return require('internal/modules/cjs/hooked').resolve(request, module, false, options, Module).filename;
  }

  function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  }

  resolve.paths = paths;
  own.resolve = resolve;
  setOwnProperty(own, 'main', process.mainModule); // Whatever Object.prototype has under that name.
  // Programs add their own kinds of files here.
  own.extensions = Module._extensions;
  own.cache = Module._cache;
  return own;
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
  // Hooks see the URL as it was given.
  const url = `${location}`;
  if (stripQuery(url) !== url && isFileHref(url)) require('internal/modules/cjs/hooked').details.set(module, { url });
  return makeRequireFunction(module, Module);
}

module.exports = { createRequire, makeRequireFunction };
