'use strict';

// Starts a program: the file on the command line, -e, and preloaded modules (-r, --import).

const {
  ObjectDefineProperty,
  RegExpPrototypeExec,
  StringPrototypeEndsWith,
  StringPrototypeIncludes,
} = primordials;

const builtins = require('internal/modules/builtins');
const find = require('internal/modules/cjs/find');
const { Module, formatOf } = require('internal/modules/cjs/loader');
const { compileWrapped } = require('internal/modules/cjs/wrap');
const { readText } = require('internal/modules/files');
const packages = require('internal/modules/package_json_reader');
const { isFileHref, pathToHref } = require('internal/modules/urls');
const { tryGetCwd } = require('internal/process/cwd');
const path = require('path');
const { triggerUncaughtException } = internalBinding('task_queue');

// Exit code of a program that ended while a top-level await of its entry point was pending.
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
  if (StringPrototypeEndsWith(filename, '.mjs') || StringPrototypeEndsWith(filename, '.mts') ||
      StringPrototypeEndsWith(filename, '.wasm')) {
    return true;
  }
  if (StringPrototypeEndsWith(filename, '.cjs') || StringPrototypeEndsWith(filename, '.cts')) return false;
  return packages.typeOf(filename) === 'module';
}

// ---- ES modules

let pending = 0;

// Returns the exit code when the loop is empty: 13, with a warning, if the entry point is still pending.
function codeAtEnd(code) {
  if (code !== 0 || pending === 0) return code;
  const number = lazyESM().mainModule();
  if (number !== -1 && !require('internal/options').hasFlag('no-warnings')) {
    require('internal/modules/unsettled').report(number);
  }
  return kUnsettledTopLevelAwait;
}

// Waits for an entry point. A rejection is reported at once as an uncaught exception: no tick runs before it, and
// 'unhandledRejection' is not emitted (TICK-09).
async function runEntryPoint(start) {
  pending++;
  let result;
  try {
    result = await start();
  } catch (error) {
    await undefined; // Microtasks that the module has queued can count the turns: there are as many as in Node 26.
    triggerUncaughtException(error, true);
  }
  pending--;
  return result;
}

// Imports the modules of --import one after the other, then continues.
async function importAll(list, then) {
  const { currentDirectory, importFrom } = require('internal/modules/esm/host');
  const base = currentDirectory();
  for (let i = 0; i < list.length; i++) await importFrom(list[i], base, []);
  return then();
}

// ---- Ways to start

let isPrepared = false;

// Initialization that depends on the environment, and therefore cannot be part of the snapshot.
function prepare() {
  if (isPrepared) return;
  isPrepared = true;
  Module._initPaths();
}

function importsBefore() {
  return require('internal/options').getFlags('import');
}

function executeUserEntryPoint(main = process.argv[1]) {
  prepare();
  const { hasFlag } = require('internal/options');
  if (hasFlag('entry-url')) {
    require('internal/util').emitExperimentalWarning('--entry-url');
    return runURL(main);
  }
  const resolved = resolveMainPath(main);
  const filename = resolved ?? main;
  const imports = importsBefore();
  const hasLoaders = hasFlag('experimental-loader');
  if (imports.length === 0 && !hasLoaders && (resolved === undefined || !isModuleFile(filename))) {
    return Module._load(main, null, true);
  }
  const url = pathToHref(filename);
  const { importURL } = lazyESM();
  // Options of the process do not apply to the program of a worker.
  if (hasFlag('input-type') && internalBinding('worker').threadId() === 0) {
    const { codes: { ERR_INPUT_TYPE_NOT_ALLOWED } } = require('internal/errors');
    return runEntryPoint(() => { throw new ERR_INPUT_TYPE_NOT_ALLOWED(); });
  }
  const { currentDirectory, importFrom } = require('internal/modules/esm/host');
  // A missing file causes the error of import, because the ES module loader is in use.
  const start = () => (resolved === undefined ? importFrom(url, currentDirectory(), []) : importURL(url, true));
  return runEntryPoint(() => (imports.length > 0 ? importAll(imports, start) : start()));
}

// Runs an entry point that is a URL, relative to the current directory: --entry-url, and workers of data: URLs.
function runURL(main) {
  prepare();
  const { lazyURL } = require('internal/modules/urls');
  const { currentDirectory } = require('internal/modules/esm/host');
  const { href } = new (lazyURL().URL)(main, currentDirectory());
  const imports = importsBefore();
  const start = async () => {
    await undefined;
    const url = isFileHref(href) ? require('internal/modules/esm/resolve').resolve(href, currentDirectory()) : href;
    return lazyESM().importURL(url, true);
  };
  return runEntryPoint(() => (imports.length > 0 ? importAll(imports, start) : start()));
}

// Runs the code of -e or stdin with --input-type=module.
let evalCount = 0;
function evalModule(source) {
  prepare();
  defineBuiltinGlobals();
  const { importSource } = lazyESM();
  const { currentDirectory } = require('internal/modules/esm/host');
  const url = `${currentDirectory()}[eval${++evalCount}]`;
  const imports = importsBefore();
  const start = () => importSource(url, source);
  return runEntryPoint(() => (imports.length > 0 ? importAll(imports, start) : start()));
}

// Names of CommonJS that -e adds to the globals of scripts.
function defineEvalGlobals(name) {
  const { makeRequireFunction } = require('internal/modules/cjs/require');
  const module = new Module(name);
  const directory = tryGetCwd();
  module.filename = path.join(directory, name);
  module.paths = Module._nodeModulePaths(directory);
  globalThis.__filename = name;
  globalThis.module = module;
  globalThis.exports = module.exports;
  globalThis.__dirname = '.';
  globalThis.require = makeRequireFunction(module, Module);
}

// Defines the built-in modules as globals for -e, but not for programs on stdin.
function defineBuiltinGlobals() {
  const { hasFlag } = require('internal/options');
  if (!hasFlag('eval') && !hasFlag('print')) return;
  for (let i = 0; i < builtins.builtinModules.length; i++) defineBuiltinGlobal(builtins.builtinModules[i]);
}

function defineBuiltinGlobal(id) {
  // The module `crypto` includes all properties of the global, so it replaces the global.
  const isGlobal = id in globalThis && id !== 'crypto';
  if (isGlobal || id[0] === '_' || StringPrototypeIncludes(id, '/')) return;
  const define = (value, enumerable) => ObjectDefineProperty(globalThis, id, {
    __proto__: null, value, writable: true, enumerable, configurable: true,
  });
  ObjectDefineProperty(globalThis, id, {
    __proto__: null,
    get() {
      const exports = builtins.requireBuiltin(id);
      define(exports, false);
      return exports;
    },
    set(value) {
      define(value, true); // From now on a property of the program.
    },
    enumerable: false,
    configurable: true,
  });
}

// Runs the code of -e, -p or stdin in the format of --input-type.
function evalText(name, source, isPrint) {
  const { getFlag } = require('internal/options');
  let type = getFlag('input-type');
  if (type === 'module-typescript' || type === 'commonjs-typescript') {
    source = require('internal/modules/typescript').stripTypes(source);
    type = type === 'module-typescript' ? 'module' : 'commonjs';
  }
  if (type !== 'module') return evalScript(name, source, isPrint);
  if (isPrint) {
    const { codes: { ERR_EVAL_ESM_CANNOT_PRINT } } = require('internal/errors');
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  return evalModule(source);
}

// Returns the text without types if it is TypeScript, that is, if it compiles only without them; otherwise undefined.
function withoutTypes(name, source) {
  const { hasFlag } = require('internal/options');
  if (hasFlag('no-strip-types') || hasFlag('input-type')) return undefined;
  let isScript = true;
  try {
    compileWrapped(source, name, true);
  } catch {
    isScript = false;
  }
  if (isScript) return undefined;
  try {
    return require('internal/modules/typescript').stripTypes(source);
  } catch {
    return undefined; // The error of JavaScript is more useful.
  }
}

function moduleWithoutTypes(source) {
  try {
    internalBinding('modules').compileModule('[eval]', source);
    return undefined;
  } catch {
    // Either TypeScript or a syntax error.
  }
  try {
    return require('internal/modules/typescript').stripTypes(source);
  } catch {
    return undefined;
  }
}

// Runs a script in the global scope, or as a module if its text is that of a module.
function evalScript(name, source, isPrint) {
  prepare();
  const { hasModuleSyntax, runScript } = internalBinding('modules');
  const { hasFlag } = require('internal/options');
  if (!hasFlag('input-type') && RegExpPrototypeExec(/\b(?:import|export|await)\b/, source) !== null &&
      hasModuleSyntax(source, name)) {
    if (!isPrint) return evalModule(moduleWithoutTypes(source) ?? source);
    const { codes: { ERR_EVAL_ESM_CANNOT_PRINT } } = require('internal/errors');
    throw new ERR_EVAL_ESM_CANNOT_PRINT();
  }
  defineBuiltinGlobals();
  defineEvalGlobals(name);
  require('internal/async_context/thenables').noteSource(source);
  const start = () => {
    let result;
    try {
      result = runScript(source, name);
    } catch (error) {
      const stripped = error?.name === 'SyntaxError' ? withoutTypes(name, source) : undefined;
      if (stripped === undefined || stripped === source) throw error;
      result = runScript(stripped, name);
    }
    if (isPrint) require('internal/console/global').log(result);
  };
  const imports = importsBefore();
  return imports.length > 0 ? runEntryPoint(() => importAll(imports, start)) : start();
}

// --check: compiles the file in its format without running it.
function checkSyntax(name, source) {
  const imports = importsBefore();
  if (imports.length === 0) return compileOnly(name, source);
  return runEntryPoint(() => importAll(imports, () => compileOnly(name, source)));
}

function compileOnly(name, source) {
  let filename = name;
  if (source === undefined) {
    filename = resolveMainPath(name);
    if (filename === undefined) Module._resolveFilename(name, null, true); // Throws.
    source = readText(filename);
  }
  const format = filename === name && !path.isAbsolute(name) ? undefined : formatOf(filename);
  const { compileModule } = internalBinding('modules');
  if (format === 'module' || compileWrapped(source, filename, format === undefined) === null) {
    compileModule(path.isAbsolute(filename) ? pathToHref(filename) : filename, source);
  }
}

// Loads the modules of -r before the program, in order. The modules of --import are imported later, asynchronously.
function loadPreload(list) {
  if (list === undefined || list.length === 0) return;
  prepare();
  Module._preloadModules(list);
}

Module.runMain = executeUserEntryPoint;

module.exports = {
  checkSyntax,
  codeAtEnd,
  evalModule,
  evalScript,
  evalText,
  executeUserEntryPoint,
  loadPreload,
  runEntryPoint,
  runURL,
};
