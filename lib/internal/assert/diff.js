'use strict';

// How two values differ, line by line, as the message of a failed strict comparison.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePop,
  ArrayPrototypeSlice,
  MathMax,
  StringPrototypeEndsWith,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const { inspect } = require('internal/util/inspect');
const { removeColors } = require('internal/util');

const headlines = {
  __proto__: null,
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
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

// Two values that together are no longer than this are shown in one line.
const kMostOnOneLine = 12;
// Of values without difference, and of differences, at most this many lines are shown.
const kMostLines = 50;

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    // Strings are not broken into lines, which would make a difference of its own.
    breakLength: Infinity,
    sorted: true,
    getters: true,
    showHidden: false,
    showProxy: false,
  });
}

// Colours where the message is likely to be shown on a terminal.
function palette() {
  const stream = process.stderr;
  if (stream?.isTTY && stream.hasColors?.()) {
    return { added: '\u001b[32m', removed: '\u001b[31m', skipped: '\u001b[34m', plain: '\u001b[39m' };
  }
  return { added: '', removed: '', skipped: '', plain: '' };
}

// At most 47 lines, the last of them dots.
function shortenLines(lines, colours) {
  if (lines.length <= kMostLines) return lines;
  const kept = ArrayPrototypeSlice(lines, 0, 46);
  kept[46] = `${colours.skipped}...${colours.plain}`;
  return kept;
}

const isObject = (value) => typeof value === 'object' && value !== null;
const haveIdentity = (a, b) =>
  (isObject(a) && isObject(b)) || (typeof a === 'function' && typeof b === 'function');

// Collects the lines of a difference. Of lines that both sides share, two are kept before and after each change; lines
// that are only expected wait until the actual ones beside them are out.
class Difference {
  constructor(colours) {
    this.dots = `${colours.skipped}...${colours.plain}`;
    this.plus = `${colours.added}+${colours.plain}`;
    this.minus = `${colours.removed}-${colours.plain}`;
    this.text = '';
    this.waiting = '';
    this.shared = 0;
    this.printed = 0;
    this.skipped = false;
  }

  print(prefix, line) {
    this.text += `\n${prefix} ${line}`;
    this.printed++;
  }

  // `line` is on both sides.
  keep(line) {
    this.text += this.waiting;
    this.waiting = '';
    if (++this.shared <= 2) this.print(' ', line);
  }

  // A change at `index` of `lines` ends a run of shared lines: those right before it are shown after all.
  endRun(lines, index) {
    const hidden = this.shared - 2;
    this.shared = 0;
    if (hidden <= 0) return;
    let back = hidden;
    if (hidden > 3) {
      this.text += `\n${this.dots}`;
      this.skipped = true;
      back = 2;
    }
    for (; back > 0; back--) this.print(' ', lines[index - back]);
  }

  onlyActual(line) {
    this.print(this.plus, line);
  }

  onlyExpected(line) {
    this.waiting += `\n${this.minus} ${line}`;
    this.printed++;
  }
}

// Takes the lines that both share off their ends, and gives the text for them.
function takeCommonEnd(actual, expected, difference) {
  const common = [];
  while (actual.length > 0 && expected.length > 0 &&
         actual[actual.length - 1] === expected[expected.length - 1]) {
    common[common.length] = ArrayPrototypePop(actual);
    ArrayPrototypePop(expected);
  }
  let text = '';
  const { length } = common;
  for (let i = 0; i < length && i < 3; i++) text = `\n  ${common[i]}${text}`;
  if (length > 4) {
    text = `\n${difference.dots}${text}`;
    difference.skipped = true;
  }
  if (length > 3) text = `\n  ${common[length - 1]}${text}`;
  return text;
}

const withoutComma = (line) => (StringPrototypeEndsWith(line, ',') ? StringPrototypeSlice(line, 0, -1) : undefined);

// Whether two lines say the same, but for the comma that only the last item of a list lacks.
function sayTheSame(actual, expected) {
  return actual === expected || withoutComma(actual) === expected || withoutComma(expected) === actual;
}

// Fills `difference`; false if it grew too long and was cut.
function compareLines(actual, expected, difference) {
  const most = MathMax(actual.length, expected.length);
  const longer = actual.length < most ? expected : actual;
  for (let i = 0; i < most; i++) {
    if (i >= actual.length || i >= expected.length) {
      difference.endRun(longer, i);
      if (longer === actual) {
        difference.onlyActual(actual[i]);
      } else {
        difference.onlyExpected(expected[i]);
      }
    } else if (sayTheSame(actual[i], expected[i])) {
      difference.keep(actual[i].length < expected[i].length ? expected[i] : actual[i]);
    } else {
      difference.endRun(actual, i);
      difference.onlyActual(actual[i]);
      difference.onlyExpected(expected[i]);
    }
    if (difference.printed > kMostLines && i < most - 2) return false;
  }
  return true;
}

// A caret under the first character in which two short lines differ, if that is far enough to the right.
function caret(actual, expected) {
  const width = process.stderr?.isTTY ? process.stderr.columns : 80;
  if (actual.length + expected.length >= width) return '';
  let position = 0;
  while (actual[position] === expected[position]) position++;
  return position > 2 ? `\n  ${StringPrototypeRepeat(' ', position)}^` : '';
}

// The message for `actual` and `expected` that should have been equal; `headline` replaces the one of the operator.
function describeDifference(actual, expected, operator, headline) {
  const colours = palette();
  const inspected = inspectValue(actual);
  const actualLines = StringPrototypeSplit(inspected, '\n');
  const expectedLines = StringPrototypeSplit(inspectValue(expected), '\n');
  const kind = operator === 'strictEqual' && haveIdentity(actual, expected) ? 'strictEqualObject' : operator;
  const head = headline || headlines[kind];
  let indicator = '';

  if (actualLines.length === 1 && expectedLines.length === 1 && actualLines[0] !== expectedLines[0]) {
    const first = removeColors(actualLines[0]);
    const second = removeColors(expectedLines[0]);
    if (first.length + second.length <= kMostOnOneLine) {
      if (!isObject(actual) && !isObject(expected) && (actual !== 0 || expected !== 0)) {
        return `${head}\n\n${actualLines[0]} !== ${expectedLines[0]}\n`;
      }
    } else if (kind !== 'strictEqualObject') {
      indicator = caret(first, second);
    }
  }

  const difference = new Difference(colours);
  const end = takeCommonEnd(actualLines, expectedLines, difference);
  if (actualLines.length === 0 && expectedLines.length === 0) {
    const lines = shortenLines(StringPrototypeSplit(inspected, '\n'), colours);
    return `${headlines.notIdentical}\n\n${ArrayPrototypeJoin(lines, '\n')}\n`;
  }

  const start = `${head}\n${colours.added}+ actual${colours.plain} ${colours.removed}- expected${colours.plain}`;
  const skippedNote = ` ${difference.dots} Lines skipped`;
  if (!compareLines(actualLines, expectedLines, difference)) {
    return `${start}${skippedNote}\n${difference.text}\n${difference.dots}${difference.waiting}\n${difference.dots}`;
  }
  return `${start}${difference.skipped ? skippedNote : ''}\n` +
    `${difference.text}${difference.waiting}${end}${indicator}`;
}

module.exports = { describeDifference, headlines, inspectValue, isObject, palette, shortenLines };
