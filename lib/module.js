'use strict';

const { Module } = require('internal/modules/cjs/loader');
require('internal/modules/run_main'); // Puts runMain on it.
const { codes: { ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');

// There are no source maps in use, so none is ever found.
Module.findSourceMap = function findSourceMap(path) {
  return undefined;
};

// Hooks into the loader are not there yet. The error is better than a program that believes they ran.
Module.register = function register(specifier, parentURL, options) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('module.register()');
};

module.exports = Module;
