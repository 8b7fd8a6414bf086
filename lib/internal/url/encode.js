'use strict';

// Percent-encoding of the URL standard: one table, with a bit for each of its sets.

const {
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  TypedArrayPrototypeFill,
  Uint8Array,
  encodeURIComponent,
} = primordials;

const kControlSet = 1;
const kFragmentSet = 2;
const kQuerySet = 4;
const kSpecialQuerySet = 8;
const kPathSet = 16;
const kUserinfoSet = 32;
const kFormSet = 64;
const kForbiddenHost = 128;

const table = new Uint8Array(128);
TypedArrayPrototypeFill(table, kControlSet | kFragmentSet | kQuerySet | kSpecialQuerySet | kPathSet | kUserinfoSet, 0,
  32);
table[127] = table[0];

function addTo(sets, characters) {
  for (let i = 0; i < characters.length; ++i) table[StringPrototypeCharCodeAt(characters, i)] |= sets;
}
addTo(kFragmentSet, ' "<>`');
addTo(kQuerySet | kSpecialQuerySet | kPathSet | kUserinfoSet, ' "#<>');
addTo(kSpecialQuerySet, "'");
addTo(kPathSet | kUserinfoSet, '?`{}^');
addTo(kUserinfoSet, '/:;=@[\\]|');
addTo(kForbiddenHost, '\0\t\n\r #/:<>?@[\\]^|');
for (let code = 0; code < 128; ++code) {
  const plain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ||
                code === 42 || code === 45 || code === 46 || code === 95;
  if (!plain) table[code] |= kFormSet;
}

const hex = '0123456789ABCDEF';

// The index of the first character from `from` on that is in the set; -1 if there is none.
function firstToEncode(text, set, from, end) {
  for (let i = from; i < end; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code >= 128 || (table[code] & set) !== 0) return i;
  }
  return -1;
}

// Encodes text[from..end), which has no lone surrogates.
function percentEncode(text, set, from = 0, end = text.length) {
  let at = firstToEncode(text, set, from, end);
  if (at === -1) return from === 0 && end === text.length ? text : StringPrototypeSlice(text, from, end);
  let out = StringPrototypeSlice(text, from, at);
  while (at < end) {
    const code = StringPrototypeCharCodeAt(text, at);
    if (code < 128) {
      if ((table[code] & set) === 0) out += text[at];
      else if (set === kFormSet && code === 32) out += '+';
      else out += `%${hex[code >> 4]}${hex[code & 15]}`;
      ++at;
    } else {
      const width = code >= 0xd800 && code < 0xdc00 ? 2 : 1;
      out += encodeURIComponent(StringPrototypeSlice(text, at, at + width));
      at += width;
    }
  }
  return out;
}

function hexValue(code) {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

// Decodes the escapes in `text` as UTF-8. Invalid sequences become U+FFFD.
function percentDecode(text) {
  let at = StringPrototypeIndexOf(text, '%');
  if (at === -1) return text;
  let out = StringPrototypeSlice(text, 0, at);
  const length = text.length;
  // The current code point needs `need` more bytes, and the next one must be between `low` and `high`.
  let point = 0;
  let need = 0;
  let low = 0x80;
  let high = 0xbf;
  while (at < length) {
    const code = StringPrototypeCharCodeAt(text, at);
    let byte = -1;
    if (code === 37 && at + 2 < length) {
      const first = hexValue(StringPrototypeCharCodeAt(text, at + 1));
      const second = hexValue(StringPrototypeCharCodeAt(text, at + 2));
      if (first >= 0 && second >= 0) byte = first * 16 + second;
    }
    if (need > 0) {
      if (byte >= low && byte <= high) {
        point = (point << 6) | (byte & 63);
        low = 0x80;
        high = 0xbf;
        if (--need === 0) {
          if (point < 0x10000) out += StringFromCharCode(point);
          else out += StringFromCharCode(0xd7c0 + (point >> 10), 0xdc00 | (point & 0x3ff));
        }
        at += 3;
        continue;
      }
      // An incomplete sequence. The current byte starts a new one.
      out += '\ufffd';
      need = 0;
      low = 0x80;
      high = 0xbf;
    }
    if (byte === -1) {
      out += text[at];
      ++at;
      continue;
    }
    at += 3;
    if (byte < 0x80) {
      out += StringFromCharCode(byte);
    } else if (byte >= 0xc2 && byte <= 0xdf) {
      need = 1;
      point = byte & 31;
    } else if (byte >= 0xe0 && byte <= 0xef) {
      need = 2;
      point = byte & 15;
      if (byte === 0xe0) low = 0xa0;
      else if (byte === 0xed) high = 0x9f;
    } else if (byte >= 0xf0 && byte <= 0xf4) {
      need = 3;
      point = byte & 7;
      if (byte === 0xf0) low = 0x90;
      else if (byte === 0xf4) high = 0x8f;
    } else {
      out += '\ufffd';
    }
  }
  return need > 0 ? `${out}\ufffd` : out;
}

// With the flag u a surrogate pair is one character, so this finds only lone surrogates.
const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;

function hasSurrogate(text) {
  for (let i = 0; i < text.length; ++i) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code >= 0xd800 && code <= 0xdfff) return true;
  }
  return false;
}

// Converts a value to a USVString of Web IDL.
function toUSVString(value) {
  const text = `${value}`;
  if (!hasSurrogate(text) || RegExpPrototypeExec(loneSurrogate, text) === null) return text;
  return RegExpPrototypeSymbolReplace(loneSurrogates, text, '\ufffd');
}

// application/x-www-form-urlencoded, from and to a list of alternating names and values.
function decodeForm(text) {
  if (StringPrototypeIndexOf(text, '+') !== -1) text = StringPrototypeReplaceAll(text, '+', ' ');
  return percentDecode(text);
}

function parseForm(text) {
  const list = [];
  const length = text.length;
  let from = 0;
  while (from < length) {
    let end = StringPrototypeIndexOf(text, '&', from);
    if (end === -1) end = length;
    if (end > from) {
      const pair = StringPrototypeSlice(text, from, end);
      const equals = StringPrototypeIndexOf(pair, '=');
      if (equals === -1) {
        list[list.length] = decodeForm(pair);
        list[list.length] = '';
      } else {
        list[list.length] = decodeForm(StringPrototypeSlice(pair, 0, equals));
        list[list.length] = decodeForm(StringPrototypeSlice(pair, equals + 1));
      }
    }
    from = end + 1;
  }
  return list;
}

function serializeForm(list) {
  let out = '';
  for (let i = 0; i < list.length; i += 2) {
    if (i > 0) out += '&';
    out += `${percentEncode(list[i], kFormSet)}=${percentEncode(list[i + 1], kFormSet)}`;
  }
  return out;
}

module.exports = {
  firstToEncode,
  hexValue,
  kControlSet,
  kForbiddenHost,
  kFragmentSet,
  kPathSet,
  kQuerySet,
  kSpecialQuerySet,
  kUserinfoSet,
  parseForm,
  percentDecode,
  percentEncode,
  serializeForm,
  table,
  toUSVString,
};
