'use strict';

// util.promisify: a function that takes a callback, as one that returns a promise.

const {
  ArrayPrototypePush,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectGetOwnPropertyDescriptors,
  ObjectGetPrototypeOf,
  ObjectSetPrototypeOf,
  Promise,
  ReflectApply,
  ReflectOwnKeys,
  Symbol,
  SymbolFor,
} = primordials;

const { validateFunction } = require('internal/validators');

const kCustomPromisifiedSymbol = SymbolFor('nodejs.util.promisify.custom');
// Names of the results of a callback with several; the promise is resolved with an object of them.
const kCustomPromisifyArgsSymbol = Symbol('customPromisifyArgs');

function markCustom(fn, value) {
  return ObjectDefineProperty(fn, kCustomPromisifiedSymbol, {
    __proto__: null,
    value,
    enumerable: false,
    writable: false,
    configurable: true,
  });
}

function promisify(original) {
  validateFunction(original, 'original');
  const custom = original[kCustomPromisifiedSymbol];
  if (custom) {
    validateFunction(custom, 'util.promisify.custom');
    return markCustom(custom, custom);
  }
  const names = original[kCustomPromisifyArgsSymbol];

  function promisified(...args) {
    return new Promise((resolve, reject) => {
      ArrayPrototypePush(args, (error, ...values) => {
        if (error) {
          reject(error);
        } else if (names !== undefined && values.length > 1) {
          const result = {};
          for (let i = 0; i < names.length; i++) result[names[i]] = values[i];
          resolve(result);
        } else {
          resolve(values[0]);
        }
      });
      ReflectApply(original, this, args);
    });
  }

  ObjectSetPrototypeOf(promisified, ObjectGetPrototypeOf(original));
  markCustom(promisified, promisified);
  const descriptors = ObjectGetOwnPropertyDescriptors(original);
  const keys = ReflectOwnKeys(descriptors);
  for (let i = 0; i < keys.length; i++) ObjectSetPrototypeOf(descriptors[keys[i]], null);
  ObjectSetPrototypeOf(descriptors, null);
  return ObjectDefineProperties(promisified, descriptors);
}
promisify.custom = kCustomPromisifiedSymbol;

module.exports = { kCustomPromisifiedSymbol, kCustomPromisifyArgsSymbol, promisify };
