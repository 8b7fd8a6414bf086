'use strict';

// Deprecated exports of util.

const { ObjectKeys } = primordials;

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  const keys = ObjectKeys(source);
  // From the last to the first: programs may have come to rely on the order.
  for (let i = keys.length - 1; i >= 0; i--) target[keys[i]] = source[keys[i]];
  return target;
}

module.exports = { _extend };
