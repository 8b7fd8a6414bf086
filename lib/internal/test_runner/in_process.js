'use strict';
// run() with isolation: 'none': all files are loaded into this process, one after the other; then their tests run.

const { PromiseResolve, PromiseWithResolvers } = primordials;

const { getFlags } = require('internal/options');
const { importURL } = require('internal/modules/esm/loader');
const { installHarness } = require('internal/test_runner/harness');
const { Test } = require('internal/test_runner/test');
const { pathToFileURL } = require('internal/url');
const { kEmptyObject } = require('internal/util');
const { resolve } = require('path');

// A file without tests is a test by itself.
function addFile(harness, path, error) {
  const { root } = harness;
  const location = { __proto__: null, line: 1, column: 1, file: resolve(path) };
  const test = root.createSubtest(Test, path, kEmptyObject, undefined, { location });
  if (error !== undefined) test.fail(error.value);
  harness.start(test);
}

async function loadFiles(harness, paths, { cwd, loadsPreloads }) {
  const { root } = harness;
  if (loadsPreloads) {
    require('internal/modules/run_main').loadPreload(getFlags('require'));
    const base = pathToFileURL(`${cwd}/`).href;
    const imports = getFlags('import');
    const { resolve: resolveModule } = require('internal/modules/esm/resolve');
    for (let i = 0; i < imports.length; i++) await importURL(resolveModule(imports[i], base));
  }
  for (let i = 0; i < paths.length; i++) {
    const path = `${paths[i]}`;
    const before = root.subtests.length;
    let error;
    root.entryFile = resolve(path);
    try {
      await importURL(pathToFileURL(resolve(cwd, path)).href);
    } catch (value) {
      error = { __proto__: null, value };
    }
    if (root.subtests.length === before) addFile(harness, path, error);
  }
  root.entryFile = undefined;
}

// Returns the harness. Its run ends when nothing is left to do in this process.
function runInProcess(paths, settings, rootOptions, prepare) {
  const { promise: loaded, resolve: bootstrap, reject } = PromiseWithResolvers();
  process.env.NODE_TEST_WORKER_ID = '1';
  const harness = installHarness(settings, rootOptions, loaded);
  const start = async () => {
    await prepare(harness);
    // run() may have been called by a test of another run, which is not their parent.
    await harness.runIn(harness.root, loadFiles, undefined, [harness, paths, settings]);
    bootstrap();
  };
  PromiseResolve(start()).then(undefined, reject);
  return harness;
}

module.exports = { runInProcess };
