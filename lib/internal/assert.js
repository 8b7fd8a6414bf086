'use strict';

// Assertions of lib itself. A failure is a bug in Rondo.

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
