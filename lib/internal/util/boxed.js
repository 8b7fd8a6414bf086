'use strict';

// Equality of boxed primitives.

const {
  BigIntPrototypeValueOf,
  BooleanPrototypeValueOf,
  NumberPrototypeValueOf,
  ObjectIs,
  StringPrototypeValueOf,
  SymbolPrototypeValueOf,
} = primordials;

const types = require('internal/util/types');

function sameBoxed(a, b) {
  if (types.isNumberObject(a)) {
    return types.isNumberObject(b) && ObjectIs(NumberPrototypeValueOf(a), NumberPrototypeValueOf(b));
  }
  if (types.isStringObject(a)) {
    return types.isStringObject(b) && StringPrototypeValueOf(a) === StringPrototypeValueOf(b);
  }
  if (types.isBooleanObject(a)) {
    return types.isBooleanObject(b) && BooleanPrototypeValueOf(a) === BooleanPrototypeValueOf(b);
  }
  if (types.isBigIntObject(a)) {
    return types.isBigIntObject(b) && BigIntPrototypeValueOf(a) === BigIntPrototypeValueOf(b);
  }
  return types.isSymbolObject(b) && SymbolPrototypeValueOf(a) === SymbolPrototypeValueOf(b);
}

module.exports = { sameBoxed };
