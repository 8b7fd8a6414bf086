'use strict';

// --experimental-print-required-tla: finds the top-level awaits in a module graph that require() rejects.
//
// V8 reports whether a text has a top-level await, but not where. So all words `await` are blanked out and restored
// one at a time: the text has a top-level await only with the right ones. Words in strings, comments and functions have
// no effect.

const {
  ArrayPrototypePop,
  ArrayPrototypePush,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolSplit,
  SafeMap,
  SafeSet,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  hardenRegExp,
} = primordials;

const { hasAwait, textHasAwait } = internalBinding('modules');
const { hrefToPath, isFileHref, stripQuery } = require('internal/modules/urls');

const kWord = 'await';
const kBlank = '     ';
const endOfLine = hardenRegExp(/\r?\n/);

const texts = new SafeMap(); // Number of a module => its text

function remember(number, source) {
  texts.set(number, source);
}

function replaceAt(text, offset, word) {
  return StringPrototypeSlice(text, 0, offset) + word + StringPrototypeSlice(text, offset + word.length);
}

// Returns the offsets of the top-level awaits in a text.
function findAwaits(source) {
  const word = /\bawait\b/g;
  const blanked = [];
  let rest = source;
  for (let match = RegExpPrototypeExec(word, source); match !== null; match = RegExpPrototypeExec(word, source)) {
    const without = replaceAt(rest, match.index, kBlank);
    if (textHasAwait(without) === undefined) continue; // Not an await, but for example the name of a property.
    rest = without;
    ArrayPrototypePush(blanked, match.index);
  }
  const found = [];
  for (let i = 0; i < blanked.length; i++) {
    if (textHasAwait(replaceAt(rest, blanked[i], kWord))) ArrayPrototypePush(found, startOf(source, blanked[i]));
  }
  return found;
}

// For `for await`, returns the offset of `for`.
function startOf(source, offset) {
  const match = RegExpPrototypeExec(/\bfor\s+$/, StringPrototypeSlice(source, 0, offset));
  return match === null ? offset : match.index;
}

function placeOf(url, source, offset) {
  const before = RegExpPrototypeSymbolSplit(endOfLine, StringPrototypeSlice(source, 0, offset));
  const lines = RegExpPrototypeSymbolSplit(endOfLine, source);
  return {
    __proto__: null,
    url,
    line: before.length,
    column: before[before.length - 1].length + 1,
    sourceLine: lines[before.length - 1],
  };
}

// Returns { url, line, column, sourceLine } of each top-level await in the graph of a job.
function placesIn(root) {
  const places = [];
  const seen = new SafeSet();
  const stack = [root];
  while (stack.length > 0) {
    const job = ArrayPrototypePop(stack);
    if (seen.has(job)) continue;
    seen.add(job);
    const source = texts.get(job.number);
    if (source !== undefined && hasAwait(job.number)) {
      const offsets = findAwaits(source);
      for (let i = 0; i < offsets.length; i++) ArrayPrototypePush(places, placeOf(job.url, source, offsets[i]));
    }
    for (let i = 0; job.links !== undefined && i < job.links.length; i++) ArrayPrototypePush(stack, job.links[i]);
  }
  return places;
}

// Formats the source lines of the places, each with a mark below it.
function excerpt(places) {
  let text = '';
  for (let i = 0; i < places.length; i++) {
    const { url, line, column, sourceLine } = places[i];
    const name = isFileHref(url) ? hrefToPath(stripQuery(url)) : url;
    text += `${name}:${line}\n\n${sourceLine}\n${StringPrototypeRepeat(' ', column - 1)}^\n\n`;
  }
  return text;
}

module.exports = { excerpt, placesIn, remember };
