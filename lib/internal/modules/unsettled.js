'use strict';

// Says where a program was waiting when it ended, having nothing left that could have woken it.

const {
  RegExpPrototypeExec,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const { readFile } = internalBinding('module_fs');
const { hrefToPath, isFileHref } = require('internal/modules/urls');

// The engine does not tell which await it is, so the line is shown only if there is but one.
function placeOf(url) {
  if (!isFileHref(url)) return url;
  const source = readFile(hrefToPath(url));
  if (typeof source !== 'string') return url;
  const word = /\bawait\b/;
  const lines = StringPrototypeSplit(source, '\n');
  let place;
  for (let i = 0; i < lines.length; i++) {
    const match = RegExpPrototypeExec(word, lines[i]);
    if (match === null) continue;
    const rest = StringPrototypeSlice(lines[i], match.index + 'await'.length);
    if (place !== undefined || RegExpPrototypeExec(word, rest) !== null) return url;
    place = `${url}:${i + 1}\n${lines[i]}\n${StringPrototypeRepeat(' ', match.index)}^`;
  }
  return place ?? url;
}

function report(url) {
  process._rawDebug(`Warning: Detected unsettled top-level await at ${placeOf(url)}\n\n`);
}

module.exports = { report };
