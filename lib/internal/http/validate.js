'use strict';
// Checks of header names and values.

const {
  ArrayIsArray,
  Boolean,
  FunctionPrototypeCall,
  ObjectDefineProperty,
  RegExpPrototypeExec,
  SafeSet,
  StringPrototypeCharCodeAt,
  StringPrototypeToLowerCase,
} = primordials;

const {
  codes: { ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_ARG_VALUE, ERR_INVALID_CHAR, ERR_INVALID_HTTP_TOKEN },
  hideStackFrames,
} = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { validateBoolean, validateOneOf } = require('internal/validators');
const { kLenientAll, kLenientHeaderValueRelaxed, kLenientNone } = internalBinding('http_parser');

const token = /^[\w!#$%&'*+\-.^`|~]+$/;
// By default a value has printable characters, tabs and the upper half of Latin-1. A relaxed check, as in the Fetch
// standard, refuses only what would end the line.
const forbidden = /[^\t\x20-\x7e\x80-\xff]/;
const forbiddenRelaxed = /[\0\n\r]|[^\x00-\xff]/;

function isToken(text) {
  return RegExpPrototypeExec(token, text) !== null;
}

// Longer values are left to the regular expression, which is faster for them.
const kShort = 48;

function isShortAscii(value) {
  if (typeof value !== 'string' || value.length > kShort) return false;
  for (let i = 0; i < value.length; i++) {
    const code = StringPrototypeCharCodeAt(value, i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

function hasForbiddenChar(value, isLenient = false) {
  if (isShortAscii(value)) return false;
  return RegExpPrototypeExec(isLenient ? forbiddenRelaxed : forbidden, value) !== null;
}

// Names that were valid before. Programs may make up any number of names, so it is limited.
const validNames = { __proto__: null };
let validCount = 0;
const kMostValid = 500;

const validateHeaderName = hideStackFrames((name, label) => {
  if (typeof name === 'string' && validNames[name] === true) return;
  if (typeof name !== 'string' || name === '' || !isToken(name)) {
    throw new ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  }
  if (validCount < kMostValid && name.length < 40) {
    validCount++;
    validNames[name] = true;
  }
});

const validateHeaderValue = hideStackFrames((name, value, isLenient) => {
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (hasForbiddenChar(value, isLenient)) throw new ERR_INVALID_CHAR('header content', name);
});

ObjectDefineProperty(validateHeaderName, 'name', { __proto__: null, value: 'validateHeaderName' });
ObjectDefineProperty(validateHeaderValue, 'name', { __proto__: null, value: 'validateHeaderValue' });

// The option `uniqueHeaders`: names whose values are joined into one line.
function readUniqueHeaders(names) {
  if (!ArrayIsArray(names)) return null;
  const unique = new SafeSet();
  for (let i = 0; i < names.length; i++) unique.add(StringPrototypeToLowerCase(names[i]));
  return unique;
}

// The options that say how strictly messages are parsed. The first is the newer one; both at once are refused.
function readStrictness(target, options) {
  const { httpValidation, insecureHTTPParser } = options;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  if (httpValidation !== undefined) {
    validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (insecureHTTPParser !== undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.httpValidation', httpValidation,
        'cannot be used together with options.insecureHTTPParser');
    }
  }
  target.insecureHTTPParser = insecureHTTPParser;
  target.httpValidation = httpValidation;
}

let hasWarned = false;
function isInsecureByDefault() {
  const isInsecure = Boolean(getOptionValue('--insecure-http-parser'));
  if (isInsecure && !hasWarned) {
    hasWarned = true;
    FunctionPrototypeCall(process.emitWarning, process, 'Using insecure HTTP parsing');
  }
  return isInsecure;
}

function lenientFlags({ httpValidation, insecureHTTPParser }) {
  switch (httpValidation) {
    case 'strict': return kLenientNone;
    case 'relaxed': return kLenientHeaderValueRelaxed;
    case 'insecure': return kLenientAll;
  }
  return (insecureHTTPParser ?? isInsecureByDefault()) ? kLenientAll : kLenientNone;
}

module.exports = {
  hasForbiddenChar,
  isInsecureByDefault,
  isShortAscii,
  isToken,
  lenientFlags,
  readStrictness,
  readUniqueHeaders,
  validateHeaderName,
  validateHeaderValue,
};
