'use strict';

// What util exports for programs of long ago.

const {
  DatePrototypeGetDate,
  DatePrototypeGetHours,
  DatePrototypeGetMinutes,
  DatePrototypeGetMonth,
  DatePrototypeGetSeconds,
  ObjectKeys,
  StringPrototypePadStart,
} = primordials;

const { isDate, isRegExp } = require('internal/util/types');
const { isError } = require('internal/util');

function isBoolean(value) {
  return typeof value === 'boolean';
}

function isBuffer(value) {
  return require('buffer').Buffer.isBuffer(value);
}

function isNull(value) {
  return value === null;
}

function isNullOrUndefined(value) {
  return value === null || value === undefined;
}

function isNumber(value) {
  return typeof value === 'number';
}

function isString(value) {
  return typeof value === 'string';
}

function isSymbol(value) {
  return typeof value === 'symbol';
}

function isUndefined(value) {
  return value === undefined;
}

function isObject(value) {
  return value !== null && typeof value === 'object';
}

function isFunction(value) {
  return typeof value === 'function';
}

function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  const keys = ObjectKeys(source);
  // From the last to the first: programs may have come to rely on the order.
  for (let i = keys.length - 1; i >= 0; i--) target[keys[i]] = source[keys[i]];
  return target;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function twoDigits(number) {
  return StringPrototypePadStart(`${number}`, 2, '0');
}

function timestamp() {
  const now = new Date();
  const time = `${twoDigits(DatePrototypeGetHours(now))}:${twoDigits(DatePrototypeGetMinutes(now))}:` +
      twoDigits(DatePrototypeGetSeconds(now));
  return `${DatePrototypeGetDate(now)} ${months[DatePrototypeGetMonth(now)]} ${time}`;
}

function log(...args) {
  const { format } = require('internal/util/inspect');
  require('internal/console/global').log('%s - %s', timestamp(), format(...args));
}

module.exports = {
  _extend,
  isBoolean,
  isBuffer,
  isDate,
  isError,
  isFunction,
  isNull,
  isNullOrUndefined,
  isNumber,
  isObject,
  isPrimitive,
  isRegExp,
  isString,
  isSymbol,
  isUndefined,
  log,
};
