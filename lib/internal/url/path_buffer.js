'use strict';

// url.fileURLToPathBuffer(): a path as bytes, for names that are not valid UTF-8.

const { NumberParseInt, RegExpPrototypeExec, StringPrototypeReplaceAll } = primordials;

const { Buffer } = require('buffer');
const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_FILE_URL_HOST, ERR_INVALID_FILE_URL_PATH, ERR_INVALID_URL_SCHEME },
} = require('internal/errors');
const { URL, domainToUnicode, isURL } = require('internal/url');

const escaped = /^[0-9a-f]{2}$/i;

// Decodes escapes. Everything else stays as it is.
function decodeBytes(text) {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const digits = bytes[i] === 37 && i + 2 < bytes.length ? bytes.latin1Slice(i + 1, i + 3) : '';
    if (RegExpPrototypeExec(escaped, digits) !== null) {
      bytes[length++] = NumberParseInt(digits, 16);
      i += 2;
    } else {
      bytes[length++] = bytes[i];
    }
  }
  return bytes.subarray(0, length);
}

function toWindowsBytes(url) {
  const bytes = decodeBytes(StringPrototypeReplaceAll(url.pathname, '/', '\\'));
  if (url.hostname !== '') return Buffer.concat([Buffer.from(`\\\\${domainToUnicode(url.hostname)}`), bytes]);
  const letter = bytes[1] | 32;
  if (letter < 97 || letter > 122 || bytes[2] !== 58) {
    const error = new ERR_INVALID_FILE_URL_PATH('must be absolute');
    error.input = url;
    throw error;
  }
  return bytes.subarray(1);
}

function fileURLToPathBuffer(input, options = undefined) {
  if (typeof input === 'string') input = new URL(input);
  else if (!isURL(input)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], input);
  if (input.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  if (options?.windows) return toWindowsBytes(input);
  if (input.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
  return decodeBytes(input.pathname);
}

module.exports = { fileURLToPathBuffer };
