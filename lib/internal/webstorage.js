'use strict';
// The class Storage, and sessionStorage, which lives as long as the process. Keys are also properties.

const {
  ArrayFrom,
  FunctionPrototypeCall,
  Number,
  ObjectDefineProperties,
  ObjectDefineProperty,
  Proxy,
  ReflectDefineProperty,
  ReflectGet,
  ReflectHas,
  SafeMap,
  SafeWeakMap,
  TypeError,
} = primordials;

const { codedTypeError, codes: { ERR_ILLEGAL_CONSTRUCTOR } } = require('internal/errors');
const { kEnumerableProperty } = require('internal/util');

// The maximum size of all keys and values, in bytes of UTF-16.
const kQuota = 10 * 1024 * 1024;

// Maps the proxy of a Storage to { items, size }.
const contents = new SafeWeakMap();

function contentOf(storage) {
  const content = contents.get(storage);
  if (content === undefined) throw new TypeError('Illegal invocation');
  return content;
}

function checkCount(count, wanted, name) {
  if (count >= wanted) return;
  throw codedTypeError('ERR_MISSING_ARGS',
    `Failed to execute '${name}' on 'Storage': ${wanted} argument${wanted > 1 ? 's' : ''} required`);
}

function store(content, key, value) {
  const old = content.items.get(key);
  const before = old === undefined ? 0 : (key.length + old.length) * 2;
  const size = content.size - before + (key.length + value.length) * 2;
  if (size > kQuota) {
    const { QuotaExceededError } = require('internal/domexception');
    throw new QuotaExceededError('Setting the value exceeded the quota');
  }
  content.size = size;
  content.items.set(key, value);
}

function remove(content, key) {
  const value = content.items.get(key);
  if (value === undefined) return;
  content.size -= (key.length + value.length) * 2;
  content.items.delete(key);
}

class Storage {
  constructor() {
    throw new ERR_ILLEGAL_CONSTRUCTOR();
  }

  get length() {
    return contentOf(this).items.size;
  }

  clear() {
    const content = contentOf(this);
    content.items.clear();
    content.size = 0;
  }

  getItem(key) {
    const content = contentOf(this);
    checkCount(arguments.length, 1, 'getItem');
    return content.items.get(`${key}`) ?? null;
  }

  key(index) {
    const content = contentOf(this);
    checkCount(arguments.length, 1, 'key');
    return ArrayFrom(content.items.keys())[Number(index) >>> 0] ?? null;
  }

  removeItem(key) {
    const content = contentOf(this);
    checkCount(arguments.length, 1, 'removeItem');
    remove(content, `${key}`);
  }

  setItem(key, value) {
    const content = contentOf(this);
    checkCount(arguments.length, 2, 'setItem');
    store(content, `${key}`, `${value}`);
  }
}
ObjectDefineProperties(Storage.prototype, {
  length: kEnumerableProperty,
  clear: kEnumerableProperty,
  getItem: kEnumerableProperty,
  key: kEnumerableProperty,
  removeItem: kEnumerableProperty,
  setItem: kEnumerableProperty,
});

function makeStorage() {
  const content = { items: new SafeMap(), size: 0 };
  const target = { __proto__: Storage.prototype };
  const proxy = new Proxy(target, {
    __proto__: null,
    // Properties of the prototype take precedence over stored keys.
    get(object, key, receiver) {
      if (typeof key === 'symbol' || key in object) return ReflectGet(object, key, receiver);
      return content.items.get(key);
    },
    set(object, key, value) {
      if (typeof key === 'symbol') {
        return ReflectDefineProperty(object, key, { __proto__: null, value, writable: true, configurable: true });
      }
      store(content, key, `${value}`);
      return true;
    },
    has(object, key) {
      return (typeof key === 'string' && content.items.has(key)) || ReflectHas(object, key);
    },
    deleteProperty(object, key) {
      if (typeof key === 'string') remove(content, key);
      else delete object[key];
      return true;
    },
    ownKeys() {
      return ArrayFrom(content.items.keys());
    },
    getOwnPropertyDescriptor(object, key) {
      const value = typeof key === 'string' ? content.items.get(key) : undefined;
      if (value === undefined) return undefined;
      return { value, writable: true, enumerable: true, configurable: true };
    },
    defineProperty(object, key, descriptor) {
      if (typeof key === 'symbol') return ReflectDefineProperty(object, key, descriptor);
      store(content, key, `${descriptor.value}`);
      return true;
    },
  });
  contents.set(proxy, content);
  ObjectDefineProperty(target, require('internal/util').customInspectSymbol, {
    __proto__: null,
    configurable: true,
    value(depth, options, inspect) {
      const shown = { __proto__: Storage.prototype };
      for (const { 0: key, 1: value } of content.items) shown[key] = value;
      return FunctionPrototypeCall(inspect, undefined, shown, { ...options, customInspect: false });
    },
  });
  return proxy;
}

let session;
let hasWarned = false;

// localStorage is not available, because there is no file to store it in.
function missingLocalStorage() {
  if (hasWarned) return undefined;
  hasWarned = true;
  process.emitWarning(
    'localStorage is not available because --localstorage-file was not provided.', 'ExperimentalWarning');
  return undefined;
}

module.exports = {
  Storage,
  missingLocalStorage,
  get sessionStorage() { return session ??= makeStorage(); },
};
