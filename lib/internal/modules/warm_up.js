'use strict';

// Runs while the snapshot is created, so that the snapshot contains the bytecode of the loaders. Loads an empty file
// that exists on every system, in all ways that need no V8 module, and then clears the caches, which depend on this
// machine.

const find = require('internal/modules/cjs/find');
const loader = require('internal/modules/cjs/loader');
const files = require('internal/modules/files');
const packages = require('internal/modules/package_json_reader');
const resolver = require('internal/modules/esm/resolve');
const formats = require('internal/modules/esm/formats');
const packageResolve = require('internal/modules/package_resolve');
const translators = require('internal/modules/esm/translators');
const sourceMaps = require('internal/source_map/cache');
const { hrefToPath, pathToHref, stripQuery } = require('internal/modules/urls');
require('module'); // Used at the start of every program.

const { Module } = loader;
const file = '/dev/null';

function warmCommonJS() {
  const parent = new Module('/dev/parent.js', null);
  parent.filename = '/dev/parent.js';
  parent.paths = Module._nodeModulePaths('/dev');
  for (let i = 0; i < 2; i++) { // The second time it is loaded from the cache.
    parent.require(file);
    parent.require('./null');
    parent.require('path');
    parent.require('node:path');
  }
  parent._compile('module.exports = require("path");', '/dev/parent.js', 'commonjs');
  loader.formatOf('/dev/parent.js');
}

function warmModules() {
  const url = resolver.resolve('./null', 'file:///dev/parent.mjs');
  formats.load(url);
  resolver.resolve('path', url);
  formats.validateAttributes(url, 'module', []);
  hrefToPath(stripQuery(pathToHref('/dev/a b')));
}

if (find.stat(file) === 0) {
  warmCommonJS();
  warmModules();
}
for (const { reset } of [find, loader, files, packages, packageResolve, resolver, translators, sourceMaps]) reset();
