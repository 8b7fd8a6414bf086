'use strict';

// One component of a URL pattern: its parts, its regular expression, and its text in normal form.

const {
  ArrayPrototypePush, RegExp, RegExpPrototypeExec, RegExpPrototypeSymbolReplace, SafeSet, TypeError,
} = primordials;

const {
  kAsterisk, kChar, kClose, kEnd, kEscaped, kModifier, kName, kOpen, kRegexp, namePart, tokenize,
} = require('internal/url/pattern/tokens');

const { setOwnProperty } = require('internal/util');

const kFixed = 'fixed-text';
const kPattern = 'regexp';
const kSegment = 'segment-wildcard';
const kFull = 'full-wildcard';
const kAnything = '.*';

const escapeRegExp = (text) => RegExpPrototypeSymbolReplace(/[.+*?^${}()[\]|/\\]/g, text, '\\$&');
const escapePattern = (text) => RegExpPrototypeSymbolReplace(/[+*?:{}()\\]/g, text, '\\$&');
const segmentOf = (options) => `[^${escapeRegExp(options.delimiter)}]+?`;

class Parser {
  constructor(text, options, encode) {
    this.tokens = tokenize(text, false);
    this.index = 0;
    this.options = options;
    this.encode = encode;
    this.parts = [];
    this.pending = '';
    this.nextName = 0;
    this.names = new SafeSet();
  }

  take(type) {
    const token = this.tokens[this.index];
    if (token.type !== type) return undefined;
    this.index++;
    return token;
  }

  takeModifier() {
    return (this.take(kModifier) ?? this.take(kAsterisk))?.value ?? '';
  }

  takeText() {
    let text = '';
    for (let token; (token = this.take(kChar) ?? this.take(kEscaped)) !== undefined;) text += token.value;
    return text;
  }

  flush() {
    if (this.pending === '') return;
    const value = this.encode(this.pending);
    this.pending = '';
    ArrayPrototypePush(this.parts, { type: kFixed, value, modifier: '', name: '', prefix: '', suffix: '' });
  }

  add(prefix, name, matcher, suffix, modifier) {
    if (name === undefined && matcher === undefined && modifier === '') {
      this.pending += prefix;
      return;
    }
    this.flush();
    if (name === undefined && matcher === undefined) {
      if (prefix === '') return;
      ArrayPrototypePush(this.parts, { type: kFixed, value: this.encode(prefix), modifier, name: '', prefix: '',
        suffix: '' });
      return;
    }
    let type = kPattern;
    let value = matcher === undefined ? segmentOf(this.options) : matcher.type === kAsterisk ? kAnything :
      matcher.value;
    if (value === segmentOf(this.options)) {
      type = kSegment;
      value = '';
    } else if (value === kAnything) {
      type = kFull;
      value = '';
    }
    const ownName = name !== undefined ? name.value : `${this.nextName++}`;
    if (this.names.has(ownName)) throw new TypeError('Duplicate name');
    this.names.add(ownName);
    ArrayPrototypePush(this.parts, {
      type, value, modifier, name: ownName, prefix: this.encode(prefix), suffix: this.encode(suffix),
    });
  }

  run() {
    while (this.index < this.tokens.length) {
      const char = this.take(kChar);
      const name = this.take(kName);
      const matcher = this.take(kRegexp) ?? (name === undefined ? this.take(kAsterisk) : undefined);
      if (name !== undefined || matcher !== undefined) {
        let prefix = char === undefined ? '' : char.value;
        if (prefix !== '' && prefix !== this.options.prefix) {
          this.pending += prefix;
          prefix = '';
        }
        this.flush();
        this.add(prefix, name, matcher, '', this.takeModifier());
        continue;
      }
      const fixed = char ?? this.take(kEscaped);
      if (fixed !== undefined) {
        this.pending += fixed.value;
        continue;
      }
      if (this.take(kOpen) !== undefined) {
        const prefix = this.takeText();
        const innerName = this.take(kName);
        const innerMatcher = this.take(kRegexp) ?? (innerName === undefined ? this.take(kAsterisk) : undefined);
        const suffix = this.takeText();
        if (this.take(kClose) === undefined) throw new TypeError('Missing }');
        this.add(prefix, innerName, innerMatcher, suffix, this.takeModifier());
        continue;
      }
      this.flush();
      if (this.take(kEnd) === undefined) throw new TypeError('Unexpected token');
    }
    return this.parts;
  }
}

function sourceOf(parts, options) {
  let source = '^';
  const names = [];
  for (let i = 0; i < parts.length; i++) {
    const { type, modifier, name, prefix, suffix } = parts[i];
    let { value } = parts[i];
    if (type === kFixed) {
      source += modifier === '' ? escapeRegExp(value) : `(?:${escapeRegExp(value)})${modifier}`;
      continue;
    }
    ArrayPrototypePush(names, name);
    if (type === kSegment) value = segmentOf(options);
    else if (type === kFull) value = kAnything;
    const before = escapeRegExp(prefix);
    const after = escapeRegExp(suffix);
    if (prefix === '' && suffix === '') {
      source += modifier === '' || modifier === '?' ? `(${value})${modifier}` : `((?:${value})${modifier})`;
    } else if (modifier === '' || modifier === '?') {
      source += `(?:${before}(${value})${after})${modifier}`;
    } else {
      source += `(?:${before}((?:${value})(?:${after}${before}(?:${value}))*)${after})${modifier === '*' ? '?' : ''}`;
    }
  }
  return { source: `${source}$`, names };
}

// True if a part needs braces to separate it from its neighbours.
function needsGrouping(part, previous, next, isCustomName, options) {
  if (part.suffix !== '' || (part.prefix !== '' && part.prefix !== options.prefix)) return true;
  if (isCustomName && part.type === kSegment && part.modifier === '' && next !== undefined && next.prefix === '' &&
      next.suffix === '') {
    if (next.type === kFixed) {
      if (next.value !== '' && RegExpPrototypeExec(namePart, next.value[0]) !== null) return true;
    } else if (RegExpPrototypeExec(/^\d/, next.name) !== null) {
      return true;
    }
  }
  return part.prefix === '' && previous !== undefined && previous.type === kFixed && previous.value !== '' &&
    previous.value[previous.value.length - 1] === options.prefix;
}

function textOf(parts, options) {
  let text = '';
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const { type, value, modifier, name, prefix, suffix } = part;
    if (type === kFixed) {
      text += modifier === '' ? escapePattern(value) : `{${escapePattern(value)}}${modifier}`;
      continue;
    }
    const isCustomName = RegExpPrototypeExec(/^\d/, name) === null;
    const isGrouped = needsGrouping(part, parts[i - 1], parts[i + 1], isCustomName, options);
    if (isGrouped) text += '{';
    text += escapePattern(prefix);
    if (isCustomName) text += `:${name}`;
    if (type === kPattern) {
      text += `(${value})`;
    } else if (type === kSegment && !isCustomName) {
      text += `(${segmentOf(options)})`;
    } else if (type === kFull) {
      const previous = parts[i - 1];
      const isPlain = !isCustomName &&
        (previous === undefined || previous.type === kFixed || previous.modifier !== '' ||
        isGrouped || prefix !== '');
      text += isPlain ? '*' : `(${kAnything})`;
    }
    if (type === kSegment && isCustomName && suffix !== '' && RegExpPrototypeExec(namePart, suffix[0]) !== null) {
      text += '\\';
    }
    text += escapePattern(suffix);
    if (isGrouped) text += '}';
    text += modifier;
  }
  return text;
}

// The flag v, if the engine has it, otherwise u.
let flag;
function unicodeFlag() {
  if (flag === undefined) {
    try {
      flag = new RegExp('', 'v').flags;
    } catch {
      flag = 'u';
    }
  }
  return flag;
}

class Component {
  constructor(text, options, encode, ignoreCase = false) {
    const parts = new Parser(text, options, encode).run();
    const { source, names } = sourceOf(parts, options);
    this.regexp = new RegExp(source, unicodeFlag() + (ignoreCase ? 'i' : ''));
    this.names = names;
    this.text = textOf(parts, options);
    this.hasRegExpGroups = false;
    for (let i = 0; i < parts.length; i++) this.hasRegExpGroups ||= parts[i].type === kPattern;
  }

  // { groups, input }, or null.
  match(input) {
    const match = RegExpPrototypeExec(this.regexp, input);
    if (match === null) return null;
    const groups = {};
    // Defined instead of assigned, because a name may be __proto__.
    for (let i = 0; i < this.names.length; i++) setOwnProperty(groups, this.names[i], match[i + 1]);
    return { groups, input };
  }
}

module.exports = { Component, escapePattern };
