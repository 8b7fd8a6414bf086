'use strict';
// --test-global-setup: a module with functions that run once, before all tests and after them.

const { importURL } = require('internal/modules/esm/loader');
const { pathToFileURL } = require('internal/url');
const { validateFunction } = require('internal/validators');
const { resolve } = require('path');

// Runs globalSetup(). Returns globalTeardown(), or undefined.
async function setUp(path, cwd) {
  const module = await importURL(pathToFileURL(resolve(cwd, path)).href);
  const { globalSetup, globalTeardown } = module;
  if (globalSetup) validateFunction(globalSetup, 'globalSetupModule.globalSetup');
  if (globalTeardown) validateFunction(globalTeardown, 'globalSetupModule.globalTeardown');
  await globalSetup?.();
  return globalTeardown;
}

module.exports = { setUp };
