'use strict';

// Parses hosts: domains, all forms of IPv4 addresses, IPv6 addresses, and opaque hosts of schemes that are not special.

const {
  ArrayPrototypeJoin,
  NumberParseInt,
  NumberPrototypeToString,
  RegExpPrototypeExec,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeToLowerCase,
} = primordials;

const {
  hexValue,
  kControlSet,
  kForbiddenHost,
  percentDecode,
  percentEncode,
  table,
} = require('internal/url/encode');

const kPercent = 37;

// The package for international domains. Loaded on demand: its tables are large, and few programs need them.
let idna;
function domainToASCII(domain) {
  idna ??= require('vendor/tr46');
  return idna.toASCII(domain, {
    checkHyphens: false,
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: false,
    transitionalProcessing: false,
    verifyDNSLength: false,
  });
}

function domainToUnicode(domain) {
  idna ??= require('vendor/tr46');
  return idna.toUnicode(domain, {
    checkHyphens: false,
    checkBidi: true,
    checkJoiners: true,
    useSTD3ASCIIRules: false,
    transitionalProcessing: false,
  }).domain;
}

function hasForbidden(host, alsoForDomains) {
  for (let i = 0; i < host.length; ++i) {
    const code = StringPrototypeCharCodeAt(host, i);
    if (code >= 128) continue;
    if ((table[code] & kForbiddenHost) !== 0) return true;
    if (alsoForDomains && (code < 32 || code === kPercent || code === 127)) return true;
  }
  return false;
}

// Classes of domains: plain, with upper case, or with escapes, non-ASCII characters or punycode, which need the full
// algorithm. kForbidden: the domain has a forbidden character.
const kPlain = 0;
const kUpperCase = 1;
const kUnusual = 2;
const kForbidden = 3;

function classify(host) {
  let kind = kPlain;
  let isForbidden = false;
  for (let i = 0; i < host.length; ++i) {
    const code = StringPrototypeCharCodeAt(host, i);
    if (code >= 128 || code === kPercent) return kUnusual;
    if (code >= 65 && code <= 90) {
      kind = kUpperCase;
    } else if (code === 45) {
      // 'xn--' in lower or upper case.
      if (i >= 3 && StringPrototypeCharCodeAt(host, i - 1) === 45 &&
          (StringPrototypeCharCodeAt(host, i - 2) | 32) === 110 &&
          (StringPrototypeCharCodeAt(host, i - 3) | 32) === 120) return kUnusual;
    } else if (code < 32 || code === 127 || (table[code] & kForbiddenHost) !== 0) {
      isForbidden = true;
    }
  }
  return isForbidden ? kForbidden : kind;
}

// Returns the serialized host, or null if it is invalid.
function parseHost(input, special) {
  if (input.length > 0 && StringPrototypeCharCodeAt(input, 0) === 91) {
    if (StringPrototypeCharCodeAt(input, input.length - 1) !== 93) return null;
    const pieces = parseIPv6(StringPrototypeSlice(input, 1, input.length - 1));
    return pieces === null ? null : `[${serializeIPv6(pieces)}]`;
  }
  if (!special) return hasForbidden(input, false) ? null : percentEncode(input, kControlSet);

  const kind = classify(input);
  if (kind === kForbidden) return null;
  let domain = input;
  if (kind === kUpperCase) domain = StringPrototypeToLowerCase(domain);
  else if (kind === kUnusual) domain = parseUnusual(input);
  if (domain === null || domain === '') return null;
  return endsInNumber(domain) ? parseIPv4(domain) : domain;
}

function parseUnusual(input) {
  let domain = percentDecode(input);
  // A '%' that is left after decoding is forbidden.
  if (StringPrototypeIndexOf(domain, '%') !== -1) return null;
  if (classify(domain) === kUnusual) domain = domainToASCII(domain);
  else domain = StringPrototypeToLowerCase(domain);
  return domain === null || hasForbidden(domain, true) ? null : domain;
}

const allDigits = /^[0-9]+$/;
const hexNumber = /^0[xX][0-9A-Fa-f]*$/;
const octalDigits = /^[0-7]+$/;

function endsInNumber(domain) {
  // Fast path: only a last label that starts with a digit can be a number.
  let end = domain.length;
  if (StringPrototypeCharCodeAt(domain, end - 1) === 46) --end;
  let start = end;
  while (start > 0 && StringPrototypeCharCodeAt(domain, start - 1) !== 46) --start;
  const first = StringPrototypeCharCodeAt(domain, start);
  if (start === end || first < 48 || first > 57) return false;
  const last = StringPrototypeSlice(domain, start, end);
  return RegExpPrototypeExec(allDigits, last) !== null || RegExpPrototypeExec(hexNumber, last) !== null;
}

function parseIPv4Number(part) {
  if (part === '') return -1;
  if (RegExpPrototypeExec(hexNumber, part) !== null) return part.length === 2 ? 0 : NumberParseInt(part, 16);
  if (part.length >= 2 && part[0] === '0') {
    return RegExpPrototypeExec(octalDigits, part) === null ? -1 : NumberParseInt(part, 8);
  }
  return RegExpPrototypeExec(allDigits, part) === null ? -1 : +part;
}

function parseIPv4(domain) {
  const parts = StringPrototypeSplit(domain, '.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.length -= 1;
  if (parts.length > 4) return null;
  let address = 0;
  for (let i = 0; i < parts.length; ++i) {
    const number = parseIPv4Number(parts[i]);
    if (number < 0) return null;
    if (i < parts.length - 1) {
      if (number > 255) return null;
      address += number * 256 ** (3 - i);
    } else {
      // The last number fills the remaining bytes.
      if (number >= 256 ** (4 - i)) return null;
      address += number;
    }
  }
  return `${(address / 0x1000000) | 0}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address % 256}`;
}

function parseIPv6(text) {
  const pieces = [0, 0, 0, 0, 0, 0, 0, 0];
  const length = text.length;
  let index = 0;
  let compress = -1;
  let at = 0;
  if (StringPrototypeCharCodeAt(text, 0) === 58) {
    if (StringPrototypeCharCodeAt(text, 1) !== 58) return null;
    at = 2;
    compress = ++index;
  }
  while (at < length) {
    if (index === 8) return null;
    if (StringPrototypeCharCodeAt(text, at) === 58) {
      if (compress !== -1) return null;
      ++at;
      compress = ++index;
      continue;
    }
    let value = 0;
    let digits = 0;
    while (digits < 4 && at < length) {
      const digit = hexValue(StringPrototypeCharCodeAt(text, at));
      if (digit < 0) break;
      value = value * 16 + digit;
      ++at;
      ++digits;
    }
    const code = at < length ? StringPrototypeCharCodeAt(text, at) : -1;
    if (code === 46) {
      if (digits === 0 || index > 6) return null;
      if (!parseIPv4Tail(text, at - digits, pieces, index)) return null;
      index += 2;
      break;
    }
    if (code === 58) {
      if (++at === length) return null;
    } else if (code !== -1) {
      return null;
    }
    pieces[index++] = value;
  }
  if (compress !== -1) {
    // Moves the pieces after '::' to the end.
    let swaps = index - compress;
    for (let to = 7; to !== 0 && swaps > 0; --to, --swaps) {
      const from = compress + swaps - 1;
      const piece = pieces[from];
      pieces[from] = pieces[to];
      pieces[to] = piece;
    }
  } else if (index !== 8) {
    return null;
  }
  return pieces;
}

// The dotted end of an IPv6 address: exactly four plain decimal numbers.
function parseIPv4Tail(text, at, pieces, index) {
  const parts = StringPrototypeSplit(StringPrototypeSlice(text, at), '.');
  if (parts.length !== 4) return false;
  for (let i = 0; i < 4; ++i) {
    const part = parts[i];
    if (RegExpPrototypeExec(allDigits, part) === null || (part.length > 1 && part[0] === '0') || +part > 255) {
      return false;
    }
    const piece = index + (i >> 1);
    pieces[piece] = pieces[piece] * 256 + +part;
  }
  return true;
}

function serializeIPv6(pieces) {
  // Finds the first longest run of at least two zeros, which '::' replaces.
  let best = -1;
  let bestLength = 1;
  for (let i = 0; i < 8; ++i) {
    let end = i;
    while (end < 8 && pieces[end] === 0) ++end;
    if (end - i > bestLength) {
      best = i;
      bestLength = end - i;
    }
    if (end > i) i = end;
  }
  const out = [];
  if (best === -1) {
    for (let i = 0; i < 8; ++i) out[i] = NumberPrototypeToString(pieces[i], 16);
    return ArrayPrototypeJoin(out, ':');
  }
  let text = '';
  for (let i = 0; i < best; ++i) text += `${i > 0 ? ':' : ''}${NumberPrototypeToString(pieces[i], 16)}`;
  text += '::';
  for (let i = best + bestLength; i < 8; ++i) {
    text += `${i > best + bestLength ? ':' : ''}${NumberPrototypeToString(pieces[i], 16)}`;
  }
  return text;
}

// For url.parse(): '' if the domain is invalid. The caller validates ASCII domains.
function toASCII(domain) {
  if (classify(domain) !== kUnusual) return StringPrototypeToLowerCase(domain);
  return domainToASCII(domain) ?? '';
}

module.exports = { domainToUnicode, endsInNumber, parseHost, parseIPv4, toASCII };
