'use strict';

// The setters of URL, on its record. As the standard says, invalid values are ignored.

const {
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
} = primordials;

const {
  kFragmentSet,
  kQuerySet,
  kSpecialQuerySet,
  kUserinfoSet,
  percentEncode,
} = require('internal/url/encode');
const { parseHost } = require('internal/url/host');
const {
  defaultPortOf,
  findPort,
  isSlash,
  parsePath,
  parsePort,
  removeTabsAndNewlines,
  schemeLength,
} = require('internal/url/parser');

function cannotHaveCredentials(record) {
  return record.host === null || record.host === '' || record.scheme === 'file';
}

function setProtocol(record, value) {
  const text = `${removeTabsAndNewlines(value)}:`;
  const length = schemeLength(text, text.length);
  if (length === 0) return;
  const scheme = StringPrototypeToLowerCase(StringPrototypeSlice(text, 0, length - 1));
  const defaultPort = defaultPortOf(scheme);
  if ((defaultPort !== -1) !== record.special) return;
  if (scheme === 'file' && (record.username !== '' || record.password !== '' || record.port !== -1)) return;
  if (record.scheme === 'file' && record.host === '') return;
  record.scheme = scheme;
  if (record.port === defaultPort) record.port = -1;
}

function setUsername(record, value) {
  if (!cannotHaveCredentials(record)) record.username = percentEncode(value, kUserinfoSet);
}

function setPassword(record, value) {
  if (!cannotHaveCredentials(record)) record.password = percentEncode(value, kUserinfoSet);
}

function endOfHost(text, special) {
  let end = 0;
  while (end < text.length) {
    const code = StringPrototypeCharCodeAt(text, end);
    if (isSlash(code, special) || code === 63 || code === 35) break;
    ++end;
  }
  return end;
}

// Returns false if the host is invalid.
function setHost(record, value, withPort) {
  if (record.opaque) return false;
  const text = removeTabsAndNewlines(value);
  const end = endOfHost(text, record.special);
  if (record.scheme === 'file') {
    const host = end === 0 ? '' : parseHost(StringPrototypeSlice(text, 0, end), true);
    if (host === null) return false;
    record.host = host === 'localhost' ? '' : host;
    return true;
  }
  const colon = findPort(text, 0, end);
  if (colon < end && (colon === 0 || !withPort)) return false;
  if (colon === 0) {
    if (record.special) return false;
    if (record.username !== '' || record.password !== '' || record.port !== -1 || record.host === null) return false;
  }
  const host = parseHost(StringPrototypeSlice(text, 0, colon), record.special);
  if (host === null) return false;
  record.host = host;
  if (colon < end) assignPort(record, parsePort(text, colon + 1, end));
  return true;
}

function assignPort(record, port) {
  if (port >= 0) record.port = port === defaultPortOf(record.scheme) ? -1 : port;
}

function setPort(record, value) {
  if (cannotHaveCredentials(record)) return;
  if (value === '') {
    record.port = -1;
    return;
  }
  const text = removeTabsAndNewlines(value);
  assignPort(record, parsePort(text, 0, text.length));
}

function setPathname(record, value) {
  if (record.opaque) return;
  const text = removeTabsAndNewlines(value);
  record.path = parsePath(record, text, 0, text.length, '');
  // A URL without a host needs a path.
  if (record.path === '' && record.host === null) record.path = '/';
}

// Drops trailing spaces of an opaque path without query and fragment: parsing the URL again would lose them.
function stripOpaquePath(record) {
  if (!record.opaque || record.fragment !== null || record.query !== null) return;
  let end = record.path.length;
  while (end > 0 && StringPrototypeCharCodeAt(record.path, end - 1) === 32) --end;
  record.path = StringPrototypeSlice(record.path, 0, end);
}

function setSearch(record, value) {
  if (value === '') {
    record.query = null;
    stripOpaquePath(record);
    return;
  }
  const text = removeTabsAndNewlines(value);
  const from = StringPrototypeCharCodeAt(value, 0) === 63 ? 1 : 0;
  record.query = percentEncode(text, record.special ? kSpecialQuerySet : kQuerySet, from, text.length);
}

function setHash(record, value) {
  if (value === '') {
    record.fragment = null;
    stripOpaquePath(record);
    return;
  }
  const text = removeTabsAndNewlines(value);
  const from = StringPrototypeCharCodeAt(value, 0) === 35 ? 1 : 0;
  record.fragment = percentEncode(text, kFragmentSet, from, text.length);
}

module.exports = {
  setHash,
  setHost,
  setPassword,
  setPathname,
  setPort,
  setProtocol,
  setSearch,
  setUsername,
};
