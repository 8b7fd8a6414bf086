'use strict';
// Runs first, while the snapshot is made: `exports` is the list of all files of lib, `require` compiles one,
// `internalBinding` holds the bindings. Makes the loader, runs what every program needs, and returns the function that
// starts a program.
const isFile = { __proto__: null };
for (const id of exports) isFile[id] = true;
const compileFile = require;
const bindings = internalBinding;
const loaded = { __proto__: null };
const builtinPrimordials = {};
// Every file is given it, as programs replace the global of this name. internal/bootstrap/process fills it.
const processObject = {};

function getBinding(name) {
  const binding = bindings[name];
  if (binding === undefined) throw new Error(`No such binding: ${name}`);
  return binding;
}

function hasBuiltin(id) {
  return isFile[id] === true;
}

function requireBuiltin(id) {
  const cached = loaded[id];
  if (cached !== undefined) return cached.exports;
  const compiledFile = compileFile(id);
  // npm packages write 'process/' for the module where the bare name could be something else.
  if (compiledFile === undefined && id.endsWith('/')) return requireBuiltin(id.slice(0, -1));
  if (compiledFile === undefined) throw new Error(`No such built-in file: ${id}`);
  const builtin = { id, exports: {}, loaded: false };
  loaded[id] = builtin;
  compiledFile(builtin.exports, requireBuiltin, builtin, getBinding, builtinPrimordials, processObject);
  builtin.loaded = true;
  return builtin.exports;
}

// Modules that user code may require: the files directly in lib, and those in public folders.
const publicFolders = /^(?:assert|path|stream|timers|util|fs|dns|readline|inspector|test)\//;
function publicIds() {
  return Object.keys(isFile).filter((id) => !id.includes('/') || publicFolders.test(id)).sort();
}

loaded['internal/bootstrap/realm'] = {
  exports: { requireBuiltin, hasBuiltin, publicIds: publicIds(), bindingNames: Object.keys(bindings) },
};
compileFile('internal/per_context/primordials')(
  {}, requireBuiltin, {}, getBinding, builtinPrimordials, processObject);
return requireBuiltin('internal/bootstrap/start').start;
