'use strict';

// The part of require('module') that does not load modules: package.json lookups, source maps and the compile cache.

const {
  ObjectFreeze,
} = primordials;

const {
  codes: {
    ERR_INVALID_URL,
    ERR_MISSING_ARGS,
    ERR_MODULE_NOT_FOUND,
  },
} = require('internal/errors');
const { kEmptyObject } = require('internal/util');
const { validateBoolean, validateObject, validateString } = require('internal/validators');
const compileState = require('internal/modules/compile_state');
const packages = require('internal/modules/package_json_reader');
const { displayed, findPackage, parsePackageName } = require('internal/modules/package_resolve');
const { hrefToPath, isFileHref, lazyURL, pathToHref, stripQuery } = require('internal/modules/urls');

function toBase(base) {
  const { URL, isURL } = lazyURL();
  if (isURL(base)) return `${base}`;
  validateString(base, 'base');
  return base[0] === '/' ? pathToHref(base) : new URL(base).href;
}

// Returns the package.json for a specifier, relative to `base`: that of a package, or the nearest above a file.
function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('specifier');
  try {
    specifier = `${specifier}`;
  } catch {
    validateString(specifier, 'specifier');
  }
  const from = toBase(base);
  const { URL } = lazyURL();
  if (specifier !== '' && specifier[0] !== '.' && specifier[0] !== '/' && !URL.canParse(specifier)) {
    const { name } = parsePackageName(specifier, from);
    if (!isFileHref(from)) throw new ERR_INVALID_URL('./package.json', from);
    const found = findPackage(name, hrefToPath(stripQuery(from)), from);
    if (found === undefined) throw new ERR_MODULE_NOT_FOUND(name, displayed(from), null);
    return found.path;
  }
  let url;
  try {
    url = require('internal/modules/esm/resolve').resolve(specifier, from);
  } catch (error) {
    if (error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT') throw error;
    url = error.url;
  }
  return packages.packageOf(lazyURL().fileURLToPath(url))?.path;
}

// ---- The compile cache

const constants = ObjectFreeze({
  __proto__: null,
  compileCacheStatus: ObjectFreeze({ __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3 }),
});

function enableCompileCache(options) {
  return require('internal/modules/compile_cache').enableCompileCache(options);
}

function flushCompileCache() {
  if (compileState.cache !== null) require('internal/modules/compile_cache').flushCompileCache();
}

function getCompileCacheDir() {
  return compileState.cache === null ? undefined : require('internal/modules/compile_cache').getCompileCacheDir();
}

// ---- Source maps

let support;

function getSourceMapsSupport() {
  if (support === undefined) {
    const enabled = require('internal/source_map/cache').isEnabled();
    support = ObjectFreeze({ __proto__: null, enabled, nodeModules: enabled, generatedCode: enabled });
  }
  return support;
}

function setSourceMapsSupport(enabled, options = kEmptyObject) {
  validateBoolean(enabled, 'enabled');
  validateObject(options, 'options');
  const { nodeModules = false, generatedCode = false } = options;
  validateBoolean(nodeModules, 'options.nodeModules');
  validateBoolean(generatedCode, 'options.generatedCode');
  require('internal/source_map/cache').setEnabled(enabled);
  support = ObjectFreeze({ __proto__: null, enabled, nodeModules, generatedCode });
}

module.exports = {
  constants,
  enableCompileCache,
  findPackageJSON,
  flushCompileCache,
  getCompileCacheDir,
  getSourceMapsSupport,
  setSourceMapsSupport,
};
