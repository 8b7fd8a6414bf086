'use strict';

const { Symbol } = primordials;

module.exports = {
  // Of a request with its own checkServerIdentity(): a number.
  kPerRequestCheck: Symbol('per-request checkServerIdentity'),
};
