'use strict';

// What the engine would not understand as it is written.
//
// Import attributes are written `with { type: 'json' }`; the engine knows only their older spelling, `assert`.
//
// In import statements the new spelling is a syntax error, so a module that does not compile is compiled once more with
// the one word in place of the other; with the usual spaces around the brace, columns stay what they were. In import()
// it is an option that the engine does not look at, so it has to be found beforehand.

const {
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeSlice,
  hardenRegExp,
} = primordials;

const statement = hardenRegExp(/(\b(?:from|import)\s*(?:'[^'\n]*'|"[^"\n]*")\s*)with(\s*)\{( ?)/g);

// The source with `assert` in its import statements, or undefined if none of them says `with`.
function rewriteStatements(source) {
  if (!StringPrototypeIncludes(source, 'with')) return undefined;
  const rewritten = RegExpPrototypeSymbolReplace(
    statement, source,
    (all, before, gap, after) => (gap === ' ' && after === ' ' ? `${before}assert{` : `${before}assert${gap}{${after}`));
  return rewritten === source ? undefined : rewritten;
}

// A first argument that is longer than this is not looked through.
const kLongestArgument = 500;

// Where the argument that begins at `start` ends with a comma, or -1. Brackets are counted and strings skipped: what
// else may stand in an expression does not matter for the arguments that import() gets.
function endOfArgument(source, start) {
  let depth = 0;
  let quote = 0;
  for (let i = start; i < source.length && i < start + kLongestArgument; i++) {
    const code = StringPrototypeCharCodeAt(source, i);
    if (quote !== 0) {
      if (code === 0x5c) i++; // A backslash: the next character means nothing.
      else if (code === quote) quote = 0;
      continue;
    }
    switch (code) {
      case 0x22: case 0x27: case 0x60: // " ' `
        quote = code;
        break;
      case 0x28: case 0x5b: case 0x7b: // ( [ {
        depth++;
        break;
      case 0x29: case 0x5d: case 0x7d: // ) ] }
        if (depth-- === 0) return -1;
        break;
      case 0x2c: // ,
        if (depth === 0) return i;
        break;
      default:
    }
  }
  return -1;
}

// The source with `assert` in its calls of import().
function rewriteCalls(source) {
  if (!StringPrototypeIncludes(source, 'with:')) return source;
  const call = /\bimport\s*\(/g;
  const option = /,\s*\{\s*(?=with\s*:)/y;
  let result = '';
  let copied = 0;
  while (RegExpPrototypeExec(call, source) !== null) {
    const comma = endOfArgument(source, call.lastIndex);
    if (comma === -1) continue;
    option.lastIndex = comma;
    if (RegExpPrototypeExec(option, source) === null) continue;
    result += `${StringPrototypeSlice(source, copied, option.lastIndex)}assert`;
    copied = option.lastIndex + 'with'.length;
  }
  return copied === 0 ? source : result + StringPrototypeSlice(source, copied);
}

// The source without the flag `v` of regular expressions, where that is why it did not compile.
function rewriteRegExps(source, error, isModule) {
  if (error?.message !== 'Invalid regular expression flags') return undefined;
  return require('internal/regexp/sets').rewriteSets(source, isModule);
}

module.exports = { rewriteCalls, rewriteRegExps, rewriteStatements };
