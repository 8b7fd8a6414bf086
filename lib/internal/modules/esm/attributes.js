'use strict';

// Import attributes are written `with { type: 'json' }`; the engine knows only their older spelling, `assert`.
//
// In import statements the new spelling is a syntax error, so a module that does not compile is compiled once more with
// the one word in place of the other; with the usual spaces around the brace, columns stay what they were. In import()
// it is an option that the engine does not look at, so it has to be found beforehand.

const {
  RegExpPrototypeSymbolReplace,
  StringPrototypeIncludes,
  hardenRegExp,
} = primordials;

const statement = hardenRegExp(/(\b(?:from|import)\s*(?:'[^'\n]*'|"[^"\n]*")\s*)with(\s*)\{( ?)/g);
const call = hardenRegExp(/(\bimport\s*\([^()]*,\s*\{\s*)with(\s*:)/g);

// The source with `assert` in its import statements, or undefined if none of them says `with`.
function rewriteStatements(source) {
  if (!StringPrototypeIncludes(source, 'with')) return undefined;
  const rewritten = RegExpPrototypeSymbolReplace(
    statement, source,
    (all, before, gap, after) => (gap === ' ' && after === ' ' ? `${before}assert{` : `${before}assert${gap}{${after}`));
  return rewritten === source ? undefined : rewritten;
}

// The source with `assert` in its calls of import().
function rewriteCalls(source) {
  if (!StringPrototypeIncludes(source, 'with:')) return source;
  return RegExpPrototypeSymbolReplace(call, source, (all, before, after) => `${before}assert${after}`);
}

module.exports = { rewriteCalls, rewriteStatements };
