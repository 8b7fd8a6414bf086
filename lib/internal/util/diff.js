'use strict';

// util.diff()

const { ArrayIsArray } = primordials;

const { validateString, validateStringArray } = require('internal/validators');
const { myersDiff } = require('internal/util/myers');

function validateText(value, name) {
  if (ArrayIsArray(value)) {
    validateStringArray(value, name);
  } else {
    validateString(value, name);
  }
}

// [[operation, value], ...]: 1 for what only `actual` has, -1 for what only `expected` has, 0 for what both have.
function diff(actual, expected) {
  if (actual === expected) return [];
  validateText(actual, 'actual');
  validateText(expected, 'expected');
  return myersDiff(actual, expected);
}

module.exports = { diff };
