'use strict';

// Shared by the parts of vm: contexts of objects, and the symbols that select the handling of import() in code. Each
// script, function, module and context has such a symbol, its import option, which V8 passes to importFromCode().

const { Symbol } = primordials;

const { hasFlag } = require('internal/options');
const { validateFunction } = require('internal/validators');

const { isContext } = internalBinding('vm_contexts');
const { compileFunction, compileScript } = internalBinding('vm_scripts');

// Shared by all code without a function of its own, so that V8's compilation cache works.
const kNoCallback = Symbol('vm_dynamic_import_no_callback');
const kMissingFlag = Symbol('vm_dynamic_import_missing_flag');
// vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
const kMainLoader = Symbol('vm_dynamic_import_main_context_default');

// Returns the import option for the value of the option importModuleDynamically.
function importOptionFor(importModuleDynamically, name) {
  if (importModuleDynamically === undefined) return kNoCallback;
  if (importModuleDynamically === kMainLoader) return kMainLoader;
  validateFunction(importModuleDynamically, 'options.importModuleDynamically');
  // import() will throw: reporting the missing flag here would break programs that never call it.
  if (!hasFlag('experimental-vm-modules')) return kMissingFlag;
  return Symbol(name);
}

// `referrer` is what the program's function gets as the referring code.
function registerImport(option, referrer, importModuleDynamically) {
  if (importModuleDynamically === undefined || importModuleDynamically === kMainLoader) return;
  require('internal/vm/imports').register(option, referrer, importModuleDynamically);
}

module.exports = {
  compileFunction,
  compileScript,
  importOptionFor,
  isContext,
  kMainLoader,
  kMissingFlag,
  registerImport,
};
