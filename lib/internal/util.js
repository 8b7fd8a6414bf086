'use strict';

// Helper functions that many built-in modules share.

const {
  ArrayPrototypePop,
  ArrayPrototypePush,
  AtomicsWait,
  Error,
  ErrorCaptureStackTrace,
  Int32Array,
  NumberParseInt,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectFreeze,
  ObjectGetOwnPropertyDescriptor,
  ObjectGetPrototypeOf,
  ObjectPrototypeHasOwnProperty,
  Promise,
  ReflectApply,
  ReflectConstruct,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeMap,
  SafeWeakRef,
  StringPrototypeIncludes,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  Symbol,
  SymbolAsyncDispose,
  SymbolDispose,
  SymbolFor,
  globalThis,
  hardenRegExp,
} = primordials;

const {
  codes: { ERR_NO_CRYPTO, ERR_UNKNOWN_SIGNAL },
  isErrorStackTraceLimitWritable,
  overrideStackTrace,
  uvErrmapGet,
} = require('internal/errors');
const { getErrorMap, getErrorMessage: getSystemErrorMessage } = require('internal/errors/uv');
const { signalNumber } = require('internal/util/signals');
const deprecation = require('internal/util/deprecate');
const { kCustomPromisifyArgsSymbol, promisify } = require('internal/util/promisify');

const customInspectSymbol = SymbolFor('nodejs.util.inspect.custom');
const kIsEncodingSymbol = Symbol('kIsEncodingSymbol');
const kVmBreakFirstLineSymbol = Symbol('kVmBreakFirstLineSymbol');
const kEmptyObject = ObjectFreeze({ __proto__: null });
const kEnumerableProperty = ObjectFreeze({ __proto__: null, enumerable: true });

const escapeSequences = hardenRegExp(/\u001b\[\d\d?m/g);
const removeColors = (text) =>
  (StringPrototypeIncludes(text, '\u001b[') ? RegExpPrototypeSymbolReplace(escapeSequences, text, '') : text);

function isError(value) {
  return require('internal/util/types').isNativeError(value) || value instanceof Error;
}

// Canonical names of encodings, by each accepted spelling in lower case.
const encodingNames = {
  '__proto__': null,
  '': 'utf8',
  'utf8': 'utf8',
  'utf-8': 'utf8',
  'ucs2': 'utf16le',
  'ucs-2': 'utf16le',
  'utf16le': 'utf16le',
  'utf-16le': 'utf16le',
  'latin1': 'latin1',
  'binary': 'latin1',
  'base64': 'base64',
  'base64url': 'base64url',
  'hex': 'hex',
  'ascii': 'ascii',
};
const encodingsMap = {
  __proto__: null,
  ascii: 0,
  utf8: 1,
  base64: 2,
  utf16le: 3,
  latin1: 4,
  hex: 5,
  buffer: 6,
  base64url: 7,
};

// Returns the canonical name of an encoding, or undefined if it is unknown. The default is utf8.
function normalizeEncoding(encoding) {
  if (encoding == null || encoding === 'utf8') return 'utf8';
  if (typeof encoding !== 'string') return undefined;
  return encodingNames[encoding] ?? encodingNames[StringPrototypeToLowerCase(encoding)];
}

// Returns a function that calls `make` on the first call and returns the same value from then on.
function getLazy(make) {
  let value;
  let made = false;
  return () => {
    if (!made) {
      value = make();
      made = true;
    }
    return value;
  };
}

// Calls `fn` once and returns a new copy of its result each time, so that callers may modify the copy.
function cachedResult(fn) {
  let result;
  return () => {
    result ??= fn();
    return primordials.ArrayPrototypeSlice(result);
  };
}

function once(callback, { preserveReturnValue = false } = kEmptyObject) {
  let called = false;
  let result;
  return function(...args) {
    if (called) return result;
    called = true;
    const value = ReflectApply(callback, this, args);
    if (preserveReturnValue) result = value;
    return result;
  };
}

// Array.prototype.splice(index, 1) for short lists, without allocating an array for the removed element.
function spliceOne(list, index) {
  for (; index + 1 < list.length; index++) list[index] = list[index + 1];
  ArrayPrototypePop(list);
}

function createDeferredPromise() {
  let resolve;
  let reject;
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

// Returns a function that constructs `type` with or without `new`.
function createClassWrapper(type) {
  function fn(...args) {
    return ReflectConstruct(type, args, new.target || type);
  }
  ObjectDefineProperties(fn, {
    name: { __proto__: null, value: type.name },
    length: { __proto__: null, value: type.length },
  });
  primordials.ObjectSetPrototypeOf(fn, type);
  fn.prototype = type.prototype;
  return fn;
}

function getConstructorOf(object) {
  while (object) {
    const descriptor = ObjectGetOwnPropertyDescriptor(object, 'constructor');
    if (typeof descriptor?.value === 'function' && descriptor.value.name !== '') return descriptor.value;
    object = ObjectGetPrototypeOf(object);
  }
  return undefined;
}

function getInternalGlobal() {
  return globalThis;
}

// Returns the call sites of the caller, innermost first, at most `most` of them.
function getStructuredStack(most = Infinity) {
  const holder = {};
  const limited = isErrorStackTraceLimitWritable();
  const limit = Error.stackTraceLimit;
  if (limited) Error.stackTraceLimit = most;
  overrideStackTrace.set(holder, (error, trace) => trace);
  ErrorCaptureStackTrace(holder, getStructuredStack);
  const { stack } = holder;
  if (limited) Error.stackTraceLimit = limit;
  return stack;
}

const nodeModules = hardenRegExp(/[/\\]node_modules[/\\](.+?)(?=[/\\])/);
function isUnderNodeModules(fileName) {
  return RegExpPrototypeExec(nodeModules, fileName) !== null;
}

const nodeModulesFolder = hardenRegExp(/[/\\]node_modules[/\\]/);
// True if the nearest frame outside of lib is in node_modules. Captures `most` frames: fewer are faster.
function isInsideNodeModules(most = 10) {
  const stack = getStructuredStack(most);
  if (typeof stack !== 'object' || stack === null) return false;
  for (let i = 0; i < stack.length; i++) {
    const fileName = stack[i].getFileName();
    if (!fileName || StringPrototypeStartsWith(fileName, 'node:')) continue;
    return RegExpPrototypeExec(nodeModulesFolder, fileName) !== null;
  }
  return false;
}

// decorateErrorStack() inserts the source line with an arrow, which setArrowMessage() stored, above the stack, once.
const kArrowMessage = Symbol('arrowMessage');
const kDecorated = Symbol('decorated');
function setArrowMessage(error, arrow) {
  error[kArrowMessage] = arrow;
}
function decorateErrorStack(error) {
  if (!(isError(error) && error.stack) || error[kDecorated]) return;
  const arrow = error[kArrowMessage];
  if (!arrow) return;
  error.stack = `${arrow}\n${error.stack}`;
  error[kDecorated] = true;
}

function assertCrypto() {
  if (!globalThis.process?.versions?.openssl) throw new ERR_NO_CRYPTO();
}

// Converts the name or number of a signal to a number; throws if it is unknown.
function convertToValidSignal(signal) {
  const number = signalNumber(signal);
  if (number === undefined || number === 0) throw new ERR_UNKNOWN_SIGNAL(signal);
  return number;
}

function getSystemErrorName(errno) {
  return uvErrmapGet(errno)?.[0] ?? `Unknown system error ${errno}`;
}

function countBits(number) {
  let bits = 0;
  for (; number !== 0; number &= number - 1) bits++;
  return bits;
}

// Returns "10.0.0.1/24" for an address and its mask, or null if the mask is not contiguous.
function getCIDR(address, netmask, family) {
  const six = family === 'IPv6';
  const width = six ? 16 : 8;
  const parts = StringPrototypeSplit(netmask, six ? ':' : '.');
  let ones = 0;
  let ended = false;
  for (let i = 0; i < parts.length; i++) {
    const number = parts[i] === '' ? 0 : NumberParseInt(parts[i], six ? 16 : 10);
    if (number === 0) {
      ended = true;
      continue;
    }
    const bits = countBits(number);
    const full = ((2 ** width) - (2 ** (width - bits))) === number;
    if (ended || !full) return null;
    if (bits < width) ended = true;
    ones += bits;
  }
  return `${address}/${ones}`;
}

function getCWDURL() {
  const { pathToFileURL } = require('internal/url');
  return pathToFileURL(`${process.cwd()}/`);
}

function filterDuplicateStrings(items, low = false) {
  const seen = new SafeMap();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const key = StringPrototypeToLowerCase(item);
    seen.set(key, low ? key : item);
  }
  const result = [];
  for (const value of seen.values()) ArrayPrototypePush(result, value);
  return primordials.ArrayPrototypeSort(result);
}

function filterOwnProperties(source, keys) {
  const result = { __proto__: null };
  for (let i = 0; i < keys.length; i++) {
    if (ObjectPrototypeHasOwnProperty(source, keys[i])) result[keys[i]] = source[keys[i]];
  }
  return result;
}

function join(list, separator) {
  let result = '';
  for (let i = 0; i < list.length; i++) result += i === 0 ? `${list[i]}` : `${separator}${list[i]}`;
  return result;
}

function guessHandleType(fd) {
  return internalBinding('util').guessHandleType(fd);
}

function isArrayBufferDetached(value) {
  if (primordials.ArrayBufferPrototypeGetByteLength(value) !== 0) return false;
  try {
    // A view of a detached buffer throws; a view of an empty buffer does not.
    new primordials.Uint8Array(value);
    return false;
  } catch {
    return true;
  }
}

// Blocks the thread.
function sleep(milliseconds) {
  AtomicsWait(new Int32Array(new globalThis.SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function lazyDOMExceptionClass() {
  return require('internal/domexception').DOMException;
}
function lazyDOMException(message, name) {
  const DOMException = lazyDOMExceptionClass();
  const error = new DOMException(message, name);
  return error;
}

// Defines a method as Web IDL does: enumerable.
function defineOperation(target, name, method) {
  ObjectDefineProperty(target, name, {
    __proto__: null, writable: true, enumerable: true, configurable: true, value: method,
  });
}
function exposeInterface(target, name, value) {
  ObjectDefineProperty(target, name, {
    __proto__: null, writable: true, enumerable: false, configurable: true, value,
  });
}
const exposeNamespace = exposeInterface;
function exposeGetterAndSetter(target, name, getter, setter = undefined) {
  ObjectDefineProperty(target, name, {
    __proto__: null, enumerable: false, configurable: true, get: getter, set: setter,
  });
}
function setOwnProperty(object, key, value) {
  return ObjectDefineProperty(object, key, {
    __proto__: null, configurable: true, enumerable: true, value, writable: true,
  });
}

function nameFunction(fn, name) {
  ObjectDefineProperty(fn, 'name', { __proto__: null, value: name, configurable: true });
  return fn;
}

// Defines `keys` of the module `id` on `target`. The module is loaded when one of them is first read.
function defineLazyProperties(target, id, keys, enumerable = true) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const store = (value) => ObjectDefineProperty(target, key, {
      __proto__: null, writable: true, enumerable: true, configurable: true, value,
    });
    ObjectDefineProperty(target, key, {
      __proto__: null,
      enumerable,
      configurable: true,
      get: nameFunction(function() {
        const value = require(id)[key];
        ObjectDefineProperty(target, key, {
          __proto__: null, writable: true, enumerable, configurable: true, value,
        });
        return value;
      }, key),
      set: nameFunction(function(value) {
        store(value);
      }, key),
    });
  }
}
function exposeLazyInterfaces(target, id, keys) {
  defineLazyProperties(target, id, keys, false);
}

// Defines [Replaceable] attributes of the global object, as Web IDL calls them: loaded on first read, and overwritten
// by an assignment.
function defineReplaceableLazyAttribute(target, id, keys, writable = true, check = undefined) {
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    let value;
    let loaded = false;
    ObjectDefineProperty(target, key, {
      __proto__: null,
      enumerable: true,
      configurable: true,
      get: nameFunction(function() {
        check?.(this);
        if (!loaded) {
          value = require(id)[key];
          loaded = true;
        }
        return value;
      }, `get ${key}`),
      set: writable ? nameFunction(function(replacement) {
        setOwnProperty(target, key, replacement);
      }, `set ${key}`) : undefined,
    });
  }
}

// Node runs these in another context, so that they do not change RegExp.$1 and similar properties. Here they are the
// hardened functions: the runtime does not use the legacy properties.
const SideEffectFreeRegExpPrototypeExec = (pattern, text) => RegExpPrototypeExec(pattern, text);
const SideEffectFreeRegExpPrototypeSymbolReplace = (pattern, text, by) =>
  RegExpPrototypeSymbolReplace(pattern, text, by);
const SideEffectFreeRegExpPrototypeSymbolSplit = (pattern, text, limit) =>
  primordials.RegExpPrototypeSymbolSplit(pattern, text, limit);

// A weak reference that is strong while its count is above zero.
class WeakReference {
  #weak;
  #strong = null;
  #count = 0;
  constructor(object) {
    this.#weak = new SafeWeakRef(object);
  }

  incRef() {
    if (++this.#count === 1) {
      const target = this.#weak.deref();
      if (target !== undefined) this.#strong = target;
    }
    return this.#count;
  }

  decRef() {
    if (--this.#count === 0) this.#strong = null;
    return this.#count;
  }

  get() {
    return this.#strong ?? this.#weak.deref();
  }
}

module.exports = {
  ...deprecation,
  SideEffectFreeRegExpPrototypeExec,
  SideEffectFreeRegExpPrototypeSymbolReplace,
  SideEffectFreeRegExpPrototypeSymbolSplit,
  SymbolAsyncDispose,
  SymbolDispose,
  WeakReference,
  assertCrypto,
  cachedResult,
  convertToValidSignal,
  createClassWrapper,
  createDeferredPromise,
  customInspectSymbol,
  customPromisifyArgs: kCustomPromisifyArgsSymbol,
  decorateErrorStack,
  defineLazyProperties,
  defineOperation,
  defineReplaceableLazyAttribute,
  encodingsMap,
  exposeGetterAndSetter,
  exposeInterface,
  exposeLazyInterfaces,
  exposeNamespace,
  filterDuplicateStrings,
  filterOwnProperties,
  getCIDR,
  getCWDURL,
  getConstructorOf,
  getInternalGlobal,
  getLazy,
  getStructuredStack,
  getSystemErrorMap: getErrorMap,
  getSystemErrorMessage,
  getSystemErrorName,
  guessHandleType,
  isArrayBufferDetached,
  isError,
  isInsideNodeModules,
  isUnderNodeModules,
  join,
  kEmptyObject,
  kEnumerableProperty,
  kIsEncodingSymbol,
  kVmBreakFirstLineSymbol,
  lazyDOMException,
  lazyDOMExceptionClass,
  normalizeEncoding,
  once,
  promisify,
  removeColors,
  setArrowMessage,
  setOwnProperty,
  sleep,
  spliceOne,
};
