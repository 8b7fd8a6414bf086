'use strict';

// Decodes a few bytes, faster than a native call. One call of fromCharCode() creates a flat string, while concatenation
// would create a chain.

const { StringFromCharCode: chars } = primordials;

const kShortBytes = 16;

// Returns undefined if there are bytes other than ASCII.
function decodeShort(b, i, end) {
  let all = 0;
  for (let at = i; at < end; at++) all |= b[at];
  if (all >= 0x80) return undefined;
  switch (end - i) {
    case 0: return '';
    case 1: return chars(b[i]);
    case 2: return chars(b[i], b[i + 1]);
    case 3: return chars(b[i], b[i + 1], b[i + 2]);
    case 4: return chars(b[i], b[i + 1], b[i + 2], b[i + 3]);
    case 5: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4]);
    case 6: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5]);
    case 7: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6]);
    case 8: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7]);
    default: return decodeLonger(b, i, end - i);
  }
}

function decodeLonger(b, i, length) {
  switch (length) {
    case 9: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8]);
    case 10: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9]);
    case 11: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10]);
    case 12: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10], b[i + 11]);
    case 13: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10], b[i + 11], b[i + 12]);
    case 14: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13]);
    case 15: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14]);
    default: return chars(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7], b[i + 8],
      b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15]);
  }
}

module.exports = { decodeShort, kShortBytes };
