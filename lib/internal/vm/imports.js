'use strict';

// import() in code that was compiled with vm.

const {
  FunctionPrototypeCall,
  Promise,
  SafeWeakMap,
} = primordials;

const {
  codes: {
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING,
    ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG,
    ERR_VM_MODULE_NOT_MODULE,
  },
} = require('internal/errors');
const { importOfReferrer } = require('internal/modules/esm/host');
const { emitExperimentalWarning } = require('internal/util');
const { isModuleNamespaceObject } = require('internal/util/types');
const { kMainLoader, kMissingFlag } = require('internal/vm');

// Import option => { referrer, importModuleDynamically }. Code refers to its option, so the entry, and with it the
// referrer, lives as long as the code.
const entries = new SafeWeakMap();

function register(option, referrer, importModuleDynamically) {
  if (option === kMissingFlag) return;
  entries.set(option, { __proto__: null, referrer, importModuleDynamically });
}

function toAttributes(pairs) {
  const attributes = { __proto__: null };
  for (let i = 0; i < pairs.length; i += 2) attributes[pairs[i]] = pairs[i + 1];
  return attributes;
}

// The program's function returns a namespace, or a module of vm.
async function callProgram(entry, specifier, attributes, isSource) {
  const { isModule, sourceObjectOf } = require('internal/vm/module');
  const result = await FunctionPrototypeCall(
    entry.importModuleDynamically, undefined, specifier, entry.referrer, attributes,
    isSource ? 'source' : 'evaluation');
  if (isModuleNamespaceObject(result)) {
    if (isSource) throw new ERR_VM_MODULE_NOT_MODULE();
    return result;
  }
  if (!isModule(result)) throw new ERR_VM_MODULE_NOT_MODULE();
  if (result.status === 'errored') throw result.error;
  return isSource ? sourceObjectOf(result) : result.namespace;
}

async function importWith(option, specifier, attributes, isSource) {
  const entry = entries.get(option);
  if (entry?.importModuleDynamically !== undefined) {
    return callProgram(entry, specifier, toAttributes(attributes), isSource);
  }
  if (option === kMissingFlag) throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG();
  throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
}

// Called for import() in code with an import option. Native code wraps the promise in one of the code's context if that
// is not the main one.
function importFromCode(option, specifier, name, attributes, isSource, isInOtherContext) {
  if (option === kMainLoader) {
    emitExperimentalWarning('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER');
    return importOfReferrer(specifier, name, attributes, isSource);
  }
  const result = importWith(option, specifier, attributes, isSource);
  // Node wraps every promise, which takes turns of the microtask queue.
  return isInOtherContext ? result : new Promise((resolve) => resolve(result));
}

module.exports = { importFromCode, register };
