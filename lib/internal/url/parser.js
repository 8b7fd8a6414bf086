'use strict';

// The parser of the URL standard (https://url.spec.whatwg.org/). The standard describes a state machine that reads one
// character at a time. This parser finds the boundaries first and reads each part once, with the same results.

const {
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
} = primordials;

const {
  kControlSet,
  kFragmentSet,
  kPathSet,
  kQuerySet,
  kSpecialQuerySet,
  kUserinfoSet,
  percentEncode,
  table,
  toUSVString,
} = require('internal/url/encode');
const { parseCommonPath, parseCommonURL } = require('internal/url/common');
const { parseHost } = require('internal/url/host');
const { Record } = require('internal/url/record');

// The schemes that the standard calls special, with their default ports (0: none).
function defaultPortOf(scheme) {
  switch (scheme) {
    case 'https':
    case 'wss': return 443;
    case 'http':
    case 'ws': return 80;
    case 'ftp': return 21;
    case 'file': return 0;
    default: return -1;
  }
}

// True while the text parsed so far is its own serialization. Then the text is used as href instead of building it.
let isVerbatim = false;

function isLetter(code) {
  const lower = code | 32;
  return lower >= 97 && lower <= 122 && code >= 65;
}

function isSlash(code, special) {
  return code === 47 || (special && code === 92);
}

function startsWithDrive(text, at, end) {
  if (end - at < 2 || !isLetter(StringPrototypeCharCodeAt(text, at))) return false;
  const second = StringPrototypeCharCodeAt(text, at + 1);
  if (second !== 58 && second !== 124) return false;
  if (end - at === 2) return true;
  const third = StringPrototypeCharCodeAt(text, at + 2);
  return third === 47 || third === 92;
}

// A path that is only a drive cannot be shortened.
function shorten(path, scheme) {
  if (scheme === 'file' && path.length === 3 && StringPrototypeCharCodeAt(path, 2) === 58 &&
      isLetter(StringPrototypeCharCodeAt(path, 1))) return path;
  let slash = path.length - 1;
  while (slash > 0 && StringPrototypeCharCodeAt(path, slash) !== 47) --slash;
  return slash <= 0 ? '' : StringPrototypeSlice(path, 0, slash);
}

// The length of the dot (or escaped dot) at text[at], 0 if there is none.
function dotAt(text, at, end) {
  if (at >= end) return 0;
  const code = StringPrototypeCharCodeAt(text, at);
  if (code === 46) return 1;
  if (code === 37 && at + 2 < end && StringPrototypeCharCodeAt(text, at + 1) === 50 &&
      (StringPrototypeCharCodeAt(text, at + 2) | 32) === 101) return 3;
  return 0;
}

// True if text[at..end) can be taken as a path unchanged: nothing to encode, no backslash and no segment that starts
// with a dot.
function isPlainPath(text, at, end) {
  let previous = 47;
  for (let i = at; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code >= 128 || (table[code] & kPathSet) !== 0 || code === 92 || code === 124) return false;
    if (previous === 47 && (code === 46 || code === 37)) return false;
    previous = code;
  }
  return true;
}

// Appends the segments of text[at..end) to `path`.
function parsePath(record, text, at, end, path) {
  const { scheme, special } = record;
  if (at < end && isSlash(StringPrototypeCharCodeAt(text, at), special)) {
    if (path === '' && StringPrototypeCharCodeAt(text, at) === 47 && isPlainPath(text, at + 1, end)) {
      return StringPrototypeSlice(text, at, end);
    }
    ++at;
  } else if (at === end && !special) {
    return path;
  }
  isVerbatim = false;
  if (isPlainPath(text, at, end)) return `${path}/${StringPrototypeSlice(text, at, end)}`;

  while (true) {
    let stop = at;
    while (stop < end && !isSlash(StringPrototypeCharCodeAt(text, stop), special)) ++stop;
    const last = stop === end;
    const first = dotAt(text, at, stop);
    const second = first === 0 ? 0 : dotAt(text, at + first, stop);
    if (second !== 0 && at + first + second === stop) {
      path = shorten(path, scheme);
      if (last) path += '/';
    } else if (first !== 0 && at + first === stop) {
      if (last) path += '/';
    } else if (scheme === 'file' && path === '' && stop - at === 2 && startsWithDrive(text, at, stop)) {
      path = `/${text[at]}:`;
    } else {
      path += `/${percentEncode(text, kPathSet, at, stop)}`;
    }
    if (last) return path;
    at = stop + 1;
  }
}

function endOfAuthority(text, at, end, special) {
  while (at < end && !isSlash(StringPrototypeCharCodeAt(text, at), special)) ++at;
  return at;
}

// The index of the ':' before the port, outside of brackets; `end` if there is none.
function findPort(text, at, end) {
  let inside = false;
  for (let i = at; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code === 91) inside = true;
    else if (code === 93) inside = false;
    else if (code === 58 && !inside) return i;
  }
  return end;
}

// The leading number of text[at..end); -1 if there are no digits, -2 if it is too large.
function parsePort(text, at, end) {
  let port = -1;
  for (let i = at; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 48 || code > 57) break;
    port = (port === -1 ? 0 : port * 10) + code - 48;
    if (port > 65535) return -2;
  }
  return port;
}

function isAllDigits(text, at, end) {
  for (let i = at; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

// Reads user, password, host and port from text[at..end). False if they are invalid.
function parseAuthority(record, text, at, end) {
  let sign = end - 1;
  while (sign >= at && StringPrototypeCharCodeAt(text, sign) !== 64) --sign;
  if (sign >= at) {
    if (sign + 1 === end) return false;
    let colon = at;
    while (colon < sign && StringPrototypeCharCodeAt(text, colon) !== 58) ++colon;
    record.username = percentEncode(text, kUserinfoSet, at, colon);
    if (colon < sign) record.password = percentEncode(text, kUserinfoSet, colon + 1, sign);
    // Without a password there is no ':', and with neither no '@'.
    const length = record.password === '' ? record.username.length : record.username.length + 1 +
      record.password.length;
    if (length === 0 || length !== sign - at) isVerbatim = false;
    at = sign + 1;
  }
  const colon = findPort(text, at, end);
  if (colon === at && (colon < end || record.special)) return false;
  const host = StringPrototypeSlice(text, at, colon);
  record.host = parseHost(host, record.special);
  if (record.host === null) return false;
  if (record.host !== host) isVerbatim = false;
  if (colon < end) {
    if (!isAllDigits(text, colon + 1, end)) return false;
    const port = parsePort(text, colon + 1, end);
    if (port === -2) return false;
    record.port = port === defaultPortOf(record.scheme) ? -1 : port;
    if (record.port === -1 || `${port}`.length !== end - colon - 1) isVerbatim = false;
  }
  return true;
}

function copyAuthority(record, base) {
  record.username = base.username;
  record.password = base.password;
  record.host = base.host;
  record.port = base.port;
}

function removeTabsAndNewlines(text) {
  if (StringPrototypeIndexOf(text, '\t') !== -1) text = StringPrototypeReplaceAll(text, '\t', '');
  if (StringPrototypeIndexOf(text, '\n') !== -1) text = StringPrototypeReplaceAll(text, '\n', '');
  if (StringPrototypeIndexOf(text, '\r') !== -1) text = StringPrototypeReplaceAll(text, '\r', '');
  return text;
}

function clean(text) {
  let at = 0;
  let end = text.length;
  while (at < end && StringPrototypeCharCodeAt(text, at) <= 32) ++at;
  while (end > at && StringPrototypeCharCodeAt(text, end - 1) <= 32) --end;
  return removeTabsAndNewlines(at === 0 && end === text.length ? text : StringPrototypeSlice(text, at, end));
}

// The length of the scheme at the start of the text, with its colon; 0 if there is none.
function schemeLength(text, end) {
  if (end === 0 || !isLetter(StringPrototypeCharCodeAt(text, 0))) return 0;
  for (let i = 1; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code === 58) return i + 1;
    const fits = isLetter(code) || (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;
    if (!fits) return 0;
  }
  return 0;
}

// The scheme text[0..length) in lower case. Nearly all are http or https.
function schemeOf(text, length) {
  if (length <= 5 && length >= 4 && StringPrototypeCharCodeAt(text, 0) === 104 &&
      StringPrototypeCharCodeAt(text, 1) === 116 && StringPrototypeCharCodeAt(text, 2) === 116 &&
      StringPrototypeCharCodeAt(text, 3) === 112) {
    if (length === 4) return 'http';
    if (StringPrototypeCharCodeAt(text, 4) === 115) return 'https';
  }
  const written = StringPrototypeSlice(text, 0, length);
  const scheme = StringPrototypeToLowerCase(written);
  if (scheme !== written) isVerbatim = false;
  return scheme;
}

// Parses `text` with the record `base`, or null. Returns null if the result is not a URL.
function parseURL(text, base) {
  const common = base !== null && StringPrototypeCharCodeAt(text, 0) === 47 ?
    parseCommonPath(text, base) :
    parseCommonURL(text);
  if (common !== null) return common;

  // Most URLs are printable ASCII: they need no cleaning, and one pass finds the query and the fragment.
  let fragmentAt = -1;
  let queryAt = -1;
  const length = text.length;
  let i = 0;
  for (; i < length; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code === 35) {
      if (fragmentAt === -1) fragmentAt = i;
    } else if (code === 63) {
      if (queryAt === -1 && fragmentAt === -1) queryAt = i;
    } else if (code <= 32 || code >= 127) {
      break;
    }
  }
  isVerbatim = i === length;
  if (!isVerbatim) {
    text = clean(toUSVString(text));
    fragmentAt = StringPrototypeIndexOf(text, '#');
    queryAt = StringPrototypeIndexOf(text, '?');
    if (fragmentAt !== -1 && queryAt > fragmentAt) queryAt = -1;
  }
  const queryEnd = fragmentAt === -1 ? text.length : fragmentAt;
  const end = queryAt === -1 ? queryEnd : queryAt;

  const record = parseWithoutQuery(text, end, base, queryAt === -1, fragmentAt === -1);
  if (record === null) return null;
  if (queryAt !== -1) {
    record.query = percentEncode(text, record.special ? kSpecialQuerySet : kQuerySet, queryAt + 1, queryEnd);
    if (record.query.length !== queryEnd - queryAt - 1) isVerbatim = false;
  }
  if (fragmentAt !== -1) {
    record.fragment = percentEncode(text, kFragmentSet, fragmentAt + 1, text.length);
    if (record.fragment.length !== text.length - fragmentAt - 1) isVerbatim = false;
  }
  if (isVerbatim) record.href = text;
  else record.serialize();
  return record;
}

function parseWithoutQuery(text, end, base, noQuery, noFragment) {
  const length = schemeLength(text, end);
  if (length === 0) {
    if (base === null) return null;
    isVerbatim = false;
    if (base.opaque) {
      // Only a fragment can be relative to an opaque path.
      if (end !== 0 || !noQuery || noFragment) return null;
      const record = new Record(base.scheme, base.special);
      record.path = base.path;
      record.opaque = true;
      record.query = base.query;
      return record;
    }
    if (base.scheme === 'file') return parseFile(text, 0, end, base, noQuery);
    return parseRelative(text, 0, end, base, noQuery);
  }

  const scheme = schemeOf(text, length - 1);
  const special = defaultPortOf(scheme) !== -1;
  if (scheme === 'file') {
    isVerbatim = false;
    return parseFile(text, length, end, base !== null && base.scheme === 'file' ? base : null, noQuery);
  }
  let at = length;
  const twoSlashes = StringPrototypeCharCodeAt(text, at) === 47 && StringPrototypeCharCodeAt(text, at + 1) === 47 &&
                     at + 1 < end;
  if (special) {
    if (!twoSlashes && base !== null && base.scheme === scheme) {
      isVerbatim = false;
      return parseRelative(text, at, end, base, noQuery);
    }
    while (at < end && isSlash(StringPrototypeCharCodeAt(text, at), true)) ++at;
    if (!twoSlashes || at !== length + 2) isVerbatim = false;
    return parseFromAuthority(new Record(scheme, true), text, at, end);
  }
  const record = new Record(scheme, false);
  if (twoSlashes) return parseFromAuthority(record, text, at + 2, end);
  if (at < end && StringPrototypeCharCodeAt(text, at) === 47) {
    record.path = parsePath(record, text, at, end, '');
    return record;
  }
  record.opaque = true;
  record.path = percentEncode(text, kControlSet, at, end);
  if (record.path.length !== end - at) isVerbatim = false;
  // A trailing space would be lost if the serialization were parsed without the query and fragment.
  if (!(noQuery && noFragment) && StringPrototypeCharCodeAt(record.path, record.path.length - 1) === 32) {
    record.path = `${StringPrototypeSlice(record.path, 0, record.path.length - 1)}%20`;
  }
  return record;
}

function parseFromAuthority(record, text, at, end) {
  const stop = endOfAuthority(text, at, end, record.special);
  if (!parseAuthority(record, text, at, stop)) return null;
  record.path = parsePath(record, text, stop, end, '');
  return record;
}

function parseRelative(text, at, end, base, noQuery) {
  const record = new Record(base.scheme, base.special);
  const special = base.special;
  if (at < end && isSlash(StringPrototypeCharCodeAt(text, at), special)) {
    if (at + 1 < end && isSlash(StringPrototypeCharCodeAt(text, at + 1), special)) {
      at += 2;
      if (special) while (at < end && isSlash(StringPrototypeCharCodeAt(text, at), true)) ++at;
      return parseFromAuthority(record, text, at, end);
    }
    copyAuthority(record, base);
    record.path = parsePath(record, text, at, end, '');
    return record;
  }
  copyAuthority(record, base);
  if (at === end) {
    record.path = base.path;
    if (noQuery) record.query = base.query;
  } else {
    record.path = parsePath(record, text, at, end, shorten(base.path, base.scheme));
  }
  return record;
}

function parseFile(text, at, end, base, noQuery) {
  const record = new Record('file', true);
  record.host = '';
  if (at < end && isSlash(StringPrototypeCharCodeAt(text, at), true)) {
    ++at;
    if (at < end && isSlash(StringPrototypeCharCodeAt(text, at), true)) {
      ++at;
      const stop = endOfAuthority(text, at, end, true);
      if (stop - at === 2 && startsWithDrive(text, at, stop)) {
        // The text looks like a host, but is a drive letter.
        record.path = parsePath(record, text, at, end, '');
        return record;
      }
      if (stop > at) {
        record.host = parseHost(StringPrototypeSlice(text, at, stop), true);
        if (record.host === null) return null;
        if (record.host === 'localhost') record.host = '';
      }
      record.path = parsePath(record, text, stop, end, '');
      return record;
    }
    let path = '';
    if (base !== null) {
      record.host = base.host;
      if (!startsWithDrive(text, at, end)) path = driveOf(base.path);
    }
    record.path = parsePath(record, text, at - 1, end, path);
    return record;
  }
  if (base === null) {
    record.path = parsePath(record, text, at, end, '');
    return record;
  }
  record.host = base.host;
  if (at === end) {
    record.path = base.path;
    if (noQuery) record.query = base.query;
  } else {
    const path = startsWithDrive(text, at, end) ? '' : shorten(base.path, 'file');
    record.path = parsePath(record, text, at, end, path);
  }
  return record;
}

// '/C:' if the path of a file starts with a drive, else ''.
function driveOf(path) {
  const isDrive = path.length >= 3 && isLetter(StringPrototypeCharCodeAt(path, 1)) &&
                  StringPrototypeCharCodeAt(path, 2) === 58 &&
                  (path.length === 3 || StringPrototypeCharCodeAt(path, 3) === 47);
  return isDrive ? StringPrototypeSlice(path, 0, 3) : '';
}

module.exports = {
  defaultPortOf,
  findPort,
  isSlash,
  parsePath,
  parsePort,
  parseURL,
  removeTabsAndNewlines,
  schemeLength,
};
