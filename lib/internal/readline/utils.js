'use strict';
// Helpers shared by the parts of readline.
const { StringPrototypeCharCodeAt, StringPrototypeCodePointAt, StringPrototypeSlice, Symbol } = primordials;

const kSawKeyPress = Symbol('kSawKeyPress');

// Returns the number of UTF-16 units of the character before, or at, a position; 0 if there is none.
function charLengthLeft(text, position) {
  if (position <= 0) return 0;
  const code = StringPrototypeCharCodeAt(text, position - 1);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  return position > 1 && isSecondHalf && StringPrototypeCodePointAt(text, position - 2) > 0xffff ? 2 : 1;
}

function charLengthAt(text, position) {
  // As in Node, a position at the end counts as one unit.
  if (text.length <= position) return 1;
  return StringPrototypeCodePointAt(text, position) > 0xffff ? 2 : 1;
}

// Returns the longest common prefix of the texts.
function commonPrefix(texts) {
  if (texts.length === 0) return '';
  let shortest = texts[0];
  let longest = texts[0];
  // Comparing the first and the last in sorted order is sufficient.
  for (let i = 1; i < texts.length; i++) {
    if (texts[i] < shortest) shortest = texts[i];
    if (texts[i] > longest) longest = texts[i];
  }
  let length = 0;
  while (length < shortest.length && shortest[length] === longest[length]) length++;
  return StringPrototypeSlice(shortest, 0, length);
}

module.exports = { charLengthAt, charLengthLeft, commonPrefix, kSawKeyPress };
