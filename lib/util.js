'use strict';

// node:util. The functions are in internal/util.

const {
  ArrayIsArray,
  ErrorCaptureStackTrace,
  NumberIsSafeInteger,
  ObjectDefineProperty,
  ObjectKeys,
  ObjectSetPrototypeOf,
  PromisePrototypeThen,
  ReflectApply,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
} = primordials;

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
  errnoException,
  exceptionWithHostPort,
} = require('internal/errors');
const internalUtil = require('internal/util');
const { format, formatWithOptions, inspect, stripVTControlCharacters } = require('internal/util/inspect');
const { debuglog } = require('internal/util/debuglog');
const { callbackify } = require('internal/util/callbackify');
const { styleText } = require('internal/util/style_text');
const legacy = require('internal/util/legacy');
const types = require('internal/util/types');
const {
  validateBoolean,
  validateInteger,
  validateNumber,
  validateObject,
  validateOneOf,
} = require('internal/validators');
const { getOptionValue } = require('internal/options');
const { getCallSites: readCallSites } = internalBinding('util');
const { kEmptyObject } = internalUtil;

// The maximum number of frames; the binding has the same limit.
const kMostCallSites = 200;

// Inheritance for constructor functions: links the prototypes, but not the constructors.
function inherits(ctor, superCtor) {
  if (ctor === undefined || ctor === null) throw new ERR_INVALID_ARG_TYPE('ctor', 'Function', ctor);
  if (superCtor === undefined || superCtor === null) throw new ERR_INVALID_ARG_TYPE('superCtor', 'Function', superCtor);
  if (superCtor.prototype === undefined) {
    throw new ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', superCtor.prototype);
  }
  ObjectDefineProperty(ctor, 'super_', { __proto__: null, value: superCtor, writable: true, configurable: true });
  ObjectSetPrototypeOf(ctor.prototype, superCtor.prototype);
}

function checkErrno(err) {
  validateNumber(err, 'err');
  if (err >= 0 || !NumberIsSafeInteger(err)) throw new ERR_OUT_OF_RANGE('err', 'a negative integer', err);
}

function getSystemErrorName(err) {
  checkErrno(err);
  return internalUtil.getSystemErrorName(err);
}

function getSystemErrorMap() {
  return internalUtil.getSystemErrorMap();
}

function _errnoException(...args) {
  checkErrno(args[0]);
  const error = ReflectApply(errnoException, undefined, args);
  ErrorCaptureStackTrace(error, _errnoException);
  return error;
}

function _exceptionWithHostPort(...args) {
  checkErrno(args[0]);
  const error = ReflectApply(exceptionWithHostPort, undefined, args);
  ErrorCaptureStackTrace(error, _exceptionWithHostPort);
  return error;
}

// Replaces lone surrogates with U+FFFD.
function toUSVString(input) {
  const text = `${input}`;
  let result = '';
  let done = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 0xd800 || code > 0xdfff) continue;
    if (code <= 0xdbff && i + 1 < text.length) {
      const next = StringPrototypeCharCodeAt(text, i + 1);
      if (next >= 0xdc00 && next <= 0xdfff) {
        i++;
        continue;
      }
    }
    result += `${StringPrototypeSlice(text, done, i)}\ufffd`;
    done = i + 1;
  }
  return done === 0 ? text : result + StringPrototypeSlice(text, done);
}

function isDeepStrictEqual(a, b, skipPrototype) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b, skipPrototype);
}

function getSystemErrorMessage(err) {
  checkErrno(err);
  return internalUtil.getSystemErrorMessage(err);
}

function convertProcessSignalToExitCode(signalCode) {
  const { signals } = require('internal/os/constants');
  validateOneOf(signalCode, 'signalCode', ObjectKeys(signals));
  return 128 + signals[signalCode];
}

function deprecate(fn, message, code, { modifyPrototype } = kEmptyObject) {
  return internalUtil.deprecate(fn, message, code, modifyPrototype);
}

// Marks the promise as handled, so that its rejection is not reported.
function markPromiseAsHandled(promise) {
  if (!types.isPromise(promise)) throw new ERR_INVALID_ARG_TYPE('promise', 'Promise', promise);
  PromisePrototypeThen(promise, undefined, () => {});
}

// Returns the stack frames of the calling program, innermost first.
function getCallSites(frameCount = 10, options) {
  if (options === undefined && typeof frameCount === 'object') {
    options = frameCount;
    frameCount = 10;
    validateObject(options, 'options');
  } else if (options !== undefined) {
    validateObject(options, 'options');
  }
  const sourceMap = options?.sourceMap;
  if (sourceMap !== undefined) validateBoolean(sourceMap, 'options.sourceMap');
  validateInteger(frameCount, 'frameCount', 1, kMostCallSites);
  const sites = readCallSites(frameCount);
  for (let i = 0; i < sites.length; i++) sites[i].scriptId = `${sites[i].scriptId}`;
  return sourceMap === true || (sourceMap !== false && getOptionValue('--enable-source-maps')) ?
    require('internal/source_map/call_sites').mapCallSites(sites) : sites;
}

module.exports = {
  _errnoException,
  _exceptionWithHostPort,
  _extend: internalUtil.deprecate(
    legacy._extend, 'The `util._extend` API is deprecated. Please use Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText,
  formatWithOptions,
  getCallSites,
  getSystemErrorMap,
  getSystemErrorName,
  getSystemErrorMessage,
  inherits,
  inspect,
  markPromiseAsHandled,
  isArray: internalUtil.deprecate(
    ArrayIsArray, 'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.', 'DEP0044'),
  isDeepStrictEqual,
  promisify: internalUtil.promisify,
  stripVTControlCharacters,
  toUSVString,
};

internalUtil.defineLazyProperties(module.exports, 'internal/abort_controller', [
  'transferableAbortSignal',
  'transferableAbortController',
  'aborted',
]);
module.exports.types = types;
internalUtil.defineLazyProperties(module.exports, 'internal/util/parse_env', ['parseEnv']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/trace_sigint', ['setTraceSigInt']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/parse_args', ['parseArgs']);
internalUtil.defineLazyProperties(module.exports, 'internal/encoding', ['TextDecoder', 'TextEncoder']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/mime', ['MIMEType', 'MIMEParams']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/diff', ['diff']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/rate_limits', ['debounce', 'throttle']);
