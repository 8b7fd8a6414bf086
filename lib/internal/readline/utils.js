'use strict';
// Helpers shared by the parts of readline.
const { StringPrototypeCharCodeAt, StringPrototypeCodePointAt, StringPrototypeSlice, Symbol } = primordials;

const kSawKeyPress = Symbol('kSawKeyPress');

// Number of UTF-16 units of the character before, or at, a position: 0 if there is none.
function charLengthLeft(text, position) {
  if (position <= 0) return 0;
  const code = StringPrototypeCharCodeAt(text, position - 1);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  return position > 1 && isSecondHalf && StringPrototypeCodePointAt(text, position - 2) > 0xffff ? 2 : 1;
}

function charLengthAt(text, position) {
  // Beyond the end there is nothing, and one step to the right of it is no step at all.
  if (text.length <= position) return 1;
  return StringPrototypeCodePointAt(text, position) > 0xffff ? 2 : 1;
}

// The longest text that all of them begin with.
function commonPrefix(texts) {
  if (texts.length === 0) return '';
  let shortest = texts[0];
  let longest = texts[0];
  // It is enough to compare the first and the last in order.
  for (let i = 1; i < texts.length; i++) {
    if (texts[i] < shortest) shortest = texts[i];
    if (texts[i] > longest) longest = texts[i];
  }
  let length = 0;
  while (length < shortest.length && shortest[length] === longest[length]) length++;
  return StringPrototypeSlice(shortest, 0, length);
}

module.exports = { charLengthAt, charLengthLeft, commonPrefix, kSawKeyPress };
