'use strict';
// The header fields of a received message. Native code delivers them as two strings: `head` has all names and values,
// one after the other, and the character codes of `ends` are the positions where each of them ends (two per position,
// the lower half first, if `head` is long). Most messages are handled without all of their fields being used, so
// strings and objects are made on first use.

const {
  ArrayPrototypePush,
  SafeArrayIterator,
  StringPrototypeCharCodeAt,
  StringPrototypeSlice,
  StringPrototypeToLowerCase,
} = primordials;

// Rules for combining several fields of one name in `headers`.
const kFirst = 0; // The first one counts.
const kComma = 1;
const kSemicolon = 2;
const kList = 3;

const rules = { __proto__: null };
for (const name of new SafeArrayIterator([
  'age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host', 'if-modified-since',
  'if-unmodified-since', 'last-modified', 'location', 'max-forwards', 'proxy-authorization', 'referer', 'retry-after',
  'server', 'user-agent',
])) {
  rules[name] = kFirst;
}
rules.cookie = kSemicolon;
rules['set-cookie'] = kList;

// Names as they are written most often, with their lower-case forms: looked up before a string is made lower-case.
const lowerCase = { __proto__: null };
let known = 0;
const kMostKnown = 500;

function toLowerCase(name) {
  const found = lowerCase[name];
  if (found !== undefined) return found;
  const lower = StringPrototypeToLowerCase(name);
  // Any client can send new names, so their number is limited.
  if (known < kMostKnown && name.length < 40) {
    known++;
    lowerCase[name] = lower;
  }
  return lower;
}

// Flat: name, value, name, value. `most` is the largest number of entries.
function toRawHeaders(head, ends, most) {
  const raw = [];
  const isWide = head.length > 0xffff;
  const step = isWide ? 2 : 1;
  let start = 0;
  for (let i = 0; i < ends.length && raw.length < most; i += step) {
    let end = StringPrototypeCharCodeAt(ends, i);
    if (isWide) end += StringPrototypeCharCodeAt(ends, i + 1) * 0x10000;
    ArrayPrototypePush(raw, StringPrototypeSlice(head, start, end));
    start = end;
  }
  return raw;
}

function addField(fields, name, value, joinsDuplicates) {
  name = toLowerCase(name);
  const old = fields[name];
  const rule = rules[name] ?? kComma;
  if (rule === kList) {
    if (old === undefined) {
      fields[name] = [value];
    } else {
      ArrayPrototypePush(old, value);
    }
  } else if (rule === kFirst) {
    if (old === undefined) {
      fields[name] = value;
    } else if (joinsDuplicates) {
      fields[name] = `${old}, ${value}`;
    }
  } else {
    // A program may have stored another value there, or `name` may be the name of a function of Object.prototype.
    fields[name] = typeof old === 'string' ? old + (rule === kComma ? ', ' : '; ') + value : value;
  }
}

function addDistinct(fields, name, value) {
  name = toLowerCase(name);
  if (fields[name]) {
    ArrayPrototypePush(fields[name], value);
  } else {
    fields[name] = [value];
  }
}

module.exports = { addDistinct, addField, toLowerCase, toRawHeaders };
