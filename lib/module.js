'use strict';

// node:module: the CommonJS class Module, with the functions to customize and inspect module loading.
const { Module } = require('internal/modules/cjs/loader');
require('internal/modules/run_main'); // Defines Module.runMain.
const {
  constants,
  enableCompileCache,
  findPackageJSON,
  flushCompileCache,
  getCompileCacheDir,
  getSourceMapsSupport,
  setSourceMapsSupport,
} = require('internal/modules/module_api');
const { findSourceMap } = require('internal/source_map/cache');
const { SourceMap } = require('internal/source_map/source_map');
const { registerDeprecated } = require('internal/modules/esm/customize');
const { registerHooks } = require('internal/modules/sync_hooks');

Module.registerHooks = registerHooks;
Module.register = registerDeprecated;
Module.constants = constants;
Module.enableCompileCache = enableCompileCache;
Module.findPackageJSON = findPackageJSON;
Module.flushCompileCache = flushCompileCache;
Module.getCompileCacheDir = getCompileCacheDir;
Module.stripTypeScriptTypes = function stripTypeScriptTypes(code, options) {
  return require('internal/modules/typescript').stripTypeScriptTypes(code, options);
};
Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;
Module.getSourceMapsSupport = getSourceMapsSupport;
Module.setSourceMapsSupport = setSourceMapsSupport;

module.exports = Module;
