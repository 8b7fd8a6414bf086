'use strict';

// Creates a V8 module for each format. ES modules are compiled; the others get a synthetic module with the names of
// their exports, whose values are set when it is evaluated.

const {
  ArrayPrototypeConcat,
  ArrayPrototypePush,
  JSONParse,
  ObjectKeys,
  RegExpPrototypeExec,
  SafeMap,
  SafeSet,
} = primordials;

const { compileModule, createModule, namespaceOf, setExport } = internalBinding('modules');
const { noteSource } = require('internal/async_context/thenables');
const { readFile } = internalBinding('module_fs');
const builtins = require('internal/modules/builtins');
const { hrefToPath, isFileHref, stripQuery } = require('internal/modules/urls');
const compileState = require('internal/modules/compile_state');
const { hasFlag } = require('internal/options');
const sourceMaps = require('internal/source_map/cache');

let cjs;
function lazyCJS() {
  cjs ??= require('internal/modules/cjs/loader');
  return cjs;
}

// ---- Modules

function translateModule(url, source) {
  noteSource(source);
  const { cache } = compileState;
  const entry = cache === null ? undefined : cache.lookUp(source, url, 'ESM');
  const number = compileModule(url, source, entry);
  if (entry !== undefined) cache.keep(entry, number);
  if (sourceMaps.isKept()) sourceMaps.remember(url, source, number);
  if (hasFlag('experimental-print-required-tla')) require('internal/modules/esm/await_places').remember(number, source);
  return number;
}

// ---- Built-in modules

const shells = new SafeMap(); // Id of the built-in => { number, keys, exports }

function fillBuiltin({ number, keys, exports }) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    let value;
    try {
      value = exports[key];
    } catch {
      // The getter throws: the export exists and is undefined.
    }
    setExport(number, key, value);
  }
  setExport(number, 'default', exports);
}

function translateBuiltin(url) {
  const id = builtins.builtinId(url);
  const exports = builtins.requireBuiltin(id);
  const keys = [];
  if ((typeof exports === 'object' && exports !== null) || typeof exports === 'function') {
    const all = ObjectKeys(exports);
    for (let i = 0; i < all.length; i++) if (all[i] !== 'default') ArrayPrototypePush(keys, all[i]);
  }
  const shell = { number: 0, keys, exports };
  const names = ArrayPrototypeConcat(keys, ['default']);
  shell.number = createModule(url, names, () => fillBuiltin(shell));
  shells.set(id, shell);
  return shell.number;
}

// module.syncBuiltinESMExports(): copies changed exports of built-in modules to their ES modules.
function syncBuiltinExports() {
  shells.forEach(fillBuiltin);
}

// ---- JSON

function translateJSON(url, source) {
  const path = isFileHref(url) ? hrefToPath(stripQuery(url)) : undefined;
  let value;
  // Use the same object as require(), if it was loaded by require() first.
  const isPlain = path !== undefined && stripQuery(url) === url;
  const cached = isPlain ? lazyCJS().cachedModule(path) : undefined;
  if (cached !== undefined && cached.loaded) {
    value = cached.exports;
  } else {
    try {
      value = JSONParse(source);
    } catch (error) {
      error.message = `${path ?? url}: ${error.message}`;
      throw error;
    }
    if (isPlain) rememberJSON(path, value);
  }
  const number = createModule(url, ['default'], () => setExport(number, 'default', value));
  return number;
}

function rememberJSON(path, value) {
  const { Module } = lazyCJS();
  const module = new Module(path, undefined);
  module.filename = path;
  module.paths = Module._nodeModulePaths(module.path);
  module.exports = value;
  module.loaded = true;
  Module._cache[path] = module;
}

// ---- CommonJS

const parsed = new SafeMap(); // File name => set of names, or undefined while it is being parsed.

let lexer;
function lex(source) {
  if (lexer === undefined) {
    lexer = require('vendor/cjs-module-lexer');
    lexer.initSync?.();
  }
  try {
    return lexer.parse(source);
  } catch {
    return { exports: [], reexports: [] }; // A syntax error will be reported when the module runs.
  }
}

// Returns the export names found in the text of a CommonJS module and of the modules that it re-exports. Runs no code.
function exportNames(filename, source) {
  const known = parsed.get(filename);
  if (known !== undefined) return known;
  const names = new SafeSet();
  parsed.set(filename, names);
  const { exports, reexports } = lex(source);
  for (let i = 0; i < exports.length; i++) names.add(exports[i]);
  if (reexports.length === 0) return names;
  const { Module } = lazyCJS();
  const module = new Module(filename, undefined);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(module.path);
  for (let i = 0; i < reexports.length; i++) {
    let target;
    try {
      target = Module._resolveFilename(reexports[i], module, false);
    } catch {
      continue;
    }
    if (target[0] !== '/') {
      addAll(names, ObjectKeys(builtins.requireBuiltin(builtins.builtinId(target))));
    } else if (RegExpPrototypeExec(/\.(?:json|node|mjs)$/, target) === null) {
      const text = readFile(target);
      if (typeof text === 'string') exportNames(target, text).forEach((name) => names.add(name));
    }
  }
  return names;
}

function addAll(names, list) {
  for (let i = 0; i < list.length; i++) names.add(list[i]);
}

function valueOf(exports, name) {
  try {
    return exports[name];
  } catch {
    return undefined; // The getter threw.
  }
}

// Runs a CommonJS module with source text from a hook, under the name of its file.
function runOwnText(url, filename, source) {
  const { Module } = lazyCJS();
  const module = new Module(filename, undefined);
  module.filename = filename;
  module.paths = Module._nodeModulePaths(module.path);
  Module._cache[filename] = module;
  if (require('internal/modules/esm/customize').isRemote()) {
    require('internal/modules/cjs/require_by_hooks').useHooks(module, url);
  }
  module._compile(source, filename, 'commonjs');
  module.loaded = true;
  return module.exports;
}

function translateCommonJS(url, source, isMain, isOwnText) {
  const filename = isFileHref(url) ? hrefToPath(stripQuery(url)) : url;
  const names = exportNames(filename, source);
  const list = ['default', 'module.exports'];
  names.forEach((name) => {
    if (name !== 'default' && name !== 'module.exports') ArrayPrototypePush(list, name);
  });
  const number = createModule(url, list, () => {
    const { cachedModule, exportsAtEnd, loadResolved } = lazyCJS();
    const cached = cachedModule(filename);
    let exports;
    if (cached !== undefined && cached.loaded) exports = exportsAtEnd(cached);
    else if (isOwnText) exports = runOwnText(url, filename, source);
    else exports = loadResolved(filename, isMain);
    for (let i = 2; i < list.length; i++) {
      const name = list[i];
      // Names that do not exist after all stay undefined.
      if (exports !== undefined && exports !== null) setExport(number, name, valueOf(exports, name));
    }
    setExport(number, 'default', exports);
    setExport(number, 'module.exports', exports);
  });
  return number;
}

// ---- TypeScript

function strip(url, source) {
  const path = isFileHref(url) ? hrefToPath(stripQuery(url)) : url;
  return require('internal/modules/typescript').stripModuleTypes(source, path, url);
}

// ---- WebAssembly

const wasmModules = new SafeMap(); // Module number => result of esm/wasm.

function translateWebAssembly(url, bytes) {
  const made = require('internal/modules/esm/wasm').translateWasm(url, bytes, namespaceOf);
  wasmModules.set(made.number, made);
  return made.number;
}

// Returns the object for `import source` of a module, or undefined.
function sourceObjectOf(number) {
  return wasmModules.get(number)?.source;
}

// ---- Text

function translateText(url, source) {
  const number = createModule(url, ['default'], () => setExport(number, 'default', source));
  return number;
}

function warnOfAddon() {
  require('internal/util').emitExperimentalWarning('Importing addons');
}

function translate(url, format, source, isMain, isOwnText) {
  switch (format) {
    case 'module': return translateModule(url, source);
    case 'commonjs': return translateCommonJS(url, source, isMain, isOwnText);
    case 'json': return translateJSON(url, source);
    case 'module-typescript': return translateModule(url, strip(url, source));
    case 'commonjs-typescript': return translateCommonJS(url, strip(url, source), isMain, isOwnText);
    case 'text': return translateText(url, source);
    case 'wasm': return translateWebAssembly(url, source);
    case 'addon':
      warnOfAddon();
      return translateCommonJS(url, '', isMain, false);
    default: return translateBuiltin(url);
  }
}

function reset() {
  parsed.clear();
}

module.exports = { exportNames, reset, sourceObjectOf, syncBuiltinExports, translate, wasmModules };
