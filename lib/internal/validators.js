'use strict';

// Argument validation. A valid argument costs only a comparison; for an invalid one, the stack of the error begins at
// the caller of the validator.

const {
  ArrayIsArray,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  NumberIsFinite,
  NumberIsInteger,
  NumberIsNaN,
  NumberMAX_SAFE_INTEGER,
  NumberMIN_SAFE_INTEGER,
  NumberParseInt,
  ObjectPrototypeHasOwnProperty,
  RegExpPrototypeExec,
  String,
  StringPrototypeToUpperCase,
  StringPrototypeTrim,
  hardenRegExp,
} = primordials;

const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_THIS,
    ERR_OUT_OF_RANGE,
    ERR_SOCKET_BAD_PORT,
    ERR_UNKNOWN_SIGNAL,
  },
  throwFrom,
} = require('internal/errors');
const { signals } = require('internal/util/signals');

function isInt32(value) {
  return value === (value | 0);
}

function isUint32(value) {
  return value === (value >>> 0);
}

const octal = hardenRegExp(/^[0-7]+$/);

// Parses a file mode, a number or a string of octal digits; `fallback` is used if it is missing.
function parseFileMode(value, name, fallback) {
  value ??= fallback;
  if (typeof value === 'string') {
    if (RegExpPrototypeExec(octal, value) === null) {
      throwFrom(parseFileMode, new ERR_INVALID_ARG_VALUE(
        name, value, 'must be a 32-bit unsigned integer or an octal string'));
    }
    value = NumberParseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

function validateInteger(value, name, min = NumberMIN_SAFE_INTEGER, max = NumberMAX_SAFE_INTEGER) {
  if (typeof value !== 'number') throwFrom(validateInteger, new ERR_INVALID_ARG_TYPE(name, 'number', value));
  if (!NumberIsInteger(value)) throwFrom(validateInteger, new ERR_OUT_OF_RANGE(name, 'an integer', value));
  if (value < min || value > max) {
    throwFrom(validateInteger, new ERR_OUT_OF_RANGE(name, `>= ${min} && <= ${max}`, value));
  }
}

function validateInt32(value, name, min = -2147483648, max = 2147483647) {
  if (typeof value !== 'number') throwFrom(validateInt32, new ERR_INVALID_ARG_TYPE(name, 'number', value));
  if (!NumberIsInteger(value)) throwFrom(validateInt32, new ERR_OUT_OF_RANGE(name, 'an integer', value));
  if (value < min || value > max) {
    throwFrom(validateInt32, new ERR_OUT_OF_RANGE(name, `>= ${min} && <= ${max}`, value));
  }
}

function validateUint32(value, name, positive = false) {
  if (typeof value !== 'number') throwFrom(validateUint32, new ERR_INVALID_ARG_TYPE(name, 'number', value));
  if (!NumberIsInteger(value)) throwFrom(validateUint32, new ERR_OUT_OF_RANGE(name, 'an integer', value));
  const min = positive ? 1 : 0;
  if (value < min || value > 4294967295) {
    throwFrom(validateUint32, new ERR_OUT_OF_RANGE(name, `>= ${min} && <= 4294967295`, value));
  }
}

function validateString(value, name) {
  if (typeof value !== 'string') throwFrom(validateString, new ERR_INVALID_ARG_TYPE(name, 'string', value));
}

function validateNumber(value, name, min = undefined, max) {
  if (typeof value !== 'number') throwFrom(validateNumber, new ERR_INVALID_ARG_TYPE(name, 'number', value));
  if ((min != null && value < min) || (max != null && value > max) ||
      ((min != null || max != null) && NumberIsNaN(value))) {
    const lower = min != null ? `>= ${min}` : '';
    const upper = max != null ? `<= ${max}` : '';
    const both = min != null && max != null ? ' && ' : '';
    throwFrom(validateNumber, new ERR_OUT_OF_RANGE(name, `${lower}${both}${upper}`, value));
  }
}

function validateOneOf(value, name, oneOf) {
  if (ArrayPrototypeIncludes(oneOf, value)) return;
  const allowed = ArrayPrototypeJoin(
    ArrayPrototypeMap(oneOf, (one) => (typeof one === 'string' ? `'${one}'` : String(one))), ', ');
  throwFrom(validateOneOf, new ERR_INVALID_ARG_VALUE(name, value, `must be one of: ${allowed}`));
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throwFrom(validateBoolean, new ERR_INVALID_ARG_TYPE(name, 'boolean', value));
}

const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1;
const kValidateObjectAllowArray = 2;
const kValidateObjectAllowFunction = 4;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull = kValidateObjectAllowObjects | kValidateObjectAllowNullable;

// `options` is a sum of the constants above.
function validateObject(value, name, options = kValidateObjectNone) {
  if (value === null) {
    if ((options & kValidateObjectAllowNullable) !== 0) return;
  } else if (typeof value === 'object') {
    if (!ArrayIsArray(value) || (options & kValidateObjectAllowArray) !== 0) return;
  } else if (typeof value === 'function' && (options & kValidateObjectAllowFunction) !== 0) {
    return;
  }
  throwFrom(validateObject, new ERR_INVALID_ARG_TYPE(name, 'Object', value));
}

function validateDictionary(value, name) {
  if (value == null || typeof value === 'object' || typeof value === 'function') return;
  throwFrom(validateDictionary, new ERR_INVALID_ARG_TYPE(name, 'a dictionary', value));
}

function validateArray(value, name, minLength = 0) {
  if (!ArrayIsArray(value)) throwFrom(validateArray, new ERR_INVALID_ARG_TYPE(name, 'Array', value));
  if (value.length < minLength) {
    throwFrom(validateArray, new ERR_INVALID_ARG_VALUE(name, value, `must be longer than ${minLength}`));
  }
}

function validateStringArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateString(value[i], `${name}[${i}]`);
}

function validateBooleanArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) validateBoolean(value[i], `${name}[${i}]`);
}

function validateAbortSignalArray(value, name) {
  validateArray(value, name);
  for (let i = 0; i < value.length; i++) {
    const signal = value[i];
    const itemName = `${name}[${i}]`;
    if (signal == null) throwFrom(validateAbortSignalArray, new ERR_INVALID_ARG_TYPE(itemName, 'AbortSignal', signal));
    validateAbortSignal(signal, itemName);
  }
}

function validateSignalName(signal, name = 'signal') {
  validateString(signal, name);
  if (signals[signal] !== undefined && ObjectPrototypeHasOwnProperty(signals, signal)) return;
  const upper = StringPrototypeToUpperCase(signal);
  if (signals[upper] !== undefined && ObjectPrototypeHasOwnProperty(signals, upper)) {
    throwFrom(validateSignalName, new ERR_UNKNOWN_SIGNAL(`${signal} (signals must use all capital letters)`));
  }
  throwFrom(validateSignalName, new ERR_UNKNOWN_SIGNAL(signal));
}

const isView = primordials.ArrayBufferIsView;

function validateBuffer(buffer, name = 'buffer') {
  if (!isView(buffer)) {
    throwFrom(validateBuffer, new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], buffer));
  }
}

// A hex string with an odd length is rejected, because its last digit would be lost.
function validateEncoding(data, encoding) {
  const normalized = require('internal/util').normalizeEncoding(encoding);
  const { length } = data;
  if (normalized === 'hex' && length % 2 !== 0) {
    throwFrom(validateEncoding, new ERR_INVALID_ARG_VALUE(
      'encoding', encoding, `is invalid for data of length ${length}`));
  }
}

// Validates a port, a number or a string of digits, and returns it as a number.
function validatePort(port, name = 'Port', allowZero = true) {
  if ((typeof port !== 'number' && typeof port !== 'string') ||
      (typeof port === 'string' && StringPrototypeTrim(port).length === 0) ||
      +port !== (+port >>> 0) || +port > 0xFFFF || (+port === 0 && !allowZero)) {
    throwFrom(validatePort, new ERR_SOCKET_BAD_PORT(name, port, allowZero));
  }
  return port | 0;
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && (signal === null || typeof signal !== 'object' || !('aborted' in signal))) {
    throwFrom(validateAbortSignal, new ERR_INVALID_ARG_TYPE(name, 'AbortSignal', signal));
  }
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throwFrom(validateFunction, new ERR_INVALID_ARG_TYPE(name, 'Function', value));
}

const { isAsyncFunction } = internalBinding('types'); // Also true for async generators.

// Accepts only functions that are not async.
function validatePlainFunction(value, name) {
  if (typeof value !== 'function' || isAsyncFunction(value)) {
    throwFrom(validatePlainFunction, new ERR_INVALID_ARG_TYPE(name, 'Function', value));
  }
}

function validateUndefined(value, name) {
  if (value !== undefined) throwFrom(validateUndefined, new ERR_INVALID_ARG_TYPE(name, 'undefined', value));
}

function validateUnion(value, name, union) {
  if (!ArrayPrototypeIncludes(union, value)) {
    throwFrom(validateUnion, new ERR_INVALID_ARG_TYPE(name, `('${ArrayPrototypeJoin(union, '|')}')`, value));
  }
}

// Matches "<style.css>; rel=preload; as=style": an address in angle brackets with optional parameters.
const linkValue = hardenRegExp(/^(?:<[^>\r\n]*>)(?:\s*;\s*[^;"\s]+(?:=(")?[^;"\s]*\1)?)*$/);
const linkHint = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

function checkLink(value, name) {
  if (typeof value === 'undefined' || RegExpPrototypeExec(linkValue, value) === null) {
    throwFrom(validateLinkHeaderValue, new ERR_INVALID_ARG_VALUE(name, value, linkHint));
  }
}

function validateLinkHeaderValue(hints) {
  if (typeof hints === 'string') {
    checkLink(hints, 'hints');
    return hints;
  }
  if (!ArrayIsArray(hints)) throwFrom(validateLinkHeaderValue, new ERR_INVALID_ARG_VALUE('hints', hints, linkHint));
  let result = '';
  for (let i = 0; i < hints.length; i++) {
    checkLink(hints[i], 'hints');
    result += i === 0 ? hints[i] : `, ${hints[i]}`;
  }
  return result;
}

function validateInternalField(object, fieldKey, className) {
  if (typeof object !== 'object' || object === null || !ObjectPrototypeHasOwnProperty(object, fieldKey)) {
    throwFrom(validateInternalField, new ERR_INVALID_ARG_TYPE('this', className, object));
  }
}

function validateThisInternalField(object, fieldKey, className) {
  if (typeof object !== 'object' || object === null || !ObjectPrototypeHasOwnProperty(object, fieldKey)) {
    throwFrom(validateThisInternalField, new ERR_INVALID_THIS(className));
  }
}

// False for undefined and NaN, true for a finite number; anything else is an error.
function validateFiniteNumber(number, name) {
  if (number === undefined) return false;
  if (NumberIsFinite(number)) return true;
  if (NumberIsNaN(number)) return false;
  validateNumber(number, name);
  return throwFrom(validateFiniteNumber, new ERR_OUT_OF_RANGE(name, 'a finite number', number));
}

function checkRangesOrGetDefault(number, name, lower, upper, fallback) {
  if (!validateFiniteNumber(number, name)) return fallback;
  if (number < lower || number > upper) {
    throwFrom(checkRangesOrGetDefault, new ERR_OUT_OF_RANGE(name, `>= ${lower} and <= ${upper}`, number));
  }
  return number;
}

module.exports = {
  checkRangesOrGetDefault,
  isInt32,
  isUint32,
  kValidateObjectAllowArray,
  kValidateObjectAllowFunction,
  kValidateObjectAllowNullable,
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  kValidateObjectNone,
  parseFileMode,
  validateAbortSignal,
  validateAbortSignalArray,
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateBuffer,
  validateDictionary,
  validateEncoding,
  validateFiniteNumber,
  validateFunction,
  validateInt32,
  validateInteger,
  validateInternalField,
  validateLinkHeaderValue,
  validateNumber,
  validateObject,
  validateOneOf,
  validatePlainFunction,
  validatePort,
  validateSignalName,
  validateString,
  validateStringArray,
  validateThisInternalField,
  validateUint32,
  validateUndefined,
  validateUnion,
};
