'use strict';

// Matches paths against globs: braces, `*`, `**`, `?`, classes, and extended forms such as `@(...)` and `!(...)`. A
// name that starts with a dot is matched only by a pattern that starts with a dot.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  ArrayPrototypeSplice,
  MathAbs,
  MathMax,
  NumberParseInt,
  RegExp,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  RegExpPrototypeSymbolSplit,
  SafeMap,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypePadStart,
  StringPrototypeReplaceAll,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
  Symbol,
} = primordials;

const { validateString } = require('internal/validators');

// Represents `**` among the tests of a pattern.
const kGlobstar = Symbol('**');

// The maximum number of expansions of a pattern. Further ones are dropped, to bound the memory use.
const kMaxExpansions = 100_000;

// Finds the end of the brace that opens at `open` and its commas; returns undefined if the brace is not closed.
function findBrace(pattern, open) {
  let depth = 0;
  const commas = [];
  for (let i = open; i < pattern.length; ++i) {
    const c = pattern[i];
    if (c === '{') ++depth;
    else if (c === '}' && --depth === 0) return { close: i, commas };
    else if (c === ',' && depth === 1) ArrayPrototypePush(commas, i);
  }
  return undefined;
}

const numberRange = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const letterRange = /^([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?$/;

function expandRange(body) {
  let match = RegExpPrototypeExec(numberRange, body);
  const isNumber = match !== null;
  match ??= RegExpPrototypeExec(letterRange, body);
  if (match === null) return undefined;
  const from = isNumber ? NumberParseInt(match[1], 10) : StringPrototypeCharCodeAt(match[1], 0);
  const to = isNumber ? NumberParseInt(match[2], 10) : StringPrototypeCharCodeAt(match[2], 0);
  const step = match[3] === undefined ? 1 : MathMax(MathAbs(NumberParseInt(match[3], 10)), 1);
  const padded = isNumber && (RegExpPrototypeExec(/^-?0\d/, match[1]) !== null ||
                              RegExpPrototypeExec(/^-?0\d/, match[2]) !== null);
  const width = padded ? MathMax(match[1].length, match[2].length) : 0;
  const out = [];
  const sign = from <= to ? 1 : -1;
  for (let i = from; sign * i <= sign * to && out.length < kMaxExpansions; i += sign * step) {
    let text = isNumber ? `${i}` : StringFromCharCode(i);
    if (padded && text.length < width) {
      text = i < 0 ? `-${StringPrototypePadStart(StringPrototypeSlice(text, 1), width - 1, '0')}` :
        StringPrototypePadStart(text, width, '0');
    }
    ArrayPrototypePush(out, text);
  }
  return out;
}

// Returns all patterns that a pattern with braces expands to.
function expandBraces(pattern) {
  for (let open = StringPrototypeIndexOf(pattern, '{'); open !== -1;
    open = StringPrototypeIndexOf(pattern, '{', open + 1)) {
    const brace = findBrace(pattern, open);
    if (brace === undefined) continue;
    const { close, commas } = brace;
    let parts;
    if (commas.length > 0) {
      parts = [];
      let from = open + 1;
      for (let i = 0; i <= commas.length; ++i) {
        const to = i < commas.length ? commas[i] : close;
        const inner = expandBraces(StringPrototypeSlice(pattern, from, to));
        for (let j = 0; j < inner.length; ++j) ArrayPrototypePush(parts, inner[j]);
        from = to + 1;
      }
    } else {
      parts = expandRange(StringPrototypeSlice(pattern, open + 1, close));
      if (parts === undefined) continue;
    }
    const before = StringPrototypeSlice(pattern, 0, open);
    const after = expandBraces(StringPrototypeSlice(pattern, close + 1));
    const out = [];
    for (let i = 0; i < parts.length; ++i) {
      for (let j = 0; j < after.length && out.length < kMaxExpansions; ++j) {
        ArrayPrototypePush(out, before + parts[i] + after[j]);
      }
    }
    return out;
  }
  return [pattern];
}

const posixClasses = {
  '__proto__': null,
  '[:alnum:]': '\\p{L}\\p{Nl}\\p{Nd}',
  '[:alpha:]': '\\p{L}\\p{Nl}',
  '[:ascii:]': '\\x00-\\x7f',
  '[:blank:]': '\\p{Zs}\\t',
  '[:cntrl:]': '\\p{Cc}',
  '[:digit:]': '\\p{Nd}',
  '[:lower:]': '\\p{Ll}',
  '[:punct:]': '\\p{P}',
  '[:space:]': '\\p{Z}\\t\\r\\n\\v\\f',
  '[:upper:]': '\\p{Lu}',
  '[:word:]': '\\p{L}\\p{Nl}\\p{Nd}\\p{Pc}',
  '[:xdigit:]': 'A-Fa-f0-9',
};

function escapeInClass(c) {
  return c === '[' || c === ']' || c === '\\' || c === '^' || c === '-' ? `\\${c}` : c;
}

function escapeText(text) {
  return RegExpPrototypeSymbolReplace(/[[\]{}()*+?.\\^$|/]/g, text, '\\$&');
}

// Parses the class that opens at `at`. Returns its source as a regular expression and its end; undefined if it is not a
// class.
function parseClass(glob, at) {
  let i = at + 1;
  let negated = false;
  if (glob[i] === '!' || glob[i] === '^') {
    negated = true;
    ++i;
  }
  let body = '';
  let first = true;
  for (; i < glob.length; ++i) {
    const c = glob[i];
    if (c === ']' && !first) {
      if (body === '') return { source: negated ? '[^]' : '$.', end: i + 1 };
      return { source: `[${negated ? '^' : ''}${body}]`, end: i + 1 };
    }
    first = false;
    if (c === '[') {
      let known = '';
      for (const name in posixClasses) {
        if (StringPrototypeStartsWith(StringPrototypeSlice(glob, i), name)) known = name;
      }
      if (known !== '') {
        body += posixClasses[known];
        i += known.length - 1;
        continue;
      }
    }
    if (glob[i + 1] === '-' && glob[i + 2] !== undefined && glob[i + 2] !== ']') {
      const to = glob[i + 2];
      // A descending range matches nothing.
      if (c <= to) body += `${escapeInClass(c)}-${escapeInClass(to)}`;
      i += 2;
      continue;
    }
    body += escapeInClass(c);
  }
  return undefined;
}

function closingParenthesis(glob, open) {
  let depth = 0;
  for (let i = open; i < glob.length; ++i) {
    if (glob[i] === '(') ++depth;
    else if (glob[i] === ')' && --depth === 0) return i;
  }
  return -1;
}

function splitAlternatives(text) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; ++i) {
    if (text[i] === '(') ++depth;
    else if (text[i] === ')') --depth;
    else if (text[i] === '|' && depth === 0) {
      ArrayPrototypePush(parts, StringPrototypeSlice(text, from, i));
      from = i + 1;
    }
  }
  ArrayPrototypePush(parts, StringPrototypeSlice(text, from));
  return parts;
}

// The regular expression for `*`.
const anything = '[^/]*?';

// Returns the source of a regular expression for one name. `rest` is the source that follows, because a negation must
// look ahead at it.
function toSource(glob, rest = '') {
  let out = '';
  for (let i = 0; i < glob.length;) {
    const c = glob[i];
    const isExtended = glob[i + 1] === '(' && (c === '@' || c === '!' || c === '+' || c === '*' || c === '?');
    const close = isExtended ? closingParenthesis(glob, i + 1) : -1;
    if (close !== -1) {
      const after = toSource(StringPrototypeSlice(glob, close + 1), rest);
      const alternatives = splitAlternatives(StringPrototypeSlice(glob, i + 2, close));
      const sources = [];
      for (let j = 0; j < alternatives.length; ++j) ArrayPrototypePush(sources, toSource(alternatives[j]));
      const group = ArrayPrototypeJoin(sources, '|');
      if (c === '!') {
        // `!(a|b)`: a negative lookahead up to the end of the name. Followed by a star, it excludes nothing.
        if (after === anything) return `${out}${out === '' ? '(?!\\.)' : ''}${after}`;
        const isStart = out === '' ? '(?!\\.)' : '';
        return `${out}(?!(?:${group})${after}$)${isStart}[^/]*?${after}`;
      }
      return `${out}(?:${group})${c === '@' ? '' : c}${after}`;
    }
    if (c === '*') {
      while (glob[i] === '*') ++i;
      out += anything;
      continue;
    }
    if (c === '?') {
      out += '[^/]';
    } else if (c === '[') {
      const parsed = parseClass(glob, i);
      if (parsed !== undefined) {
        out += parsed.source;
        i = parsed.end;
        continue;
      }
      out += '\\[';
    } else {
      out += escapeText(c);
    }
    ++i;
  }
  return out + rest;
}

const magic = /[*?[]|[@!+]\(/;
const cache = new SafeMap();

// Compiles a segment of a pattern to a string that must be equal, or to a regular expression.
function compileSegment(segment) {
  if (RegExpPrototypeExec(magic, segment) === null) return segment;
  let compiled = cache.get(segment);
  if (compiled === undefined) {
    const first = segment[0];
    // At the start of a name, wildcards do not match a dot. A name is never empty, '.' or '..'.
    const hasMagicStart = first === '*' || first === '?' || first === '[' || (segment[1] === '(' && first !== '!');
    const startsWithDot = segment[0] === '.';
    const guard = startsWithDot ? '(?!\\.{1,2}(?:$|/))' : hasMagicStart ? '(?!\\.)' : '';
    const atLeastOne = hasMagicStart ? '(?=.)' : '';
    const source = `^${guard}${atLeastOne}${toSource(segment)}$`;
    compiled = new RegExp(source, 'su');
    // Patterns usually come from the program, not from its input, so a few hundred are enough.
    if (cache.size > 500) cache.clear();
    cache.set(segment, compiled);
  }
  return compiled;
}

// Removes redundant parts from the middle: empty parts, '.', and a name followed by '..'.
function simplify(parts, windows) {
  for (let i = 1; i < parts.length - 1; ++i) {
    // On Windows, two leading slashes begin a share.
    if (windows && i === 1 && parts[1] === '' && parts[0] === '') continue;
    if (parts[i] === '.' || parts[i] === '') {
      ArrayPrototypeSplice(parts, i, 1);
      --i;
    }
  }
  if (parts[0] === '.' && parts.length === 2 && (parts[1] === '.' || parts[1] === '')) parts.length = 1;
  for (let i = 1; i < parts.length; ++i) {
    const before = parts[i - 1];
    if (parts[i] === '..' && before !== '' && before !== '.' && before !== '..' && before !== '**') {
      ArrayPrototypeSplice(parts, i - 1, 2);
      i = MathMax(0, i - 2);
    }
  }
  return parts.length === 0 ? [''] : parts;
}

function matchSegment(test, name) {
  if (typeof test === 'string') return test === name;
  return RegExpPrototypeExec(test, name) !== null;
}

function matchFrom(names, n, tests, t) {
  for (; t < tests.length; ++t, ++n) {
    if (tests[t] === kGlobstar) {
      // 'a/**' matches everything in 'a', but not 'a' itself.
      if (n >= names.length) return false;
      while (tests[t + 1] === kGlobstar) ++t;
      if (t + 1 === tests.length) {
        // Matches the rest at any depth, unless it contains a hidden name.
        for (; n < names.length; ++n) {
          if (StringPrototypeStartsWith(names[n], '.')) return false;
        }
        return true;
      }
      for (; n < names.length; ++n) {
        if (matchFrom(names, n, tests, t + 1)) return true;
        if (StringPrototypeStartsWith(names[n], '.')) return false;
      }
      return false;
    }
    if (n >= names.length || !matchSegment(tests[t], names[n])) return false;
  }
  // A slash at the end of the path is ignored.
  return n === names.length || (n === names.length - 1 && names[n] === '');
}

// Expands and compiles a pattern to [{ parts, tests }, ...], where a test is a string, a regular expression or
// kGlobstar.
function compilePatterns(pattern, windows) {
  const patterns = expandBraces(StringPrototypeReplaceAll(pattern, '\\', '/'));
  const compiled = [];
  for (let i = 0; i < patterns.length; ++i) {
    const parts = simplify(StringPrototypeSplit(patterns[i], '/'), windows);
    const tests = [];
    for (let j = 0; j < parts.length; ++j) {
      // Two consecutive `**` are the same as one.
      if (parts[j] === '**' && parts[j - 1] === '**') {
        ArrayPrototypeSplice(parts, j--, 1);
        continue;
      }
      ArrayPrototypePush(tests, parts[j] === '**' ? kGlobstar : compileSegment(parts[j]));
    }
    ArrayPrototypePush(compiled, { parts, tests });
  }
  return compiled;
}

// Returns a function that tests whether a path matches.
function makeMatcher(pattern, windows) {
  const compiled = pattern === '' ? [] : compilePatterns(pattern, windows);
  return (path) => {
    if (pattern === '') return path === '';
    const names = simplify(windows ? RegExpPrototypeSymbolSplit(/[\\/]/g, path) : StringPrototypeSplit(path, '/'),
      windows);
    for (let i = 0; i < compiled.length; ++i) {
      if (matchFrom(names, 0, compiled[i].tests, 0)) return true;
    }
    return false;
  };
}

function matchesGlob(path, pattern, windows) {
  validateString(path, 'path');
  validateString(pattern, 'pattern');
  return makeMatcher(pattern, windows)(path);
}

module.exports = { compilePatterns, expandBraces, kGlobstar, makeMatcher, matchSegment, matchesGlob };
