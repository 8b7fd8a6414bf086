'use strict';

// For conditions that only a bug of ours can break.

let ERR_INTERNAL_ASSERTION;

function fail(message) {
  ERR_INTERNAL_ASSERTION ??= require('internal/errors').codes.ERR_INTERNAL_ASSERTION;
  throw new ERR_INTERNAL_ASSERTION(message);
}

function assert(value, message) {
  if (!value) fail(message);
}
assert.fail = fail;

module.exports = assert;
