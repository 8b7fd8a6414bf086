'use strict';

// Strings as inspect() shows them: quoted and escaped, measured in terminal columns, freed from control sequences.

const {
  Array,
  NumberPrototypeToString,
  RegExp,
  RegExpPrototypeExec,
  StringPrototypeCharCodeAt,
  StringPrototypeCodePointAt,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeNormalize,
  StringPrototypePadStart,
  StringPrototypeSlice,
  StringPrototypeToUpperCase,
} = primordials;

const kDelete = 0x7f;
const kSingleQuote = 0x27;
const kBackslash = 0x5c;
const kLastEscaped = 0x9f;

// The escape for every code unit up to 0x9f that needs one; the others are undefined.
const escapes = new Array(kLastEscaped + 1);
for (let code = 0; code <= kLastEscaped; code++) {
  escapes[code] = undefined;
  if (code < 0x20 || code >= kDelete) {
    escapes[code] =
      `\\x${StringPrototypePadStart(StringPrototypeToUpperCase(NumberPrototypeToString(code, 16)), 2, '0')}`;
  }
}
escapes[0x08] = '\\b';
escapes[0x09] = '\\t';
escapes[0x0a] = '\\n';
escapes[0x0c] = '\\f';
escapes[0x0d] = '\\r';
escapes[kSingleQuote] = "\\'";
escapes[kBackslash] = '\\\\';

// Matches strings that need escaping. Most do not, and a regular expression is the fastest way to find out.
const needsWork = /[\x00-\x1f\x27\x5c\x7f-\x9f\ud800-\udfff]/;

// Escapes text; a single quote only if `quote` is one.
function escapeText(text, quote) {
  let result = '';
  let from = 0;
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    let escaped;
    if (code <= kLastEscaped) {
      if (code === kSingleQuote && quote !== "'") continue;
      escaped = escapes[code];
      if (escaped === undefined) continue;
    } else if (code >= 0xd800 && code <= 0xdfff) {
      // A pair is a character; half of one cannot be printed.
      if (code <= 0xdbff && i + 1 < length) {
        const next = StringPrototypeCharCodeAt(text, i + 1);
        if (next >= 0xdc00 && next <= 0xdfff) {
          i++;
          continue;
        }
      }
      escaped = `\\u${NumberPrototypeToString(code, 16)}`;
    } else {
      continue;
    }
    if (from !== i) result += StringPrototypeSlice(text, from, i);
    result += escaped;
    from = i + 1;
  }
  if (from === 0) return text;
  return from === length ? result : result + StringPrototypeSlice(text, from);
}

// Short texts are looked at in place: calling the regular expression would take longer than that.
const kShortText = 24;

function isPlain(text) {
  if (text.length > kShortText) return RegExpPrototypeExec(needsWork, text) === null;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 0x20 || code === kSingleQuote || code === kBackslash || code >= kDelete) {
      return code > kLastEscaped && RegExpPrototypeExec(needsWork, text) === null;
    }
  }
  return true;
}

// Quotes a string with single quotes if it contains none, else with double quotes, else with backticks, unless its
// content would have another meaning there.
function quote(text) {
  if (isPlain(text)) return `'${text}'`;
  let mark = "'";
  if (StringPrototypeIncludes(text, "'")) {
    if (!StringPrototypeIncludes(text, '"')) {
      mark = '"';
    } else if (!StringPrototypeIncludes(text, '`') && !StringPrototypeIncludes(text, '${')) {
      mark = '`';
    }
  }
  return `${mark}${escapeText(text, mark)}${mark}`;
}

// A name that stands without quotes, between brackets.
function escapeName(name) {
  return isPlain(name) ? name : escapeText(name, "'");
}

// Control sequences of terminals. They begin with ESC or its 8-bit form and some punctuation; then comes either a text
// that is closed by BEL or ST (titles, links), or numbers and a final letter (colours, cursor movements).
const introducer = '[\\u001b\\u009b][[\\]()#;?]*';
const payload = '[-a-zA-Z\\d/#&.:=?%@~_]';
const terminated = `(?:(?:;${payload}+)*|[a-zA-Z\\d]+(?:;${payload}*)*)?(?:\\u0007|\\u001b\\\\|\\u009c)`;
const command = '(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]';
const controlSequences = new RegExp(`${introducer}(?:${terminated}|${command})`, 'g');

const kEscape = 0x1b;
const kBracket = 0x5b;
const kLowerM = 0x6d;

function isDigit(code) {
  return code >= 0x30 && code <= 0x39;
}

// Length of the colour sequence at `from`, which is an escape character: ESC [ digit(s) m; 0 if it is not one.
function colorSequenceLength(text, from) {
  if (StringPrototypeCharCodeAt(text, from + 1) !== kBracket || !isDigit(StringPrototypeCharCodeAt(text, from + 2))) {
    return 0;
  }
  let end = from + 3;
  if (isDigit(StringPrototypeCharCodeAt(text, end))) end++;
  return StringPrototypeCharCodeAt(text, end) === kLowerM ? end + 1 - from : 0;
}

// Without its control sequences. Iterates over the matches itself: String.prototype.replace calls methods of
// RegExp.prototype, which a program may have replaced, and is slow on expressions that are protected from that.
function stripControlSequences(text) {
  if (StringPrototypeIndexOf(text, '\u001b') === -1 && StringPrototypeIndexOf(text, '\u009b') === -1) return text;
  let result = '';
  let done = 0;
  controlSequences.lastIndex = 0;
  for (;;) {
    const match = RegExpPrototypeExec(controlSequences, text);
    if (match === null) break;
    result += StringPrototypeSlice(text, done, match.index);
    done = match.index + match[0].length;
  }
  return done === 0 ? text : result + StringPrototypeSlice(text, done);
}

// The length of the text without its colours.
function lengthWithoutColors(text) {
  let length = text.length;
  let position = StringPrototypeIndexOf(text, '\u001b');
  while (position !== -1) {
    const sequence = colorSequenceLength(text, position);
    length -= sequence;
    position = StringPrototypeIndexOf(text, '\u001b', position + (sequence || 1));
  }
  return length;
}

// First and last of each run of code points that take two columns (East Asian Width W and F), less those that are
// Emoji_Presentation, which the engine matches.
const wideRuns = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2630, 0x2637, 0x268a, 0x268f, 0x2e80, 0x2e99, 0x2e9b, 0x2ef3, 0x2f00, 0x2fd5,
  0x2ff0, 0x303e, 0x3041, 0x3096, 0x3099, 0x30ff, 0x3105, 0x312f, 0x3131, 0x318e, 0x3190, 0x31e5, 0x31ef, 0x321e,
  0x3220, 0x3247, 0x3250, 0xa48c, 0xa490, 0xa4c6, 0xa960, 0xa97c, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe10, 0xfe19,
  0xfe30, 0xfe52, 0xfe54, 0xfe66, 0xfe68, 0xfe6b, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x16fe4, 0x16ff0, 0x16ff6,
  0x17000, 0x18cd5, 0x18cff, 0x18d1e, 0x18d80, 0x18df2, 0x1aff0, 0x1aff3, 0x1aff5, 0x1affb, 0x1affd, 0x1affe,
  0x1b000, 0x1b122, 0x1b132, 0x1b132, 0x1b150, 0x1b152, 0x1b155, 0x1b155, 0x1b164, 0x1b167, 0x1b170, 0x1b2fb,
  0x1d300, 0x1d356, 0x1d360, 0x1d376, 0x1f200, 0x1f202, 0x1f210, 0x1f23b, 0x1f240, 0x1f248, 0x1f260, 0x1f265,
  0x20000, 0x2fffd, 0x30000, 0x3fffd,
];
const wideEmoji = /^\p{Emoji_Presentation}/u;
const zeroWidth = /^[\p{Cc}\p{Cf}\p{Me}\p{Mn}]/u;
const kSoftHyphen = 0xad;

function isWide(point) {
  if (point < wideRuns[0]) return false;
  let low = 0;
  let high = wideRuns.length / 2 - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < wideRuns[2 * middle]) high = middle - 1;
    else if (point > wideRuns[2 * middle + 1]) low = middle + 1;
    else return true;
  }
  return false;
}

function unicodeWidth(text) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const point = StringPrototypeCodePointAt(text, i);
    if (point < 0x7f) {
      if (point >= 0x20) width++;
      continue;
    }
    const size = point > 0xffff ? 2 : 1;
    const character = StringPrototypeSlice(text, i, i + size);
    i += size - 1;
    if (isWide(point) || RegExpPrototypeExec(wideEmoji, character) !== null) width += 2;
    else if (point === kSoftHyphen || RegExpPrototypeExec(zeroWidth, character) === null) width++;
  }
  return width;
}

// Number of terminal columns of the text.
function getStringWidth(text, removeControlChars = true) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code >= 0x20 && code < 0x7f) {
      width++;
    } else if (code === kEscape && removeControlChars) {
      const sequence = colorSequenceLength(text, i);
      if (sequence === 0) return width + getStringWidth(stripControlSequences(StringPrototypeSlice(text, i)), false);
      i += sequence - 1;
    } else if (code >= 0x7f) {
      const rest = StringPrototypeSlice(text, i);
      return width + unicodeWidth(StringPrototypeNormalize(removeControlChars ? stripControlSequences(rest) : rest,
        'NFC'));
    }
  }
  return width;
}

exports.quote = quote;
exports.escapeName = escapeName;
exports.stripControlSequences = stripControlSequences;
exports.lengthWithoutColors = lengthWithoutColors;
exports.getStringWidth = getStringWidth;
