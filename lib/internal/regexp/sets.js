'use strict';

// Regular expressions with the flag `v`, for an engine that does not know it: sets of characters are written in terms of the
// flag `u`. A difference [A--B] is an A before which a look ahead finds no B, an intersection one where it does; strings in
// a set become alternatives, longest first.
//
// The engine says where a literal with flags it does not know begins; so the text around it need not be understood.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeIncludes,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  SafeSet,
  StringFromCodePoint,
  StringPrototypeCodePointAt,
  StringPrototypeIncludes,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const { regexpFlagsError } = internalBinding('modules');

// Properties whose members are strings. What is an emoji by its form counts as one, whether it is in Unicode's list or not.
const modified = '\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}';
const keycap = '[0-9#*]\\u{FE0F}\\u{20E3}';
const flag = '\\p{Regional_Indicator}\\p{Regional_Indicator}';
const tagged = '\\u{1F3F4}[\\u{E0020}-\\u{E007E}]+\\u{E007F}';
const element = `(?:${modified}|\\p{Emoji}\\u{FE0F}|\\p{Emoji_Presentation})`;
const joined = `${element}(?:\\u{200D}(?:${element}|\\p{Emoji}))+`;
const basic = '(?:\\p{Emoji_Presentation}(?![\\u{FE0E}\\u{FE0F}])|(?!\\p{Emoji_Presentation})\\p{Emoji}\\u{FE0F}(?!\\u{20E3}))';
const properties = {
  __proto__: null,
  Basic_Emoji: [basic],
  Emoji_Keycap_Sequence: [keycap],
  RGI_Modifier_Sequence: [modified],
  RGI_Flag_Sequence: [flag],
  RGI_Emoji_Tag_Sequence: [tagged],
  RGI_ZWJ_Sequence: [joined],
  RGI_Emoji_Flag_Sequence: [flag],
  RGI_Emoji_Modifier_Sequence: [modified],
  RGI_Emoji_ZWJ_Sequence: [joined],
  RGI_Emoji: [joined, tagged, keycap, flag, modified, basic],
};

class NotUnderstood {}

function escapeInClass(character) {
  return StringPrototypeIncludes('-]\\^[', character) ? `\\${character}` : character;
}

function escapeOutside(text) {
  return RegExpPrototypeSymbolReplace(/[\\^$.*+?()[\]{}|/]/g, text, '\\$&');
}

// What a set matches: one character, as a pattern or null for none at all, and strings, as patterns.
function setOf(chars, strings = []) {
  return { chars, strings };
}

class SetParser {
  constructor(pattern, at) {
    this.pattern = pattern;
    this.at = at; // Behind the bracket.
  }

  looksAt(text) {
    return StringPrototypeStartsWith(this.pattern, text, this.at);
  }

  // A whole class, up to its closing bracket.
  parseClass() {
    const isNegated = this.looksAt('^');
    if (isNegated) this.at++;
    const result = this.parseContents();
    if (!this.looksAt(']')) throw new NotUnderstood();
    this.at++;
    if (!isNegated) return result;
    if (result.strings.length > 0) throw new NotUnderstood();
    if (result.chars === null) return setOf('[^]');
    return setOf(StringPrototypeStartsWith(result.chars, '[^') || !StringPrototypeStartsWith(result.chars, '[') ?
      `(?:(?!${result.chars})[^])` : `[^${StringPrototypeSlice(result.chars, 1)}`);
  }

  parseContents() {
    const parts = []; // Text of a simple class.
    const alternatives = []; // Patterns for one character.
    const strings = [];
    let result;
    while (!this.looksAt(']')) {
      if (this.at >= this.pattern.length) throw new NotUnderstood();
      const isMinus = this.looksAt('--');
      if (isMinus || this.looksAt('&&')) {
        this.at += 2;
        result ??= unite(parts, alternatives, strings);
        result = combine(result, this.parseOperand(), isMinus);
        continue;
      }
      if (result !== undefined) throw new NotUnderstood(); // Operators do not mix with unions.
      const operand = this.parseOperand(parts);
      if (operand === undefined) continue;
      for (let i = 0; i < operand.strings.length; i++) ArrayPrototypePush(strings, operand.strings[i]);
      const { chars } = operand;
      if (chars === null) continue;
      // A plain class within a class is a part of it.
      if (RegExpPrototypeExec(/^\[(?!\^)/, chars) !== null) ArrayPrototypePush(parts, StringPrototypeSlice(chars, 1, -1));
      else ArrayPrototypePush(alternatives, chars);
    }
    return result ?? unite(parts, alternatives, strings);
  }

  // One operand. With `parts`, what may stand in a plain class is put there, and nothing returned.
  parseOperand(parts) {
    if (this.looksAt('[')) {
      this.at++;
      return this.parseClass();
    }
    if (this.looksAt('\\q{')) return this.parseStrings();
    const property = /\\[pP]\{([^}]*)\}/y;
    property.lastIndex = this.at;
    const found = RegExpPrototypeExec(property, this.pattern);
    if (found !== null && properties[found[1]] !== undefined) {
      if (this.looksAt('\\P')) throw new NotUnderstood();
      this.at = property.lastIndex;
      return setOf(null, properties[found[1]]);
    }
    const text = this.parseRange();
    if (parts === undefined) return setOf(`[${text}]`);
    ArrayPrototypePush(parts, text);
    return undefined;
  }

  // A character, an escape for several, or a range.
  parseRange() {
    const first = this.parseCharacter();
    if (!this.looksAt('-') || this.looksAt('--')) return first;
    this.at++;
    return `${first}-${this.parseCharacter()}`;
  }

  parseCharacter() {
    const escape = /\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[a-zA-Z]|[\s\S])/y;
    escape.lastIndex = this.at;
    const found = RegExpPrototypeExec(escape, this.pattern);
    if (found !== null) {
      this.at = escape.lastIndex;
      // With `u` only some characters may be escaped that need not be.
      return RegExpPrototypeExec(/^\\[&!#%,:;<=>@`~]$/, found[0]) !== null ? found[0][1] : found[0];
    }
    const character = StringFromCodePoint(StringPrototypeCodePointAt(this.pattern, this.at));
    this.at += character.length;
    return escapeInClass(character);
  }

  // \q{one|two}
  parseStrings() {
    const end = this.pattern.indexOf('}', this.at);
    if (end === -1) throw new NotUnderstood();
    const list = StringPrototypeSplit(StringPrototypeSlice(this.pattern, this.at + 3, end), '|');
    this.at = end + 1;
    const chars = [];
    const strings = [];
    for (let i = 0; i < list.length; i++) {
      const text = list[i];
      if (StringPrototypeIncludes(text, '\\')) ArrayPrototypePush(strings, text);
      else if ([...text].length === 1) ArrayPrototypePush(chars, escapeInClass(text));
      else ArrayPrototypePush(strings, escapeOutside(text));
    }
    return setOf(chars.length > 0 ? `[${ArrayPrototypeJoin(chars, '')}]` : null, strings);
  }
}

function unite(parts, alternatives, strings) {
  const simple = parts.length > 0 ? [`[${ArrayPrototypeJoin(parts, '')}]`] : [];
  const all = [...alternatives, ...simple];
  if (all.length === 0) return setOf(null, strings);
  return setOf(all.length === 1 ? all[0] : `(?:${ArrayPrototypeJoin(all, '|')})`, strings);
}

function combine(left, right, isMinus) {
  const strings = ArrayPrototypeFilter(left.strings, (text) => ArrayPrototypeIncludes(right.strings, text) !== isMinus);
  if (left.chars === null || (right.chars === null && !isMinus)) return setOf(null, strings);
  if (right.chars === null) return setOf(left.chars, strings);
  return setOf(`(?:(?${isMinus ? '!' : '='}${right.chars})${left.chars})`, strings);
}

function render({ chars, strings }) {
  if (strings.length === 0) return chars ?? '[]';
  const sorted = ArrayPrototypeSort([...new SafeSet(strings)], (a, b) => b.length - a.length);
  // Properties are in an order of their own, and longer than any string.
  const all = chars === null ? sorted : [...sorted, chars];
  return `(?:${ArrayPrototypeJoin(all, '|')})`;
}

// The pattern for the flag `u`; undefined if it is not understood.
function translate(pattern) {
  let result = '';
  let at = 0;
  try {
    while (at < pattern.length) {
      const character = pattern[at];
      if (character === '[') {
        const parser = new SetParser(pattern, at + 1);
        result += render(parser.parseClass());
        at = parser.at;
      } else if (character === '\\') {
        const property = /\\p\{([^}]*)\}/y;
        property.lastIndex = at;
        const found = RegExpPrototypeExec(property, pattern);
        if (found !== null && properties[found[1]] !== undefined) {
          result += render(setOf(null, properties[found[1]]));
          at = property.lastIndex;
        } else {
          result += StringPrototypeSlice(pattern, at, at + 2);
          at += 2;
        }
      } else {
        result += character;
        at++;
      }
    }
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
  return result;
}

// The source with every literal that has the flag `v` written without it; undefined if it has none, or something else is
// wrong with it.
function rewriteSets(source, isModule) {
  const literal = /\/((?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([a-z]*)/y;
  let rewritten;
  for (;;) {
    const at = regexpFlagsError(rewritten ?? source, isModule);
    if (at === -1) return rewritten;
    literal.lastIndex = at;
    const found = RegExpPrototypeExec(literal, rewritten ?? source);
    if (found === null || !StringPrototypeIncludes(found[2], 'v') || StringPrototypeIncludes(found[2], 'u')) return undefined;
    const pattern = translate(found[1]);
    if (pattern === undefined) return undefined;
    const text = rewritten ?? source;
    rewritten = `${StringPrototypeSlice(text, 0, at)}/${pattern}/${StringPrototypeReplaceAll(found[2], 'v', 'u')}` +
      StringPrototypeSlice(text, literal.lastIndex);
  }
}

module.exports = { rewriteSets, translate };
