'use strict';
// Makes text of another process safe for a terminal: control characters are shown escaped instead of being executed.
const {
  ArrayIsArray,
  ArrayPrototypeMap,
  NumberPrototypeToString,
  ObjectKeys,
  RegExpPrototypeSymbolReplace,
  StringPrototypeCharCodeAt,
  StringPrototypePadStart,
} = primordials;
const { printable } = require('internal/trace/words');

// C0 and C1 control characters, DEL, line separators, and characters that change the direction of text.
const kUnsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const kDeepest = 100;

function hex(letter) {
  return StringPrototypePadStart(NumberPrototypeToString(StringPrototypeCharCodeAt(letter, 0), 16), 4, '0');
}

// Escapes a JSON text without changing its value: unsafe characters other than line breaks occur only inside of
// strings, where an escape is equivalent.
function printableJson(text) {
  return RegExpPrototypeSymbolReplace(kUnsafe, text, (letter) => (letter === '\n' ? letter : `\\u${hex(letter)}`));
}

// Copies a result of JSON.parse(), with all strings and keys made safe.
function printableValue(value, depth = 0) {
  if (typeof value === 'string') return printable(value);
  if (value === null || typeof value !== 'object' || depth > kDeepest) return value;
  if (ArrayIsArray(value)) return ArrayPrototypeMap(value, (element) => printableValue(element, depth + 1));
  const copy = {};
  const keys = ObjectKeys(value);
  for (let i = 0; i < keys.length; i++) copy[printable(keys[i])] = printableValue(value[keys[i]], depth + 1);
  return copy;
}

module.exports = { printable, printableJson, printableValue };
