'use strict';
// process.env: a view of the process's environment.
const { ObjectDefineProperty, Proxy, String, TypeError } = primordials;
const binding = internalBinding('process');
const { codes: { ERR_INVALID_OBJECT_DEFINE_PROPERTY } } = require('internal/errors');

function isName(key) {
  return typeof key === 'string' && key !== '' && !key.includes('=') && !key.includes('\0');
}

const handler = {
  __proto__: null,
  get(target, key) {
    if (typeof key !== 'string') return target[key];
    const value = isName(key) ? binding.envGet(key) : undefined;
    return value === undefined ? target[key] : value; // Object.prototype's functions.
  },
  set(target, key, value) {
    if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
    if (isName(key)) binding.envSet(key, String(value));
    return true;
  },
  has(target, key) {
    return isName(key) && binding.envGet(key) !== undefined;
  },
  deleteProperty(target, key) {
    if (isName(key)) binding.envDelete(key);
    return true;
  },
  ownKeys() {
    return binding.envKeys();
  },
  getOwnPropertyDescriptor(target, key) {
    const value = isName(key) ? binding.envGet(key) : undefined;
    if (value === undefined) return undefined;
    return { value, enumerable: true, writable: true, configurable: true };
  },
  defineProperty(target, key, descriptor) {
    if ('get' in descriptor || 'set' in descriptor) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' does not accept an accessor(getter/setter) descriptor");
    }
    if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
      throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' only accepts a configurable, " +
        'writable, and enumerable data descriptor');
    }
    if (isName(key)) binding.envSet(key, String(descriptor.value));
    return true;
  },
};

module.exports = {};
ObjectDefineProperty(module.exports, 'env', {
  __proto__: null, value: new Proxy({}, handler), enumerable: true, writable: true, configurable: true,
});
