'use strict';

// util.styleText(): text in a colour or another style of util.inspect.colors.

const {
  ArrayIsArray,
  NumberParseInt,
  ObjectGetOwnPropertyNames,
  RegExpPrototypeExec,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateObject, validateOneOf, validateString } = require('internal/validators');
const { colors } = require('internal/util/inspect/styles');
const { shouldColorize } = require('internal/util/colors');

const escape = (codes) => `\u001b[${codes}m`;

const kBold = 1;
const kDim = 2;

const hexColor = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

// The foreground colour of #RGB or #RRGGBB.
function hexStyle(text) {
  const digits = text.length === 4 ? 1 : 2;
  const part = (index) => {
    const value = StringPrototypeSlice(text, 1 + index * digits, 1 + (index + 1) * digits);
    return NumberParseInt(digits === 1 ? value + value : value, 16);
  };
  return { open: escape(`38;2;${part(0)};${part(1)};${part(2)}`), close: escape(39), keepsClose: false };
}

function styleOf(format) {
  if (typeof format === 'string' && format[0] === '#') {
    if (RegExpPrototypeExec(hexColor, format) === null) {
      throw new ERR_INVALID_ARG_VALUE('format', format, 'must be a valid hex color (#RGB or #RRGGBB)');
    }
    return hexStyle(format);
  }
  const codes = colors[format];
  if (!codes) validateOneOf(format, 'format', ObjectGetOwnPropertyNames(colors));
  // Bold and dim share a closing sequence: if one is nested in the other, close it before reopening the outer one.
  return { open: escape(codes[0]), close: escape(codes[1]), keepsClose: codes[0] === kBold || codes[0] === kDim };
}

// Opens the outer style again wherever a nested style ends inside `text`.
function reopen(text, { open, close, keepsClose }) {
  const replacement = keepsClose ? close + open : open;
  let result = '';
  let done = 0;
  for (let at = StringPrototypeIndexOf(text, close); at !== -1 && at + close.length < text.length;
    at = StringPrototypeIndexOf(text, close, done)) {
    result += StringPrototypeSlice(text, done, at) + replacement;
    done = at + close.length;
  }
  return done === 0 ? text : result + StringPrototypeSlice(text, done);
}

function isStream(value) {
  if (value === null || typeof value !== 'object') return false;
  const isNodes = value._readableState || value._writableState ||
      (typeof value.on === 'function' && (typeof value.write === 'function' || typeof value.pipe === 'function'));
  return isNodes || typeof value.getReader === 'function' || typeof value.getWriter === 'function';
}

// Styles are left out where the stream would not show them.
function styleText(format, text, options) {
  const validateStream = options?.validateStream ?? true;
  validateString(text, 'text');
  if (options !== undefined) validateObject(options, 'options');
  validateBoolean(validateStream, 'options.validateStream');
  let isPlain = false;
  if (validateStream) {
    const stream = options?.stream ?? process.stdout;
    if (!isStream(stream)) {
      throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    isPlain = !shouldColorize(stream);
  }
  const formats = ArrayIsArray(format) ? format : [format];
  let before = '';
  let after = '';
  let inner = text;
  for (let i = 0; i < formats.length; i++) {
    if (formats[i] === 'none') continue;
    const style = styleOf(formats[i]);
    before += style.open;
    after = style.close + after;
    inner = reopen(inner, style);
  }
  return isPlain ? text : `${before}${inner}${after}`;
}

module.exports = { styleText };
