'use strict';

// Joins the formatted entries of a value: on one line, one per line, or, for long arrays, in columns.

const {
  Array,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  MathFloor,
  MathMax,
  MathMin,
  MathRound,
  MathSqrt,
  StringPrototypeIncludes,
  StringPrototypePadEnd,
  StringPrototypePadStart,
  StringPrototypeRepeat,
} = primordials;

const { getStringWidth, lengthWithoutColors } = require('internal/util/inspect/text');

// Kinds of entries of a value. The keys of array elements are not shown.
const kObject = 0;
const kArrayElement = 1;
const kArrayLike = 2;

// Fewer entries than this stay as they are.
const kFewestInColumns = 7;
const kMostColumns = 15;
// A character is about this many times as high as it is wide; columns are chosen so that the whole looks square.
const kCharacterRatio = 2.5;
const kSeparatorWidth = 2;

// For the few entries that most values have, adding strings is several times quicker than Array.prototype.join.
const kFewEntries = 12;

function join(output, separator) {
  if (output.length > kFewEntries || output.length === 0) return ArrayPrototypeJoin(output, separator);
  let text = output[0];
  for (let i = 1; i < output.length; i++) text += separator + output[i];
  return text;
}

function hasNewline(output) {
  for (let i = 0; i < output.length; i++) {
    if (StringPrototypeIncludes(output[i], '\n')) return true;
  }
  return false;
}

function fitsOnOneLine(ctx, output, start, base) {
  let total = output.length + start;
  if (total + output.length > ctx.breakLength) return false;
  for (let i = 0; i < output.length; i++) {
    total += ctx.colors ? lengthWithoutColors(output[i]) : output[i].length;
    if (total > ctx.breakLength) return false;
  }
  return base === '' || !StringPrototypeIncludes(base, '\n');
}

function columnCount(ctx, cells, entries, totalWidth, widest) {
  const cell = widest + kSeparatorWidth;
  // Three columns must fit, and either most entries are alike in width or all are narrow.
  if (cell * 3 + ctx.indentationLvl >= ctx.breakLength) return 1;
  if (totalWidth / cell <= 5 && widest > 6) return 1;
  const bias = MathSqrt(cell - totalWidth / entries);
  const biased = MathMax(cell - 3 - bias, 1);
  return MathMin(
    MathRound(MathSqrt(kCharacterRatio * biased * cells) / biased),
    MathFloor((ctx.breakLength - ctx.indentationLvl) / cell),
    ctx.compact * 4,
    kMostColumns,
  );
}

// Numbers are set flush right, anything else flush left.
function isAllNumbers(value, count) {
  for (let i = 0; i < count; i++) {
    const type = typeof value[i];
    if (type !== 'number' && type !== 'bigint') return false;
  }
  return true;
}

function groupInColumns(ctx, output, value) {
  const hasRest = ctx.maxArrayLength < output.length;
  // The line about items that were left out is no cell.
  const count = hasRest ? output.length - 1 : output.length;
  const widths = new Array(count);
  let totalWidth = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    const width = getStringWidth(output[i], ctx.colors);
    widths[i] = width;
    totalWidth += width + kSeparatorWidth;
    if (width > widest) widest = width;
  }
  const columns = columnCount(ctx, count, output.length, totalWidth, widest);
  if (columns <= 1) return output;

  const columnWidths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) {
      if (widths[i] > width) width = widths[i];
    }
    ArrayPrototypePush(columnWidths, width + kSeparatorWidth);
  }
  const flushRight = value === undefined || isAllNumbers(value, output.length);
  const rows = [];
  for (let first = 0; first < count; first += columns) {
    const last = MathMin(first + columns, count) - 1;
    let row = '';
    for (let i = first; i < last; i++) {
      const width = columnWidths[i - first] + output[i].length - widths[i];
      const cell = `${output[i]}, `;
      row += flushRight ? StringPrototypePadStart(cell, width) : StringPrototypePadEnd(cell, width);
    }
    if (flushRight) {
      const width = columnWidths[last - first] + output[last].length - widths[last] - kSeparatorWidth;
      row += StringPrototypePadStart(output[last], width);
    } else {
      row += output[last];
    }
    ArrayPrototypePush(rows, row);
  }
  if (hasRest) ArrayPrototypePush(rows, output[count]);
  return rows;
}

function joinCompactly(ctx, output, base, open, close) {
  if (fitsOnOneLine(ctx, output, 0, base)) {
    return `${open}${base === '' ? '' : ` ${base}`} ${join(output, ', ')} ${close}`;
  }
  const indentation = StringPrototypeRepeat(' ', ctx.indentationLvl);
  // The first entry follows the brace at once if that takes a single column.
  const start = base === '' && open.length === 1 ? ' ' : `${base === '' ? '' : ` ${base}`}\n${indentation}  `;
  return `${open}${start}${join(output, `,\n${indentation}  `)} ${close}`;
}

// `base` is the text before the braces: a function's name, an error's stack.
function joinEntries(ctx, output, base, open, close, type, recurseTimes, value) {
  if (ctx.compact === true) return joinCompactly(ctx, output, base, open, close);
  const start = base === '' ? '' : `${base} `;
  if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
    const entries = output.length;
    if (type === kArrayLike && entries >= kFewestInColumns) output = groupInColumns(ctx, output, value);
    // Up to `compact` innermost levels share a line, if they fit and were not set in columns.
    if (ctx.currentDepth - recurseTimes < ctx.compact && entries === output.length) {
      const used = output.length + ctx.indentationLvl + open.length + base.length + 10;
      if (fitsOnOneLine(ctx, output, used, base) && !hasNewline(output)) {
        return `${start}${open} ${join(output, ', ')} ${close}`;
      }
    }
  }
  const newline = `\n${StringPrototypeRepeat(' ', ctx.indentationLvl)}`;
  return `${start}${open}${newline}  ${join(output, `,${newline}  `)}${newline}${close}`;
}

exports.kObject = kObject;
exports.kArrayElement = kArrayElement;
exports.kArrayLike = kArrayLike;
exports.joinEntries = joinEntries;
