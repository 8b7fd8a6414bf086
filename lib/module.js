'use strict';

const { Module } = require('internal/modules/cjs/loader');
require('internal/modules/run_main'); // Puts runMain on it.
const { findSourceMap } = require('internal/source_map/cache');
const { SourceMap } = require('internal/source_map/source_map');
const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');

Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;

// Hooks into the loader are not there yet. The error is better than a program that believes they ran.
Module.register = function register(specifier, parentURL, options) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('module.register()');
};

module.exports = Module;
