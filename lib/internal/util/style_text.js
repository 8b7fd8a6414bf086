'use strict';

// util.styleText(): text in a colour or another style of util.inspect.colors.

const { ArrayIsArray, ObjectKeys } = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { validateOneOf, validateString } = require('internal/validators');
const { colors } = require('internal/util/inspect/styles');
const { shouldColorize } = require('internal/util/colors');

function codesOf(format) {
  const codes = colors[format];
  if (codes === undefined || codes === null) validateOneOf(format, 'format', ObjectKeys(colors));
  return codes;
}

function isStream(value) {
  if (value === null || typeof value !== 'object') return false;
  const isNodes = value._readableState || value._writableState ||
      (typeof value.on === 'function' && (typeof value.write === 'function' || typeof value.pipe === 'function'));
  return isNodes || typeof value.getReader === 'function' || typeof value.getWriter === 'function';
}

// A single style is left out where the stream would not show it. A list of styles is the caller's own decision.
function styleText(format, text, { validateStream = true, stream = process.stdout } = {}) {
  validateString(text, 'text');
  let isPlain = false;
  if (validateStream) {
    if (!isStream(stream)) {
      throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    isPlain = !shouldColorize(stream);
  }
  if (!ArrayIsArray(format)) {
    const codes = codesOf(format);
    return isPlain ? text : `\u001b[${codes[0]}m${text}\u001b[${codes[1]}m`;
  }
  let before = '';
  let after = '';
  for (let i = 0; i < format.length; i++) {
    const codes = codesOf(format[i]);
    before += `\u001b[${codes[0]}m`;
    after = `\u001b[${codes[1]}m${after}`;
  }
  return `${before}${text}${after}`;
}

module.exports = { styleText };
