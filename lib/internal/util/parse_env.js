'use strict';

// util.parseEnv(): the contents of a .env file.

const {
  StringPrototypeIndexOf,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeStartsWith,
} = primordials;

const { validateString } = require('internal/validators');

const isBlank = (character) => character === ' ' || character === '\t' || character === '\n';

function trimSpaces(text) {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return StringPrototypeSlice(text, start, end);
}

function endOfLine(text, from) {
  const newline = StringPrototypeIndexOf(text, '\n', from);
  return newline === -1 ? text.length : newline;
}

function unquotedValue(line) {
  const hash = StringPrototypeIndexOf(line, '#');
  return trimSpaces(hash === -1 ? line : StringPrototypeSlice(line, 0, hash));
}

function parseEnv(content) {
  validateString(content, 'content');
  const text = StringPrototypeReplaceAll(content, '\r', '');
  const result = { __proto__: null };
  let position = 0;
  while (position < text.length) {
    const first = text[position];
    if (first === '\n' || first === ' ') {
      position++;
      continue;
    }
    if (first === '#') {
      position = endOfLine(text, position);
      continue;
    }
    const equals = StringPrototypeIndexOf(text, '=', position);
    if (equals === -1) break;
    let key = trimSpaces(StringPrototypeSlice(text, position, equals));
    if (key === '') break;
    if (StringPrototypeStartsWith(key, 'export ')) key = StringPrototypeSlice(key, 7);
    position = equals + 1;
    while (text[position] === ' ') position++;

    const quote = text[position];
    if (quote === '"' || quote === "'" || quote === '`') {
      const closing = StringPrototypeIndexOf(text, quote, position + 1);
      if (closing !== -1) {
        const value = StringPrototypeSlice(text, position + 1, closing);
        result[key] = quote === '"' ? StringPrototypeReplaceAll(value, '\\n', '\n') : value;
        // Text after the closing quote is ignored.
        position = endOfLine(text, closing + 1);
        continue;
      }
      // An unclosed quote is part of the value.
      const end = endOfLine(text, position);
      result[key] = StringPrototypeSlice(text, position, end);
      position = end;
      continue;
    }
    const end = endOfLine(text, position);
    result[key] = unquotedValue(StringPrototypeSlice(text, position, end));
    position = end;
  }
  return result;
}

module.exports = { parseEnv };
