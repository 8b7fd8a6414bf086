'use strict';

// Line-by-line difference between two values, for the message of a failed strict comparison.

const {
  ArrayPrototypeJoin,
  ArrayPrototypeSlice,
  StringPrototypeRepeat,
  StringPrototypeSplit,
  StringPrototypeTrimEnd,
} = primordials;

const { inspect } = require('internal/util/inspect');
const colors = require('internal/util/colors');
const { kDelete, kInsert, kKeep, myersDiff } = require('internal/util/myers');

const headlines = {
  __proto__: null,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
};

// Two values whose total length is at most this are shown in one line.
const kMostOnOneLine = 12;
// At most this many lines are shown of values without a difference.
const kMostLines = 50;
// At most this many equal lines are shown after a change.
const kMostShared = 5;

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
  });
}

// Keeps at most 47 lines, of which the last is dots.
function shortenLines(lines) {
  if (lines.length <= kMostLines) return lines;
  const kept = ArrayPrototypeSlice(lines, 0, 46);
  kept[46] = `${colors.blue}...${colors.white}`;
  return kept;
}

const isObject = (value) => typeof value === 'object' && value !== null;
const haveIdentity = (a, b) =>
  (isObject(a) && isObject(b)) || (typeof a === 'function' && typeof b === 'function');

// Returns a caret under the first character in which two short lines differ, if it is far enough to the right.
function caret(actual, expected) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length > width) return '';
  let position = 0;
  while (position < actual.length && actual[position] === expected[position]) position++;
  return position > 2 && position < actual.length ? `\n${StringPrototypeRepeat(' ', position + 2)}^` : '';
}

// Describes values of one line each. Returns { text, head }, where `head` replaces the legend.
function describeShort(actual, expected, actualText, expectedText) {
  const areStrings = typeof actual === 'string' && typeof expected === 'string';
  // Quotes are not counted.
  const length = actualText.length + expectedText.length - (typeof actual === 'string' ? 2 : 0) -
      (typeof expected === 'string' ? 2 : 0);
  if (length <= kMostOnOneLine && (actual !== 0 || expected !== 0)) {
    return { text: `${actualText} !== ${expectedText}`, head: '' };
  }
  if (areStrings && colors.hasColors) return describeCharacters(actualText, expectedText);
  const text = `\n${colors.green}+${colors.white} ${actualText}\n${colors.red}- ${colors.white}${expectedText}`;
  return { text: areStrings ? text + caret(actualText, expectedText) : text, head: undefined };
}

// Shows two strings in one line, with the parts that only one of them has in its colour.
function describeCharacters(actualText, expectedText) {
  const steps = myersDiff(StringPrototypeSplit(actualText, ''), StringPrototypeSplit(expectedText, ''));
  let text = '\n';
  for (let i = 0; i < steps.length; i++) {
    const colour = steps[i][0] === kInsert ? colors.green : steps[i][0] === kDelete ? colors.red : colors.white;
    text += `${colour}${steps[i][1]}${colors.white}`;
  }
  return { text, head: `${colors.green}actual${colors.white} ${colors.red}expected${colors.white}` };
}

// Ends a run of `count` equal lines at `index`: prints the omitted lines if they are few, otherwise dots and the last
// line.
function endRun(steps, index, count) {
  const line = (back) => `${colors.white}  ${steps[index - back][1]}\n`;
  switch (count - kMostShared) {
    case 1: return line(1);
    case 2: return line(2) + line(1);
    default: return `${colors.blue}...${colors.white}\n${line(1)}`;
  }
}

function describeLines(steps, operator) {
  const isPartial = operator === 'partialDeepStrictEqual';
  const added = isPartial ? `${colors.gray}${colors.hasColors ? ' ' : '+'}` : `${colors.green}+${colors.white}`;
  let text = '';
  let skipped = false;
  let shared = 0;
  for (let i = 0; i < steps.length; i++) {
    const { 0: operation, 1: line } = steps[i];
    if (operation === kKeep) {
      if (shared++ < kMostShared) text += `${colors.white}  ${line}\n`;
      continue;
    }
    if (shared > kMostShared) {
      text += endRun(steps, i, shared);
      skipped ||= shared > kMostShared + 2;
    }
    shared = 0;
    text += operation === kInsert ? `${added} ${line}${isPartial ? colors.white : ''}\n` :
      `${colors.red}-${colors.white} ${line}\n`;
  }
  return { text: `\n${StringPrototypeTrimEnd(text)}`, skipped };
}

function legend(operator) {
  const first = operator === 'partialDeepStrictEqual' ?
    `${colors.gray}${colors.hasColors ? '' : '+ '}actual` : `${colors.green}+ actual`;
  return `${first}${colors.white} ${colors.red}- expected${colors.white}`;
}

// Returns the message for values that should have been equal. `headline` replaces that of the operator.
function describeDifference(actual, expected, operator, headline, diff) {
  let kind = operator === 'strictEqual' && haveIdentity(actual, expected) ? 'strictEqualObject' : operator;
  const actualText = inspectValue(actual);
  const expectedText = inspectValue(expected);
  const actualLines = StringPrototypeSplit(actualText, '\n');
  const expectedLines = StringPrototypeSplit(expectedText, '\n');
  let head = legend(kind);
  let text;
  let skipped = false;
  if (actualLines.length === 1 && expectedLines.length === 1 && !(isObject(actual) && isObject(expected))) {
    const short = describeShort(actual, expected, actualText, expectedText);
    text = short.text;
    head = short.head ?? head;
  } else if (actualText === expectedText) {
    kind = 'notIdentical';
    head = '';
    skipped = actualLines.length > kMostLines && diff !== 'full';
    text = skipped ? `${ArrayPrototypeJoin(ArrayPrototypeSlice(actualLines, 0, kMostLines), '\n')}\n...}` : actualText;
  } else {
    ({ text, skipped } = describeLines(myersDiff(actualLines, expectedLines, isObject(actual)), kind));
  }
  return `${headline || headlines[kind]}\n${head}${skipped ? '\n... Skipped lines' : ''}\n${text}\n`;
}

module.exports = { describeDifference, headlines, inspectValue, isObject, shortenLines };
