'use strict';

// How a program begins: the file on the command line, -e, what is to be loaded before (-r, --import).

const {
  StringPrototypeEndsWith,
} = primordials;

const find = require('internal/modules/cjs/find');
const { Module } = require('internal/modules/cjs/loader');
const packages = require('internal/modules/package_json_reader');
const { pathToHref } = require('internal/modules/urls');
const path = require('path');

// Exit code of a program that ended while its entry point was still waiting at the top level.
const kUnsettledTopLevelAwait = 13;

let esm;
function lazyESM() {
  esm ??= require('internal/modules/esm/loader');
  return esm;
}

function resolveMainPath(main) {
  const found = Module._findPath(path.resolve(main), null, true);
  return found ? find.resolveLinks(found, true) : undefined;
}

function isModuleFile(filename) {
  const { getOptionValue } = require('internal/options');
  const imports = getOptionValue('--import');
  if (imports !== undefined && imports !== null && imports.length > 0) return true;
  if (StringPrototypeEndsWith(filename, '.mjs')) return true;
  if (StringPrototypeEndsWith(filename, '.cjs')) return false;
  if (StringPrototypeEndsWith(filename, '.js') || path.extname(filename) === '') {
    return packages.typeOf(filename) === 'module';
  }
  return false;
}

// ---- ES modules

let pending = 0;
let entry;

// Runs on 'exit'. process.exit() takes it off, as then the program ends because it wants to.
function handleProcessExit() {
  if (process.exitCode !== undefined && process.exitCode !== null) return;
  process.exitCode = kUnsettledTopLevelAwait;
  if (entry !== undefined && !process.noDeprecation) {
    require('internal/modules/unsettled').report(entry);
  }
}

// Waits for an entry point; its rejection is the program's.
async function runEntryPoint(start, name) {
  if (pending++ === 0) process.on('exit', handleProcessExit);
  entry = name ?? entry;
  const result = await start();
  if (--pending === 0) process.off('exit', handleProcessExit);
  return result;
}

// Imports what --import names, one after the other, then goes on.
async function importAll(list, then) {
  const { currentDirectory, importFrom } = require('internal/modules/esm/host');
  const base = currentDirectory();
  for (let i = 0; i < list.length; i++) await importFrom(list[i], base, []);
  return then();
}

// ---- Ways to start

function executeUserEntryPoint(main = process.argv[1]) {
  const resolved = resolveMainPath(main);
  const filename = resolved ?? main;
  if (resolved === undefined || !isModuleFile(filename)) {
    return Module._load(main, null, true);
  }
  const url = pathToHref(filename);
  const imports = require('internal/options').getOptionValue('--import') ?? [];
  const { importURL } = lazyESM();
  return runEntryPoint(
    () => (imports.length > 0 ? importAll(imports, () => importURL(url, true)) : importURL(url, true)), url);
}

// -e with --input-type=module, and stdin.
let evalCount = 0;
function evalModule(source) {
  const { importSource } = lazyESM();
  const { currentDirectory } = require('internal/modules/esm/host');
  const url = `${currentDirectory()}[eval${++evalCount}]`;
  const imports = require('internal/options').getOptionValue('--import') ?? [];
  const start = () => importSource(url, source);
  return runEntryPoint(() => (imports.length > 0 ? importAll(imports, start) : start()), url);
}

// -e: a script in the global scope, with the names of CommonJS as globals. Returns what its last statement gave.
function evalScript(name, source) {
  const { runScript } = internalBinding('modules');
  const module = new Module(name);
  module.filename = path.join(process.cwd(), name);
  module.paths = Module._nodeModulePaths(process.cwd());
  const { makeRequireFunction } = require('internal/modules/cjs/require');
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.require = makeRequireFunction(module, Module);
  globalThis.__filename = name;
  globalThis.__dirname = '.';
  return runScript(source, name);
}

// -r: before the program, in order.
function loadPreload(list) {
  if (list !== undefined && list.length > 0) Module._preloadModules(list);
}

Module.runMain = executeUserEntryPoint;

module.exports = {
  evalModule,
  evalScript,
  executeUserEntryPoint,
  handleProcessExit,
  loadPreload,
  runEntryPoint,
};
