'use strict';

// vm.Module, vm.SourceTextModule and vm.SyntheticModule, with --experimental-vm-modules.

const {
  Array,
  ArrayIsArray,
  ArrayPrototypePush,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  PromiseReject,
  PromiseResolve,
  SafeMap,
  SafePromiseAllReturnArrayLike,
  SafeSet,
  SafeWeakMap,
  Symbol,
  SymbolToStringTag,
  TypeError,
} = primordials;

const { FastBuffer } = require('internal/buffer/fast');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_MODULE_LINK_MISMATCH,
    ERR_SOURCE_PHASE_NOT_DEFINED,
    ERR_VM_MODULE_ALREADY_LINKED,
    ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA,
    ERR_VM_MODULE_DIFFERENT_CONTEXT,
    ERR_VM_MODULE_LINK_FAILURE,
    ERR_VM_MODULE_NOT_MODULE,
    ERR_VM_MODULE_STATUS,
  },
} = require('internal/errors');
const { customInspectSymbol, emitExperimentalWarning, getConstructorOf, kEmptyObject } = require('internal/util');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateThisInternalField,
  validateUint32,
} = require('internal/validators');
const { isContext } = require('internal/vm');
const { register } = require('internal/vm/imports');

const binding = internalBinding('vm_modules');
const { kErrored, kEvaluated, kEvaluating, kInstantiated, kInstantiating, kUninstantiated } =
  internalBinding('modules');

const nameOfStatus = {
  __proto__: null,
  [kUninstantiated]: 'unlinked',
  [kInstantiating]: 'linking',
  [kInstantiated]: 'linked',
  [kEvaluating]: 'evaluating',
  [kEvaluated]: 'evaluated',
  [kErrored]: 'errored',
};

const kBox = Symbol('kBox'); // The binding's object of the module.
const kContext = Symbol('kContext');
const kIdentifier = Symbol('kIdentifier');
const kLink = Symbol('kLink');
const kNextId = Symbol('kNextId'); // Of the modules of a context that have no identifier.

let nextId = 0;

function makeIdentifier(context) {
  if (context === undefined) return `vm:module(${nextId++})`;
  const id = context[kNextId] ?? 0;
  if (id === 0) {
    ObjectDefineProperty(context, kNextId, {
      __proto__: null, value: 1, writable: true, enumerable: false, configurable: true,
    });
  } else {
    context[kNextId] = id + 1;
  }
  return `vm:module(${id})`;
}

// Box => { module, initializeImportMeta }
const metas = new SafeWeakMap();
binding.setImportMeta((box, meta) => {
  const entry = metas.get(box);
  if (entry?.initializeImportMeta !== undefined) entry.initializeImportMeta(meta, entry.module);
});

function isModule(object) {
  return typeof object === 'object' && object !== null && ObjectPrototypeHasOwnProperty(object, kBox);
}

function sourceObjectOf(module) {
  throw new ERR_SOURCE_PHASE_NOT_DEFINED(module.identifier);
}

class Module {
  constructor(options) {
    emitExperimentalWarning('VM Modules');
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { context, identifier, makeBox } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
      if (!isContext(context)) throw new ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    const name = identifier ?? makeIdentifier(context);
    this[kBox] = makeBox(name, this);
    this[kContext] = context;
    ObjectDefineProperty(this, kIdentifier, { __proto__: null, value: name });
  }

  get identifier() {
    validateThisInternalField(this, kBox, 'Module');
    return this[kIdentifier];
  }

  get context() {
    validateThisInternalField(this, kBox, 'Module');
    return this[kContext];
  }

  get namespace() {
    validateThisInternalField(this, kBox, 'Module');
    if (binding.status(this[kBox]) < kInstantiated) throw new ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    return binding.namespaceOf(this[kBox]);
  }

  get status() {
    validateThisInternalField(this, kBox, 'Module');
    return nameOfStatus[binding.status(this[kBox])];
  }

  get error() {
    validateThisInternalField(this, kBox, 'Module');
    if (binding.status(this[kBox]) !== kErrored) throw new ERR_VM_MODULE_STATUS('must be errored');
    return binding.error(this[kBox]);
  }

  async link(linker) {
    validateThisInternalField(this, kBox, 'Module');
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    await this[kLink](linker);
    instantiate(this);
  }

  evaluate(options = kEmptyObject) {
    try {
      validateThisInternalField(this, kBox, 'Module');
      validateObject(options, 'options');
      const { timeout = -1 } = options;
      if (options.timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
      const { breakOnSigint = false } = options;
      validateBoolean(breakOnSigint, 'options.breakOnSigint');
      const status = binding.status(this[kBox]);
      if (status !== kInstantiated && status !== kEvaluated && status !== kErrored) {
        throw new ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
      }
      return binding.evaluate(this[kBox], this[kContext], timeout, breakOnSigint);
    } catch (error) {
      return PromiseReject(error);
    }
  }

  [customInspectSymbol](depth, options) {
    validateThisInternalField(this, kBox, 'Module');
    if (typeof depth === 'number' && depth < 0) return this;
    const constructor = getConstructorOf(this) || Module;
    const shown = { __proto__: { constructor } };
    shown.status = this.status;
    shown.identifier = this.identifier;
    shown.context = this.context;
    ObjectSetPrototypeOf(shown, ObjectGetPrototypeOf(this));
    ObjectDefineProperty(shown, SymbolToStringTag, { __proto__: null, value: constructor.name, configurable: true });
    const { inspect } = require('internal/util/inspect');
    return inspect(shown, { ...options, customInspect: false });
  }
}

function instantiate(module) {
  binding.instantiate(module[kBox], module[kContext]);
}

function describeRequest({ specifier, attributes }) {
  let text = '';
  for (const key in attributes) text += `${text === '' ? '' : ', '}${key}: ${attributes[key]}`;
  return `ModuleCacheKey("${specifier}"${text === '' ? '' : `, {${text}}`})`;
}

// Requests that are the same must be linked to the same module.
function checkTargets(requests, targets) {
  const firsts = new SafeMap();
  for (let i = 0; i < requests.length; i++) {
    const name = describeRequest(requests[i]);
    const first = firsts.get(name);
    if (first === undefined) {
      firsts.set(name, i);
    } else if (targets[first] !== targets[i]) {
      throw new ERR_MODULE_LINK_MISMATCH(
        `Module request '${name}' at index ${i} must be linked to the same module requested at index ${first}`);
    }
  }
}

function requestsOf(box) {
  const flat = binding.requests(box);
  const requests = [];
  for (let i = 0; i < flat.length; i += 3) {
    const attributes = { __proto__: null };
    const pairs = flat[i + 1];
    for (let j = 0; j < pairs.length; j += 2) attributes[pairs[j]] = pairs[j + 1];
    const phase = flat[i + 2] ? 'source' : 'evaluation';
    ObjectFreeze(attributes);
    ArrayPrototypePush(requests, ObjectFreeze({ __proto__: null, specifier: flat[i], attributes, phase }));
  }
  return ObjectFreeze(requests);
}

class SourceTextModule extends Module {
  #failure; // { error } after linking has failed.
  #isLinking = false;
  #isLinked = false;
  #requests;
  #specifiers;

  constructor(sourceText, options = kEmptyObject) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const {
      lineOffset = 0,
      columnOffset = 0,
      initializeImportMeta,
      importModuleDynamically,
      context,
      identifier,
      cachedData,
    } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    if (importModuleDynamically !== undefined) {
      validateFunction(importModuleDynamically, 'options.importModuleDynamically');
    }
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    super({
      context,
      identifier,
      makeBox(name, module) {
        const option = Symbol(name);
        const box = binding.compile(sourceText, name, lineOffset, columnOffset, cachedData, context, option);
        register(option, module, importModuleDynamically);
        metas.set(box, { __proto__: null, module, initializeImportMeta });
        return box;
      },
    });
    this.#requests = requestsOf(this[kBox]);
  }

  #setTargets(modules) {
    checkTargets(this.#requests, modules);
    const boxes = [];
    for (let i = 0; i < modules.length; i++) ArrayPrototypePush(boxes, modules[i][kBox]);
    binding.link(this[kBox], boxes);
    this.#isLinked = true;
  }

  async #resolve(module, specifier, linker) {
    if (!isModule(module)) throw new ERR_VM_MODULE_NOT_MODULE();
    if (module.context !== this.context) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
    if (module.status === 'errored') {
      throw new ERR_VM_MODULE_LINK_FAILURE(`request for '${specifier}' resolved to an errored module`, module.error);
    }
    if (module.status === 'unlinked') await module[kLink](linker);
    return module;
  }

  async [kLink](linker) {
    this.#isLinking = true;
    const promises = Array(this.#requests.length);
    for (let i = 0; i < promises.length; i++) {
      const { attributes, specifier } = this.#requests[i];
      const result = PromiseResolve(linker(specifier, this, { attributes, assert: attributes }));
      promises[i] = PromisePrototypeThen(result, (module) => this.#resolve(module, specifier, linker));
    }
    try {
      this.#setTargets(await SafePromiseAllReturnArrayLike(promises));
    } catch (error) {
      this.#failure = { __proto__: null, error };
      throw error;
    } finally {
      this.#isLinking = false;
    }
  }

  linkRequests(modules) {
    validateThisInternalField(this, kBox, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    validateArray(modules, 'modules');
    const wanted = this.#requests.length;
    if (modules.length !== wanted) {
      throw new ERR_MODULE_LINK_MISMATCH(`Expected ${wanted} modules, got ${modules.length}`);
    }
    for (let i = 0; i < wanted; i++) {
      if (!isModule(modules[i])) throw new ERR_VM_MODULE_NOT_MODULE();
      if (modules[i].context !== this.context) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
    }
    this.#setTargets(modules);
  }

  instantiate() {
    validateThisInternalField(this, kBox, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    if (!this.#isLinked) throw new ERR_VM_MODULE_LINK_FAILURE('module is not linked');
    instantiate(this);
  }

  get dependencySpecifiers() {
    if (this.#specifiers === undefined) {
      const specifiers = [];
      for (let i = 0; i < this.#requests.length; i++) ArrayPrototypePush(specifiers, this.#requests[i].specifier);
      this.#specifiers = ObjectFreeze(specifiers);
    }
    return this.#specifiers;
  }

  get moduleRequests() {
    return this.#requests;
  }

  get status() {
    if (this.#failure !== undefined) return 'errored';
    return this.#isLinking ? 'linking' : super.status;
  }

  get error() {
    return this.#failure === undefined ? super.error : this.#failure.error;
  }

  hasAsyncGraph() {
    validateThisInternalField(this, kBox, 'SourceTextModule');
    if (binding.status(this[kBox]) < kInstantiated) throw new ERR_VM_MODULE_STATUS('must be instantiated');
    return binding.isGraphAsync(this[kBox]);
  }

  hasTopLevelAwait() {
    validateThisInternalField(this, kBox, 'SourceTextModule');
    return binding.hasTopLevelAwait(this[kBox]);
  }

  createCachedData() {
    const { status } = this;
    if (status === 'evaluating' || status === 'evaluated' || status === 'errored') {
      throw new ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    }
    return new FastBuffer(binding.createCachedData(this[kBox]));
  }
}

function validateNames(names) {
  const fail = () => { throw new ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', names); };
  if (!ArrayIsArray(names)) fail();
  for (let i = 0; i < names.length; i++) {
    if (typeof names[i] !== 'string') fail();
  }
  const seen = new SafeSet();
  for (let i = 0; i < names.length; i++) {
    if (seen.has(names[i])) throw new ERR_INVALID_ARG_VALUE(`exportNames.${names[i]}`, names[i], 'is duplicated');
    seen.add(names[i]);
  }
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = kEmptyObject) {
    validateNames(exportNames);
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    const { context, identifier } = options;
    super({
      context,
      identifier,
      makeBox: (name, module) => binding.createSynthetic(
        exportNames, name, () => { FunctionPrototypeCall(evaluateCallback, module); }, context),
    });
    instantiate(this); // It has no imports to be linked.
  }

  link() {
    validateThisInternalField(this, kBox, 'SyntheticModule');
  }

  setExport(name, value) {
    validateThisInternalField(this, kBox, 'SyntheticModule');
    validateString(name, 'name');
    if (binding.status(this[kBox]) < kInstantiated) throw new ERR_VM_MODULE_STATUS('must be linked');
    binding.setExport(this[kBox], name, value);
  }
}

module.exports = { Module, SourceTextModule, SyntheticModule, isModule, sourceObjectOf };
