'use strict';

// A module that is required while it is still being loaded shows what it has exported so far. Reading something that is
// not there yet is most often a mistake, so for that time its exports get a prototype that warns.

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
    // Compilers to CommonJS read __esModule from everything: that is no mistake.
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
  // Only plain objects, and nothing that could be a proxy of the user's.
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

// When the module is complete its exports are a plain object again.
function endCycle(module) {
  const { exports } = module;
  if (warningPrototype === undefined || typeof exports !== 'object' || exports === null || isProxy(exports)) return;
  if (ObjectGetPrototypeOf(exports) === warningPrototype) ObjectSetPrototypeOf(exports, ObjectPrototype);
}

module.exports = { endCycle, exportsInCycle };
