'use strict';

// Creates the function `require` of a module, and module.createRequire().

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
  // Has the same name and length as in Node.
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
  setOwnProperty(own, 'main', process.mainModule); // Defined as an own property, whatever Object.prototype contains.
  // Programs register their own file types here.
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
  // For a directory, require() behaves like that of a file in it.
  const proxyPath = endsWithSlash(filename) ? path.join(filename, 'noop.js') : filename;
  const module = new Module(proxyPath);
  module.filename = proxyPath;
  module.paths = Module._nodeModulePaths(module.path);
  // Hooks receive the original URL.
  const url = `${location}`;
  if (stripQuery(url) !== url && isFileHref(url)) require('internal/modules/cjs/hooked').details.set(module, { url });
  return makeRequireFunction(module, Module);
}

module.exports = { createRequire, makeRequireFunction };
