'use strict';

// The work is in internal/util and the files of that folder.

const {
  ArrayIsArray,
  NumberIsSafeInteger,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
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
const { validateNumber } = require('internal/validators');

// The old way to say `class extends`: the prototype is linked, the constructor is not.
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
  return errnoException(...args);
}

function _exceptionWithHostPort(...args) {
  checkErrno(args[0]);
  return exceptionWithHostPort(...args);
}

// Halves of surrogate pairs become U+FFFD.
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

function isDeepStrictEqual(a, b) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b);
}

module.exports = {
  _errnoException,
  _exceptionWithHostPort,
  _extend: legacy._extend,
  callbackify,
  debug: debuglog,
  debuglog,
  deprecate: internalUtil.deprecate,
  format,
  styleText,
  formatWithOptions,
  getSystemErrorMap,
  getSystemErrorName,
  inherits,
  inspect,
  isArray: ArrayIsArray,
  isBoolean: legacy.isBoolean,
  isBuffer: legacy.isBuffer,
  isDeepStrictEqual,
  isNull: legacy.isNull,
  isNullOrUndefined: legacy.isNullOrUndefined,
  isNumber: legacy.isNumber,
  isString: legacy.isString,
  isSymbol: legacy.isSymbol,
  isUndefined: legacy.isUndefined,
  isRegExp: legacy.isRegExp,
  isObject: legacy.isObject,
  isDate: legacy.isDate,
  isError: legacy.isError,
  isFunction: legacy.isFunction,
  isPrimitive: legacy.isPrimitive,
  log: legacy.log,
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
internalUtil.defineLazyProperties(module.exports, 'internal/util/parse_args', ['parseArgs']);
internalUtil.defineLazyProperties(module.exports, 'internal/encoding', ['TextDecoder', 'TextEncoder']);
internalUtil.defineLazyProperties(module.exports, 'internal/util/mime', ['MIMEType', 'MIMEParams']);
