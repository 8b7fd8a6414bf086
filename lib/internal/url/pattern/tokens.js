'use strict';

// Splits a URL pattern into tokens: [{ type, index, value }].

const { ArrayPrototypePush, RegExpPrototypeExec, StringPrototypeCodePointAt, StringPrototypeSlice, TypeError } =
  primordials;

const kOpen = 'open';
const kClose = 'close';
const kRegexp = 'regexp';
const kName = 'name';
const kChar = 'char';
const kEscaped = 'escaped-char';
const kModifier = 'other-modifier';
const kAsterisk = 'asterisk';
const kEnd = 'end';
const kInvalid = 'invalid-char';

const nameStart = /^[$_\p{ID_Start}]$/u;
const namePart = /^[$_\u200c\u200d\p{ID_Continue}]$/u;

function characterAt(text, index) {
  const code = StringPrototypeCodePointAt(text, index);
  return code > 0xffff ? StringPrototypeSlice(text, index, index + 2) : text[index];
}

function endOfName(text, from) {
  let end = from;
  while (end < text.length) {
    const character = characterAt(text, end);
    if (RegExpPrototypeExec(end === from ? nameStart : namePart, character) === null) break;
    end += character.length;
  }
  return end;
}

// The index after the parenthesis that closes the group at `open`, or -1 if the group is invalid.
function endOfGroup(text, open) {
  let depth = 1;
  let i = open + 1;
  for (; i < text.length; i++) {
    const c = text[i];
    if (StringPrototypeCodePointAt(text, i) > 127 || (i === open + 1 && c === '?')) return -1;
    if (c === '\\') {
      i++;
      if (i >= text.length || StringPrototypeCodePointAt(text, i) > 127) return -1;
    } else if (c === ')') {
      if (--depth === 0) return i > open + 1 ? i + 1 : -1;
    } else if (c === '(') {
      // Nested groups must not capture.
      depth++;
      if (text[i + 1] !== '?') return -1;
    }
  }
  return -1;
}

const single = {
  '__proto__': null, '*': kAsterisk, '+': kModifier, '?': kModifier, '{': kOpen, '}': kClose,
};

function tokenize(text, isLenient) {
  const tokens = [];
  let index = 0;
  const push = (type, end, from = index, to = end) => {
    ArrayPrototypePush(tokens, { type, index, value: StringPrototypeSlice(text, from, to) });
    index = end;
  };
  const fail = (end) => {
    if (!isLenient) throw new TypeError('Invalid pattern');
    push(kInvalid, end);
  };
  while (index < text.length) {
    const character = characterAt(text, index);
    const next = index + character.length;
    if (single[character] !== undefined) {
      push(single[character], next);
    } else if (character === '\\') {
      if (next === text.length) fail(next);
      else push(kEscaped, next + characterAt(text, next).length, next);
    } else if (character === ':') {
      const end = endOfName(text, next);
      if (end === next) fail(next);
      else push(kName, end, next);
    } else if (character === '(') {
      const end = endOfGroup(text, index);
      if (end === -1) fail(next);
      else push(kRegexp, end, next, end - 1);
    } else {
      push(kChar, next);
    }
  }
  push(kEnd, index);
  return tokens;
}

module.exports = {
  kAsterisk, kChar, kClose, kEnd, kEscaped, kInvalid, kModifier, kName, kOpen, kRegexp, namePart, tokenize,
};
