'use strict';

const { Module } = require('internal/modules/cjs/loader');
require('internal/modules/run_main'); // Puts runMain on it.
const { findSourceMap } = require('internal/source_map/cache');
const { SourceMap } = require('internal/source_map/source_map');
const { register } = require('internal/modules/esm/customize');

Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;

Module.register = register;

module.exports = Module;
