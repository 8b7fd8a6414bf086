'use strict';

// node:querystring: parses and formats query strings.
const {
  ArrayIsArray,
  Int8Array,
  MathAbs,
  NumberIsFinite,
  ObjectKeys,
  SafeArrayIterator,
  String,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  TypedArrayPrototypeFill,
  decodeURIComponent,
  encodeURIComponent,
} = primordials;

const {
  codes: { ERR_INVALID_URI },
} = require('internal/errors');

const QueryString = module.exports = {
  unescapeBuffer,
  unescape: qsUnescape,
  escape: qsEscape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};

const kPercent = 37;
const kPlus = 43;

// Characters that need no escaping in a query: letters, digits and - _ . ! ~ * ' ( ).
const unreserved = new Int8Array(128);
const plainRanges = [[48, 57], [65, 90], [97, 122], [39, 42], [45, 46], [33, 33], [95, 95], [126, 126]];
for (const { 0: from, 1: to } of new SafeArrayIterator(plainRanges)) {
  TypedArrayPrototypeFill(unreserved, 1, from, to + 1);
}

function hexValue(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

// Decodes to bytes. Invalid escapes are kept; characters above 255 are truncated to their lower byte.
function unescapeBuffer(s, decodeSpaces) {
  const { Buffer } = require('buffer');
  const out = Buffer.allocUnsafe(s.length);
  let length = 0;
  for (let i = 0; i < s.length; ++i) {
    let code = StringPrototypeCharCodeAt(s, i);
    if (decodeSpaces && code === kPlus) {
      code = 32;
    } else if (code === kPercent && i + 2 < s.length) {
      const high = hexValue(StringPrototypeCharCodeAt(s, i + 1));
      const low = hexValue(StringPrototypeCharCodeAt(s, i + 2));
      if (high >= 0 && low >= 0) {
        code = high * 16 + low;
        i += 2;
      }
    }
    out[length++] = code;
  }
  return length === s.length ? out : out.slice(0, length);
}

function qsUnescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return `${QueryString.unescapeBuffer(s, decodeSpaces)}`;
  }
}

function encodeText(text) {
  for (let i = 0; i < text.length; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code >= 128 || unreserved[code] === 0) {
      try {
        return encodeURIComponent(text);
      } catch {
        return encodeBroken(text);
      }
    }
  }
  return text;
}

// Encodes text with a lone surrogate as Node does: the next character is used as the other half, whatever it is. Only a
// lone surrogate at the end is an error.
function encodeBroken(text) {
  let out = '';
  for (let i = 0; i < text.length; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 0xd800 || code > 0xdfff) {
      out += encodeURIComponent(text[i]);
    } else {
      if (++i >= text.length) throw new ERR_INVALID_URI();
      const other = StringPrototypeCharCodeAt(text, i) & 0x3ff;
      out += encodeURIComponent(StringFromCharCode(0xd800 | (code & 0x3ff), 0xdc00 | other));
    }
  }
  return out;
}

function qsEscape(str) {
  if (typeof str !== 'string') str = typeof str === 'object' ? String(str) : `${str}`;
  return encodeText(str);
}

function toText(value) {
  switch (typeof value) {
    case 'string': return value;
    case 'number': return NumberIsFinite(value) ? `${value}` : '';
    case 'bigint': return `${value}`;
    case 'boolean': return value ? 'true' : 'false';
    default: return '';
  }
}

function encodeDefault(value, encode) {
  if (typeof value === 'string') return value.length > 0 ? encode(value) : '';
  const text = toText(value);
  // Of the other values, only numbers in exponent form contain a character that is escaped (`+`).
  return typeof value === 'number' && MathAbs(value) >= 1e21 ? encode(text) : text;
}

function encodeCustom(value, encode) {
  return encode(toText(value));
}

function stringify(obj, sep, eq, options) {
  sep ||= '&';
  eq ||= '=';
  let encode = QueryString.escape;
  if (options && typeof options.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  const convert = encode === qsEscape ? encodeDefault : encodeCustom;
  if (obj === null || typeof obj !== 'object') return '';

  const keys = ObjectKeys(obj);
  let fields = '';
  for (let i = 0; i < keys.length; ++i) {
    const value = obj[keys[i]];
    const prefix = convert(keys[i], encode) + eq;
    if (ArrayIsArray(value)) {
      for (let j = 0; j < value.length; ++j) {
        if (fields !== '') fields += sep;
        fields += prefix + convert(value[j], encode);
      }
    } else {
      if (fields !== '') fields += sep;
      fields += prefix + convert(value, encode);
    }
  }
  return fields;
}

function hasEscape(text) {
  for (let at = StringPrototypeIndexOf(text, '%'); at !== -1; at = StringPrototypeIndexOf(text, '%', at + 1)) {
    if (at + 2 < text.length && hexValue(StringPrototypeCharCodeAt(text, at + 1)) >= 0 &&
        hexValue(StringPrototypeCharCodeAt(text, at + 2)) >= 0) return true;
  }
  return false;
}

function decodeDefault(text) {
  if (StringPrototypeIndexOf(text, '+') !== -1) text = StringPrototypeReplaceAll(text, '+', ' ');
  return hasEscape(text) ? qsUnescape(text) : text;
}

function decodeCustom(text, decode) {
  if (StringPrototypeIndexOf(text, '+') !== -1) text = StringPrototypeReplaceAll(text, '+', '%20');
  if (text === '') return text;
  try {
    return decode(text);
  } catch {
    return QueryString.unescape(text, true);
  }
}

function add(obj, key, value) {
  const present = obj[key];
  if (present === undefined) obj[key] = value;
  else if (typeof present === 'string') obj[key] = [present, value];
  else if (present.pop) present[present.length] = value;
  else obj[key] = [present, value];
}

function parse(qs, sep, eq, options) {
  const obj = { __proto__: null };
  if (typeof qs !== 'string' || qs.length === 0) return obj;
  sep = sep ? `${sep}` : '&';
  eq = eq ? `${eq}` : '=';

  let left = 1000;
  if (options && typeof options.maxKeys === 'number') left = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = QueryString.unescape;
  if (options && typeof options.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const convert = decode === qsUnescape ? decodeDefault : decodeCustom;

  const length = qs.length;
  let from = 0;
  let equals = StringPrototypeIndexOf(qs, eq);
  if (sep === '') { // As in Node, there is one key, whose value is lost.
    add(obj, convert(StringPrototypeSlice(qs, 0, equals === -1 ? length : equals), decode), '');
    return obj;
  }
  while (from <= length) {
    let end = StringPrototypeIndexOf(qs, sep, from);
    if (end === -1) end = length;
    if (end > from) {
      if (equals !== -1 && equals < from) equals = StringPrototypeIndexOf(qs, eq, from);
      if (equals === -1 || equals + eq.length > end) {
        add(obj, convert(StringPrototypeSlice(qs, from, end), decode), '');
      } else {
        const key = convert(StringPrototypeSlice(qs, from, equals), decode);
        add(obj, key, convert(StringPrototypeSlice(qs, equals + eq.length, end), decode));
      }
    }
    // Empty pairs count towards the limit, too.
    if (--left === 0) break;
    from = end + sep.length;
  }
  return obj;
}
