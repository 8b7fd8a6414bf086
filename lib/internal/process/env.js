'use strict';
// process.env: a view of the process's environment.
const {
  ArrayFrom,
  ObjectDefineProperty,
  ObjectPrototypeHasOwnProperty,
  Proxy,
  SafeMap,
  SafeSet,
  String,
  StringPrototypeIncludes,
  TypeError,
} = primordials;
const binding = internalBinding('process');
const { codes: { ERR_INVALID_OBJECT_DEFINE_PROPERTY } } = require('internal/errors');
const { getDeprecationWarningEmitter, isPendingDeprecation } = require('internal/util/deprecate');

function isName(key) {
  return typeof key === 'string' && key !== '' && !StringPrototypeIncludes(key, '=') &&
    !StringPrototypeIncludes(key, '\0');
}

const warnOfValue = getDeprecationWarningEmitter(
  'DEP0104',
  'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. Please make sure ' +
  'to convert the value to a string before setting process.env with it.',
  undefined,
  isPendingDeprecation);

// `store` holds the variables: get(name), set(name, text), remove(name), names().
function makeHandler(store) {
  return {
    __proto__: null,
    get(target, key) {
      if (typeof key !== 'string') return target[key];
      const value = isName(key) ? store.get(key) : undefined;
      return value === undefined ? target[key] : value; // Functions of Object.prototype.
    },
    set(target, key, value) {
      if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
      if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') warnOfValue();
      if (isName(key)) store.set(key, String(value));
      return true;
    },
    has(target, key) {
      return isName(key) && store.get(key) !== undefined;
    },
    deleteProperty(target, key) {
      if (isName(key)) store.remove(key);
      return true;
    },
    ownKeys() {
      // An environment may contain a name twice, but a proxy must not report duplicates.
      return ArrayFrom(new SafeSet(store.names()));
    },
    getOwnPropertyDescriptor(target, key) {
      const value = isName(key) ? store.get(key) : undefined;
      if (value === undefined) return undefined;
      return { __proto__: null, value, enumerable: true, writable: true, configurable: true };
    },
    defineProperty(target, key, descriptor) {
      if (ObjectPrototypeHasOwnProperty(descriptor, 'get') || ObjectPrototypeHasOwnProperty(descriptor, 'set')) {
        throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY(
          "'process.env' does not accept an accessor(getter/setter) descriptor");
      }
      if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
        throw new ERR_INVALID_OBJECT_DEFINE_PROPERTY("'process.env' only accepts a configurable, " +
          'writable, and enumerable data descriptor');
      }
      if (isName(key)) store.set(key, String(descriptor.value));
      return true;
    },
  };
}

const processStore = {
  __proto__: null,
  get: binding.envGet,
  set: binding.envSet,
  remove: binding.envDelete,
  names: binding.envKeys,
};

// Creates the private environment of a worker.
function makeOwnEnv(variables) {
  const map = new SafeMap();
  for (let i = 0; i < variables.length; i++) map.set(variables[i][0], variables[i][1]);
  return new Proxy({}, makeHandler({
    __proto__: null,
    get: (name) => map.get(name),
    set: (name, text) => { map.set(name, text); },
    remove: (name) => { map.delete(name); },
    names: () => ArrayFrom(map.keys()),
  }));
}

module.exports = {};
ObjectDefineProperty(module.exports, 'env', {
  __proto__: null, value: new Proxy({}, makeHandler(processStore)), enumerable: true, writable: true,
  configurable: true,
});
ObjectDefineProperty(module.exports, 'makeOwnEnv', { __proto__: null, value: makeOwnEnv });
