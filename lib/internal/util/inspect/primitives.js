'use strict';

// Primitive values as inspect() shows them. `paint` is the context's stylize function.

const {
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  NumberIsFinite,
  ObjectIs,
  String,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  SymbolPrototypeToString,
} = primordials;

const { quote } = require('internal/util/inspect/text');

// Shorter strings are never broken at their newlines.
const kShortestBrokenString = 16;

// 1234567 -> 1_234_567
function groupFromEnd(digits) {
  const first = digits[0] === '-' ? 1 : 0;
  let end = digits.length;
  if (end - first <= 3) return digits;
  let result = '';
  for (; end - first > 3; end -= 3) result = `_${StringPrototypeSlice(digits, end - 3, end)}${result}`;
  return StringPrototypeSlice(digits, 0, end) + result;
}

// 1234567 -> 123_456_7
function groupFromStart(digits) {
  let result = '';
  let from = 0;
  for (; digits.length - from > 3; from += 3) result += `${StringPrototypeSlice(digits, from, from + 3)}_`;
  return result + StringPrototypeSlice(digits, from);
}

function formatNumber(paint, number, numericSeparator) {
  if (ObjectIs(number, -0)) return paint('-0', 'number');
  if (!numericSeparator) return paint(`${number}`, 'number');
  const text = `${number}`;
  if (!NumberIsFinite(number) || StringPrototypeIncludes(text, 'e')) return paint(text, 'number');
  const point = StringPrototypeIndexOf(text, '.');
  if (point === -1) return paint(groupFromEnd(text), 'number');
  const whole = StringPrototypeSlice(text, 0, point);
  return paint(`${groupFromEnd(whole)}.${groupFromStart(StringPrototypeSlice(text, point + 1))}`, 'number');
}

function formatBigInt(paint, bigint, numericSeparator) {
  const digits = String(bigint);
  return paint(`${numericSeparator ? groupFromEnd(digits) : digits}n`, 'bigint');
}

// One quoted piece per line of text, joined by plus signs.
function formatLines(paint, text, ctx) {
  const pieces = [];
  let from = 0;
  while (from < text.length) {
    const newline = StringPrototypeIndexOf(text, '\n', from);
    const end = newline === -1 ? text.length : newline + 1;
    ArrayPrototypePush(pieces, paint(quote(StringPrototypeSlice(text, from, end)), 'string'));
    from = end;
  }
  return ArrayPrototypeJoin(pieces, ` +\n${StringPrototypeRepeat(' ', ctx.indentationLvl + 2)}`);
}

function formatString(paint, text, ctx) {
  let trailer = '';
  if (text.length > ctx.maxStringLength) {
    const remaining = text.length - ctx.maxStringLength;
    text = StringPrototypeSlice(text, 0, ctx.maxStringLength);
    trailer = `... ${remaining} more character${remaining > 1 ? 's' : ''}`;
  }
  const breaks = ctx.compact !== true && text.length > kShortestBrokenString &&
      text.length > ctx.breakLength - ctx.indentationLvl - 4;
  return (breaks ? formatLines(paint, text, ctx) : paint(quote(text), 'string')) + trailer;
}

function formatPrimitive(paint, value, ctx) {
  switch (typeof value) {
    case 'string':
      return formatString(paint, value, ctx);
    case 'number':
      return formatNumber(paint, value, ctx.numericSeparator);
    case 'bigint':
      return formatBigInt(paint, value, ctx.numericSeparator);
    case 'boolean':
      return paint(value ? 'true' : 'false', 'boolean');
    case 'undefined':
      return paint('undefined', 'undefined');
    default:
      return paint(SymbolPrototypeToString(value), 'symbol');
  }
}

exports.formatNumber = formatNumber;
exports.formatBigInt = formatBigInt;
exports.formatPrimitive = formatPrimitive;
