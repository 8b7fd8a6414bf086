'use strict';

// Argument conversions of Web IDL, with Node's errors. `context` names the value in messages.

const { ArrayPrototypeIncludes, String, TypeError } = primordials;

function failWith(code, message) {
  const error = new TypeError(message);
  error.code = code;
  throw error;
}

function fail(message) {
  failWith('ERR_INVALID_ARG_TYPE', message);
}

// Converts to an integer modulo 2^32; 0 for values that are not finite.
function toUnsignedLong(value, context) {
  if (typeof value === 'bigint') fail(`${context} is a BigInt and cannot be converted to a number.`);
  if (typeof value === 'symbol') fail(`${context} is a Symbol and cannot be converted to a number.`);
  return +value >>> 0;
}

function toDOMString(value, context = 'Value') {
  if (typeof value === 'symbol') fail(`${context} is a Symbol and cannot be converted to a string.`);
  return String(value);
}

function toEnum(value, context, type, allowed) {
  value = toDOMString(value, context);
  if (!ArrayPrototypeIncludes(allowed, value)) {
    failWith('ERR_INVALID_ARG_VALUE', `${context} '${value}' is not a valid enum value of type ${type}.`);
  }
  return value;
}

function toObject(value, context) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    fail(`${context} is not an object.`);
  }
  return value;
}

// Returns the object to read the members of a dictionary from; undefined if all members have their defaults.
function toDictionary(value, context = 'Value') {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object' && typeof value !== 'function') fail(`${context} cannot be converted to a dictionary`);
  return value;
}

module.exports = { toDOMString, toDictionary, toEnum, toObject, toUnsignedLong };
