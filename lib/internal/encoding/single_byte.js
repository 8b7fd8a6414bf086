'use strict';

// Single-byte encodings that ICU does not support, or for which it differs from the standard.

const { StringFromCharCode, StringPrototypeCharCodeAt, Uint16Array } = primordials;

const binding = internalBinding('encoding');

const kReplacement = 0xfffd;

// [byte, code point] where the standard differs from ICU; for iso-8859-16 where it differs from Latin-1.
const corrections = {
  '__proto__': null,
  // ICU swaps three control characters.
  'ibm866': [],
  'koi8-u': [[0xae, 0x45e], [0xbe, 0x40e]],
  'windows-874': [
    [0xdb, kReplacement], [0xdc, kReplacement], [0xdd, kReplacement], [0xde, kReplacement], [0xfc, kReplacement],
    [0xfd, kReplacement], [0xfe, kReplacement], [0xff, kReplacement],
  ],
  'windows-1253': [[0xaa, kReplacement]],
  'windows-1255': [[0xca, 0x5ba]],
  'iso-8859-16': [
    [0xa1, 0x104], [0xa2, 0x105], [0xa3, 0x141], [0xa4, 0x20ac], [0xa5, 0x201e], [0xa6, 0x160], [0xa8, 0x161],
    [0xaa, 0x218], [0xac, 0x179], [0xae, 0x17a], [0xaf, 0x17b], [0xb2, 0x10c], [0xb3, 0x142], [0xb4, 0x17d],
    [0xb5, 0x201d], [0xb8, 0x17e], [0xb9, 0x10d], [0xba, 0x219], [0xbc, 0x152], [0xbd, 0x153], [0xbe, 0x178],
    [0xbf, 0x17c], [0xc3, 0x102], [0xc5, 0x106], [0xd0, 0x110], [0xd1, 0x143], [0xd5, 0x150], [0xd7, 0x15a],
    [0xd8, 0x170], [0xdd, 0x118], [0xde, 0x21a], [0xe3, 0x103], [0xe5, 0x107], [0xf0, 0x111], [0xf1, 0x144],
    [0xf5, 0x151], [0xf7, 0x15b], [0xf8, 0x171], [0xfd, 0x119], [0xfe, 0x21b],
  ],
  'x-user-defined': [],
};

const tables = { __proto__: null };

function has(name) {
  return corrections[name] !== undefined;
}

function baseOf(name, byte) {
  if (name === 'iso-8859-16') return byte;
  if (name === 'x-user-defined') return byte < 0x80 ? byte : 0xf780 + byte - 0x80;
  const text = binding.convert(binding.openConverter(name, false), new primordials.Uint8Array([byte]), true);
  return StringPrototypeCharCodeAt(text, 0);
}

// Returns the code points of all bytes.
function tableOf(name) {
  const known = tables[name];
  if (known !== undefined) return known;
  const table = new Uint16Array(256);
  for (let byte = 0; byte < 256; byte++) table[byte] = byte < 0x80 ? byte : baseOf(name, byte);
  const list = corrections[name];
  for (let i = 0; i < list.length; i++) table[list[i][0]] = list[i][1];
  return tables[name] = table;
}

// Decodes `bytes`; returns undefined if `fatal` is set and a byte is invalid.
function decode(name, bytes, fatal) {
  const table = tableOf(name);
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const code = table[bytes[i]];
    if (fatal && code === kReplacement) return undefined;
    text += StringFromCharCode(code);
  }
  return text;
}

module.exports = { decode, has };
