'use strict';

// Circular require() of a module that is still loading returns its incomplete exports. Reading a missing property is
// usually a mistake, so until the module is loaded its exports have a prototype that warns.

const {
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototype,
  ObjectPrototypeHasOwnProperty,
  ObjectSetPrototypeOf,
  Proxy,
  String,
} = primordials;

let warningPrototype;

function warn(property) {
  process.emitWarning(
    `Accessing non-existent property '${String(property)}' of module exports inside circular dependency`);
}

function getWarningPrototype() {
  warningPrototype ??= new Proxy({}, {
    __proto__: null,
    // Code compiled to CommonJS reads __esModule of every module, so this is not reported.
    get(target, property) {
      if (property in target || property === '__esModule') return target[property];
      warn(property);
      return undefined;
    },
    getOwnPropertyDescriptor(target, property) {
      if (ObjectPrototypeHasOwnProperty(target, property) || property === '__esModule') {
        return ObjectGetOwnPropertyDescriptor(target, property);
      }
      warn(property);
      return undefined;
    },
  });
  return warningPrototype;
}

function exportsInCycle(module) {
  const { exports } = module;
  // Only plain objects, and no proxies of the program.
  if (typeof exports === 'object' && exports !== null && !isProxy(exports) &&
      ObjectGetPrototypeOf(exports) === ObjectPrototype && !exports.__esModule) {
    ObjectSetPrototypeOf(exports, getWarningPrototype());
  }
  return module.exports;
}

let types;
function isProxy(value) {
  types ??= require('internal/util/types');
  return types.isProxy(value);
}

// Restores the prototype of the exports when the module is loaded.
function endCycle(module) {
  const { exports } = module;
  if (warningPrototype === undefined || typeof exports !== 'object' || exports === null || isProxy(exports)) return;
  if (ObjectGetPrototypeOf(exports) === warningPrototype) ObjectSetPrototypeOf(exports, ObjectPrototype);
}

module.exports = { endCycle, exportsInCycle };
