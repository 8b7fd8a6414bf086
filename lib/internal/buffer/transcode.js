'use strict';

// buffer.transcode(). Characters that the target encoding does not contain become question marks.

const { StringFromCharCode, StringPrototypeCharCodeAt, TypedArrayPrototypeGetLength } = primordials;

const { isUtf8 } = internalBinding('bytes');
const { decodeUtf16 } = internalBinding('encoding');
const {
  codes: { ERR_INVALID_ARG_TYPE },
  genericNodeError,
} = require('internal/errors');
const { normalizeEncoding } = require('internal/util');
const { isUint8Array } = require('internal/util/types');
const { FastBuffer } = require('internal/buffer/fast');
const { allocate, fromStringFast } = require('internal/buffer/create');
const { encodingOps } = require('internal/buffer/encodings');

// ICU's error codes, which programs see.
const kInvalidCharacter = { code: 'U_INVALID_CHAR_FOUND', number: 10 };
const kIllegalArgument = { code: 'U_ILLEGAL_ARGUMENT_ERROR', number: 1 };

function fail({ code, number }) {
  throw genericNodeError(`Unable to transcode Buffer [${code}]`, { code, errno: number });
}

function isTextEncoding(name) {
  return name === 'ascii' || name === 'latin1' || name === 'utf16le' || name === 'utf8';
}

function decode(source, encoding) {
  const length = TypedArrayPrototypeGetLength(source);
  const bytes = new FastBuffer(source.buffer, source.byteOffset, length);
  if (encoding === 'utf8') return bytes.utf8Slice(0, length);
  if (encoding === 'latin1') return bytes.latin1Slice(0, length);
  if (encoding === 'utf16le') return bytes.ucs2Slice(0, length);
  let text = '';
  for (let i = 0; i < length; i++) text += StringFromCharCode(bytes[i] < 0x80 ? bytes[i] : 0xfffd);
  return text;
}

function isHigh(code) {
  return (code & 0xfc00) === 0xd800;
}
function isLow(code) {
  return (code & 0xfc00) === 0xdc00;
}

function hasLoneSurrogate(text) {
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if ((code & 0xf800) !== 0xd800) continue;
    if (!isHigh(code) || !isLow(StringPrototypeCharCodeAt(text, i + 1))) return true;
    i++;
  }
  return false;
}

// Characters without a glyph, such as the byte order mark, are dropped instead of replaced.
function isIgnorable(code) {
  return code === 0xad || code === 0x34f || code === 0x61c || (code >= 0x115f && code <= 0x1160) ||
    (code >= 0x17b4 && code <= 0x17b5) || (code >= 0x180b && code <= 0x180f) || (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code === 0x3164 ||
    (code >= 0xfe00 && code <= 0xfe0f) || code === 0xfeff || code === 0xffa0 || (code >= 0xfff0 && code <= 0xfff8);
}

// Writes one byte per character below `limit`.
function encodeNarrow(text, limit) {
  const buffer = allocate(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (isHigh(code) && isLow(StringPrototypeCharCodeAt(text, i + 1))) i++;
    if (code >= limit && isIgnorable(code)) continue;
    buffer[length++] = code < limit ? code : 0x3f;
  }
  return buffer.subarray(0, length);
}

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) throw new ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  if (TypedArrayPrototypeGetLength(source) === 0) return new FastBuffer();
  const from = normalizeEncoding(fromEncoding);
  const to = normalizeEncoding(toEncoding);
  if (!isTextEncoding(from) || !isTextEncoding(to)) fail(kIllegalArgument);
  if (from === 'utf8' && to === 'utf16le' && !isUtf8(source)) fail(kInvalidCharacter);
  if (from === 'utf16le' && to === 'utf16le') {
    return fromStringFast(decodeUtf16(source, false, false, false), encodingOps.utf16le);
  }
  // As in Node, ASCII to UTF-16 reads the bytes as Latin-1.
  const text = decode(source, from === 'ascii' && to === 'utf16le' ? 'latin1' : from);
  if (from === 'utf16le' && to === 'utf8' && (text.length === 0 || hasLoneSurrogate(text))) fail(kInvalidCharacter);
  if (text.length === 0) return new FastBuffer();
  if (to === 'ascii') return encodeNarrow(text, 0x80);
  if (to === 'latin1') return encodeNarrow(text, 0x100);
  return fromStringFast(text, encodingOps[to]);
}

module.exports = { transcode };
