'use strict';

// Fast path for common URLs, in one pass: http(s) with a host in lower case, and nothing to encode or resolve. Their
// serialization is the text itself. All others are left to the full parser.

const {
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
  Uint8Array,
} = primordials;

const {
  kFragmentSet,
  kPathSet,
  kSpecialQuerySet,
  table,
} = require('internal/url/encode');
const { endsInNumber, parseIPv4 } = require('internal/url/host');
const { Record } = require('internal/url/record');

const kInHost = 1;
const kInPath = 2;
const kInQuery = 4;
const kInFragment = 8;

const plain = new Uint8Array(128);
for (let code = 33; code < 127; ++code) {
  const isLetter = code >= 97 && code <= 122;
  const isDigit = code >= 48 && code <= 57;
  if (isLetter || isDigit || code === 46 || code === 95) plain[code] |= kInHost;
  if ((table[code] & kPathSet) === 0 && code !== 92 && code !== 124) plain[code] |= kInPath;
  if ((table[code] & kSpecialQuerySet) === 0) plain[code] |= kInQuery;
  if ((table[code] & kFragmentSet) === 0) plain[code] |= kInFragment;
}

// The length of 'http://' or 'https://' at the start of the text; 0 if it starts otherwise.
function prefixLength(text) {
  if (text.length < 8 || StringPrototypeCharCodeAt(text, 0) !== 104 || StringPrototypeCharCodeAt(text, 1) !== 116 ||
      StringPrototypeCharCodeAt(text, 2) !== 116 || StringPrototypeCharCodeAt(text, 3) !== 112) return 0;
  const colon = StringPrototypeCharCodeAt(text, 4) === 115 ? 5 : 4;
  const fits = StringPrototypeCharCodeAt(text, colon) === 58 && StringPrototypeCharCodeAt(text, colon + 1) === 47 &&
               StringPrototypeCharCodeAt(text, colon + 2) === 47;
  return fits ? colon + 3 : 0;
}

// 'file:///path', the URLs of modules.
function parseCommonFile(text) {
  if (!StringPrototypeStartsWith(text, 'file:///')) return null;
  const record = new Record('file', true);
  record.host = '';
  if (!readPath(record, text, 7)) return null;
  record.href = text;
  return record;
}

// Returns the record, or null if the text needs the full parser.
function parseCommonURL(text) {
  if (StringPrototypeCharCodeAt(text, 0) === 102) return parseCommonFile(text);
  const hostAt = prefixLength(text);
  if (hostAt === 0) return null;
  const length = text.length;
  let i = hostAt;
  let code = 0;
  for (; i < length; ++i) {
    code = StringPrototypeCharCodeAt(text, i);
    if (code < 128 && (plain[code] & kInHost) !== 0) continue;
    if (code !== 45) break;
    // Two hyphens may belong to punycode.
    if (StringPrototypeCharCodeAt(text, i - 1) === 45) return null;
  }
  const hostEnd = i;
  if (hostEnd === hostAt) return null;

  let port = -1;
  if (i < length && code === 58) {
    port = 0;
    for (++i; i < length; ++i) {
      code = StringPrototypeCharCodeAt(text, i);
      if (code < 48 || code > 57) break;
      port = port * 10 + code - 48;
      if (port === 0 || port > 65535) return null;
    }
    if (port === 0 || port === (hostAt === 7 ? 80 : 443)) return null;
  }
  if (i >= length || code !== 47) return null;
  const host = StringPrototypeSlice(text, hostAt, hostEnd);
  if (endsInNumber(host) && parseIPv4(host) !== host) return null;
  const record = new Record(hostAt === 7 ? 'http' : 'https', true);
  record.host = host;
  record.port = port;
  if (!readPath(record, text, i)) return null;
  record.href = text;
  return record;
}

// Reads path, query and fragment from text[pathAt], a slash, to the end. False if they need the full parser.
function readPath(record, text, pathAt) {
  const length = text.length;
  let i = pathAt + 1;
  let code = 0;
  let previous = 47;
  for (; i < length; ++i) {
    code = StringPrototypeCharCodeAt(text, i);
    if (code >= 128 || (plain[code] & kInPath) === 0) break;
    // A segment that starts with a dot, or an escaped one, may have to be resolved.
    if (previous === 47 && (code === 46 || code === 37)) return false;
    previous = code;
  }
  record.path = i === length && pathAt === 0 ? text : StringPrototypeSlice(text, pathAt, i);
  if (i < length && code === 63) {
    const queryAt = i + 1;
    for (++i; i < length; ++i) {
      code = StringPrototypeCharCodeAt(text, i);
      if (code >= 128 || (plain[code] & kInQuery) === 0) break;
    }
    record.query = StringPrototypeSlice(text, queryAt, i);
  }
  if (i === length) return true;
  if (code !== 35) return false;
  const fragmentAt = i + 1;
  for (++i; i < length; ++i) {
    code = StringPrototypeCharCodeAt(text, i);
    if (code >= 128 || (plain[code] & kInFragment) === 0) return false;
  }
  record.fragment = StringPrototypeSlice(text, fragmentAt);
  return true;
}

// '/path?query' with a base of http(s), as servers parse it. Null if the text needs the full parser.
function parseCommonPath(text, base) {
  if (StringPrototypeCharCodeAt(text, 0) !== 47 || !base.special || base.scheme === 'file') return null;
  if (text.length > 1) {
    const second = StringPrototypeCharCodeAt(text, 1);
    if (second === 47 || second === 92) return null;
  }
  const record = new Record(base.scheme, true);
  if (!readPath(record, text, 0)) return null;
  record.username = base.username;
  record.password = base.password;
  record.host = base.host;
  record.port = base.port;
  // The base up to its path, which starts at the first slash after the '//'.
  const { href } = base;
  const prefixEnd = StringPrototypeIndexOf(href, '/', base.scheme.length + 3);
  record.href = StringPrototypeSlice(href, 0, prefixEnd) + text;
  return record;
}

module.exports = { parseCommonPath, parseCommonURL };
