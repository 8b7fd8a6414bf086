'use strict';

// require() for CommonJS modules whose source came from a hook of module.register(). It calls the hooks, too, like the
// import that loaded the module.

const { ObjectDefineProperty, StringPrototypeEndsWith } = primordials;

const { codes: { ERR_REQUIRE_ESM } } = require('internal/errors');
const { hasScheme, isBuiltin } = require('internal/modules/builtins');
const customize = require('internal/modules/esm/customize');
const loader = require('internal/modules/esm/loader');
const { hrefToPath, isFileHref, pathToHref, stripQuery } = require('internal/modules/urls');
const { hasFlag } = require('internal/options');
const { validateString } = require('internal/validators');

function nameOf(url) {
  return isFileHref(url) ? hrefToPath(stripQuery(url)) : url;
}

// Hooks are called with the result of require()'s resolution: names of built-in modules, and URLs of files.
function specifierOf(request, module) {
  if (isBuiltin(request) || hasScheme(request)) return request;
  const { Module } = require('internal/modules/cjs/loader');
  return pathToHref(Module._resolveFilename(request, module));
}

// Returns the exports of the module that `request` resolves to from the module at `url`.
function load(request, url, module) {
  validateString(request, 'id');
  const specifier = specifierOf(request, module);
  const attributes = StringPrototypeEndsWith(specifier, '.json') ? ['type', 'json'] : [];
  const job = customize.getJobSync(specifier, url, attributes);
  if (job.hasFailed) throw job.failure;
  const filename = nameOf(job.url);
  if (job.format === 'module' && hasFlag('no-require-module')) throw new ERR_REQUIRE_ESM(job.url, true);
  if (job.format === 'commonjs' || job.format === 'commonjs-typescript') {
    // In a cycle, the incomplete exports are returned.
    const cached = require('internal/modules/cjs/loader').cachedModule(filename);
    if (cached !== undefined) return cached.exports;
  }
  return loader.requireJob(job, filename, module);
}

// Gives `module` its own require() and require.resolve() instead of those of Module.prototype.
function useHooks(module, url) {
  ObjectDefineProperty(module, 'require', {
    __proto__: null,
    value: function require(request) {
      return load(request, url, module);
    },
    writable: true,
    enumerable: false,
    configurable: true,
  });
  customize.resolvers.set(module, (request) =>
    nameOf(customize.resolveSync(specifierOf(request, module), url, []).url));
}

module.exports = { useHooks };
