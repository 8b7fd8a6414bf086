'use strict';

// node:vm: scripts, and contexts with global objects of their own.

const {
  ObjectFreeze,
  ObjectPrototype,
  PromiseReject,
  Symbol,
} = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const { codes: { ERR_CONTEXT_NOT_INITIALIZED, ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { hasFlag } = require('internal/options');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const {
  kValidateObjectAllowArray,
  kValidateObjectAllowNullable,
  validateArray,
  validateBoolean,
  validateBuffer,
  validateInt32,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
} = require('internal/validators');
const vm = require('internal/vm');
const { ContextifyScript, run } = require('internal/vm/script');

const contexts = internalBinding('vm_contexts');

const kNoSandbox = Symbol('vm_context_no_contextify'); // vm.constants.DONT_CONTEXTIFY
const kParsingContext = Symbol('script parsing context');

function isContext(object) {
  validateObject(object, 'object', kValidateObjectAllowArray);
  return vm.isContext(object);
}

function validateContext(object) {
  if (!isContext(object)) throw new ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', object);
}

class Script extends ContextifyScript {
  constructor(code, options = kEmptyObject) {
    code = `${code}`;
    if (typeof options === 'string') {
      options = { filename: options };
    } else {
      validateObject(options, 'options');
    }
    const {
      filename = 'evalmachine.<anonymous>',
      lineOffset = 0,
      columnOffset = 0,
      cachedData,
      produceCachedData = false,
      importModuleDynamically,
      [kParsingContext]: parsingContext,
    } = options;
    validateString(filename, 'options.filename');
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    validateBoolean(produceCachedData, 'options.produceCachedData');
    const importOption = vm.importOptionFor(importModuleDynamically, filename);
    super(code, filename, lineOffset, columnOffset, cachedData, produceCachedData, parsingContext, importOption);
    vm.registerImport(importOption, this, importModuleDynamically);
  }

  runInThisContext(options) {
    return run(this, null, options);
  }

  runInContext(contextifiedObject, options) {
    validateContext(contextifiedObject);
    return run(this, contextifiedObject, options);
  }

  runInNewContext(contextObject, options) {
    return this.runInContext(createContext(contextObject, contextOptionsOf(options)), options);
  }
}

// The options of createContext() among those of runInNewContext().
function contextOptionsOf(options) {
  if (!options) return {};
  const { contextName: name, contextOrigin: origin, contextCodeGeneration, microtaskMode } = options;
  if (name !== undefined) validateString(name, 'options.contextName');
  if (origin !== undefined) validateString(origin, 'options.contextOrigin');
  let codeGeneration;
  if (contextCodeGeneration !== undefined) {
    validateObject(contextCodeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = contextCodeGeneration;
    if (strings !== undefined) validateBoolean(strings, 'options.contextCodeGeneration.strings');
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
    codeGeneration = { strings, wasm };
  }
  if (microtaskMode !== undefined) validateString(microtaskMode, 'options.microtaskMode');
  return { name, origin, codeGeneration, microtaskMode };
}

let nextContext = 1;

function createContext(contextObject = { __proto__: ObjectPrototype }, options = kEmptyObject) {
  if (contextObject !== kNoSandbox && isContext(contextObject)) return contextObject;
  validateObject(options, 'options');
  const {
    name = `VM Context ${nextContext++}`,
    origin,
    codeGeneration,
    microtaskMode,
    importModuleDynamically,
  } = options;
  validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) validateObject(codeGeneration, 'options.codeGeneration');
  const { strings = true, wasm = true } = codeGeneration ?? kEmptyObject;
  validateBoolean(strings, 'options.codeGeneration.strings');
  validateBoolean(wasm, 'options.codeGeneration.wasm');
  validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate', undefined]);
  const importOption = vm.importOptionFor(importModuleDynamically, name);
  const sandbox = contextObject === kNoSandbox ? undefined : contextObject;
  const context = contexts.makeContext(sandbox, strings, wasm, microtaskMode === 'afterEvaluate', importOption);
  vm.registerImport(importOption, context, importModuleDynamically);
  return context;
}

function createScript(code, options) {
  return new Script(code, options);
}

// The options, also if they are only a file name.
function asOptions(options) {
  return typeof options === 'string' ? { filename: options } : options;
}

function runInContext(code, contextifiedObject, options) {
  validateContext(contextifiedObject);
  options = { ...asOptions(options), [kParsingContext]: contextifiedObject };
  return createScript(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  options = asOptions(options);
  contextObject = createContext(contextObject, contextOptionsOf(options));
  options = { ...options, [kParsingContext]: contextObject };
  return createScript(code, options).runInNewContext(contextObject, options);
}

function runInThisContext(code, options) {
  options = asOptions(options);
  return createScript(code, options).runInThisContext(options);
}

function compileFunction(code, params, options = kEmptyObject) {
  validateString(code, 'code');
  validateObject(options, 'options');
  if (params !== undefined) validateStringArray(params, 'params');
  const {
    filename = '',
    columnOffset = 0,
    lineOffset = 0,
    cachedData,
    produceCachedData = false,
    parsingContext,
    contextExtensions = [],
    importModuleDynamically,
  } = options;
  validateString(filename, 'options.filename');
  validateInt32(columnOffset, 'options.columnOffset');
  validateInt32(lineOffset, 'options.lineOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  if (parsingContext !== undefined &&
      (typeof parsingContext !== 'object' || parsingContext === null || !isContext(parsingContext))) {
    throw new ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  for (let i = 0; i < contextExtensions.length; i++) {
    validateObject(contextExtensions[i], `options.contextExtensions[${i}]`, kValidateObjectAllowNullable);
  }
  const importOption = vm.importOptionFor(importModuleDynamically, filename);
  const { 0: compiled, 1: rejected, 2: cache } = vm.compileFunction(
    code, filename, lineOffset, columnOffset, cachedData, produceCachedData, parsingContext, importOption,
    contextExtensions, params);
  if (cache !== undefined) {
    compiled.cachedDataProduced = true;
    compiled.cachedData = new FastBuffer(cache);
  }
  if (rejected !== undefined) compiled.cachedDataRejected = rejected;
  vm.registerImport(importOption, compiled, importModuleDynamically);
  return compiled;
}

function measureMemory(options = kEmptyObject) {
  emitExperimentalWarning('vm.measureMemory');
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const promise = contexts.measureMemory(
    mode === 'summary' ? contexts.kSummary : contexts.kDetailed,
    execution === 'default' ? contexts.kDefault : contexts.kEager);
  return promise === undefined ? PromiseReject(new ERR_CONTEXT_NOT_INITIALIZED()) : promise;
}

module.exports = {
  Script,
  createContext,
  createScript,
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory,
  constants: ObjectFreeze({
    __proto__: null,
    USE_MAIN_CONTEXT_DEFAULT_LOADER: vm.kMainLoader,
    DONT_CONTEXTIFY: kNoSandbox,
  }),
};

if (hasFlag('experimental-vm-modules')) {
  const { Module, SourceTextModule, SyntheticModule } = require('internal/vm/module');
  module.exports.Module = Module;
  module.exports.SourceTextModule = SourceTextModule;
  module.exports.SyntheticModule = SyntheticModule;
}
