'use strict';

// Formats the entries of containers: each function returns an array of strings, one per unnamed entry. The caller adds
// named properties.

const {
  Array,
  ArrayPrototypePush,
  ArrayPrototypeSort,
  MapPrototypeEntries,
  MapPrototypeGetSize,
  MathMax,
  MathMin,
  ObjectGetPrototypeOf,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  RegExpPrototypeExec,
  SafeMap,
  SafeSet,
  SetPrototypeGetSize,
  SetPrototypeValues,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  SymbolIterator,
  TypedArrayPrototypeGetLength,
  Uint8Array,
  uncurryThis,
} = primordials;

const binding = internalBinding('util');
const { isNativeError } = internalBinding('types');
const { formatBigInt, formatNumber } = require('internal/util/inspect/primitives');
const { joinEntries, kArrayElement, kArrayLike, kObject } = require('internal/util/inspect/layout');
const valueFormat = require('internal/util/inspect/value');

// States of a promise, as returned by getPromiseDetails().
const kPending = 0;
const kRejected = 2;

const kHighestIndex = 2 ** 32 - 2;
const wholeNumber = /^(0|[1-9][0-9]*)$/;
const hexBytes = [];
for (let byte = 0; byte < 256; byte++) {
  ArrayPrototypePush(hexBytes, '0123456789abcdef'[byte >> 4] + '0123456789abcdef'[byte & 15]);
}

// The engine's own iteration of maps and sets, independent of changes to their prototypes.
const mapEntries = primordials.MapPrototype[SymbolIterator];
const setValues = primordials.SetPrototype[SymbolIterator];
const nextOfMap = uncurryThis(ObjectGetPrototypeOf(MapPrototypeEntries(new SafeMap())).next);
const nextOfSet = uncurryThis(ObjectGetPrototypeOf(SetPrototypeValues(new SafeSet())).next);

function mostItems(ctx, length) {
  return MathMin(MathMax(0, ctx.maxArrayLength), length);
}

function pushRemaining(output, remaining) {
  if (remaining > 0) ArrayPrototypePush(output, `... ${remaining} more item${remaining > 1 ? 's' : ''}`);
}

function formatNothing() {
  return [];
}

function formatUnknown(ctx) {
  return [ctx.stylize('<items unknown>', 'special')];
}

function formatArray(ctx, value, recurseTimes) {
  const length = mostItems(ctx, value.length);
  const output = [];
  for (let i = 0; i < length; i++) {
    if (!ObjectPrototypeHasOwnProperty(value, i)) return formatSparseArray(ctx, value, recurseTimes, length, output, i);
    ArrayPrototypePush(output, valueFormat.formatProperty(ctx, value, recurseTimes, i, kArrayElement));
  }
  pushRemaining(output, value.length - length);
  return output;
}

function emptyItems(ctx, count) {
  return ctx.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined');
}

// Goes on from the first hole, at `start`. A run of holes counts as one entry. The keys are walked instead of the
// indexes: there may be four billion of those.
function formatSparseArray(ctx, value, recurseTimes, most, output, start) {
  const keys = ObjectKeys(value);
  let index = start;
  for (let i = start; i < keys.length && output.length < most; i++) {
    const key = keys[i];
    if (RegExpPrototypeExec(wholeNumber, key) === null || +key > kHighestIndex) break;
    if (+key !== index) {
      ArrayPrototypePush(output, emptyItems(ctx, +key - index));
      index = +key;
      if (output.length === most) break;
    }
    ArrayPrototypePush(output, valueFormat.formatProperty(ctx, value, recurseTimes, key, kArrayElement));
    index++;
  }
  const remaining = value.length - index;
  if (output.length === most) pushRemaining(output, remaining);
  else if (remaining > 0) ArrayPrototypePush(output, emptyItems(ctx, remaining));
  return output;
}

function formatTypedArray(ctx, value) {
  const length = TypedArrayPrototypeGetLength(value);
  const most = mostItems(ctx, length);
  const output = new Array(most);
  const format = length > 0 && typeof value[0] === 'bigint' ? formatBigInt : formatNumber;
  for (let i = 0; i < most; i++) output[i] = format(ctx.stylize, value[i], ctx.numericSeparator);
  pushRemaining(output, length - most);
  return output;
}

function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const most = mostItems(ctx, bytes.length);
  let text = '';
  for (let i = 0; i < most; i++) text += i === 0 ? hexBytes[bytes[i]] : ` ${hexBytes[bytes[i]]}`;
  const remaining = bytes.length - most;
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${text}>`];
}

// A set's values or a map's pairs, at most `most`. A class that brings an iterator of its own is shown as it iterates.
function takeItems(value, most, isMap) {
  const items = [];
  const own = value[SymbolIterator];
  if (typeof own === 'function' && own !== (isMap ? mapEntries : setValues)) {
    for (const item of value) {
      if (items.length >= most) break;
      ArrayPrototypePush(items, item);
    }
    return items;
  }
  const iterator = isMap ? MapPrototypeEntries(value) : SetPrototypeValues(value);
  // A limit that is no number is none.
  while (!(items.length >= most)) {
    const step = isMap ? nextOfMap(iterator) : nextOfSet(iterator);
    if (step.done) break;
    ArrayPrototypePush(items, step.value);
  }
  return items;
}

function formatSet(ctx, value, recurseTimes) {
  const size = SetPrototypeGetSize(value);
  const most = mostItems(ctx, size);
  const output = takeItems(value, most, false);
  ctx.indentationLvl += 2;
  for (let i = 0; i < output.length; i++) output[i] = valueFormat.formatValue(ctx, output[i], recurseTimes);
  ctx.indentationLvl -= 2;
  pushRemaining(output, size - most);
  return output;
}

function formatMap(ctx, value, recurseTimes) {
  const size = MapPrototypeGetSize(value);
  const most = mostItems(ctx, size);
  const output = takeItems(value, most, true);
  ctx.indentationLvl += 2;
  for (let i = 0; i < output.length; i++) {
    const pair = output[i];
    output[i] = formatPair(ctx, pair[0], pair[1], recurseTimes);
  }
  ctx.indentationLvl -= 2;
  pushRemaining(output, size - most);
  return output;
}

function formatPair(ctx, key, value, recurseTimes) {
  return `${valueFormat.formatValue(ctx, key, recurseTimes)} => ${valueFormat.formatValue(ctx, value, recurseTimes)}`;
}

function formatValues(ctx, values, recurseTimes) {
  const most = mostItems(ctx, values.length);
  const output = new Array(most);
  ctx.indentationLvl += 2;
  for (let i = 0; i < most; i++) output[i] = valueFormat.formatValue(ctx, values[i], recurseTimes);
  ctx.indentationLvl -= 2;
  return output;
}

// Weak collections have no reliable order, so their entries are sorted by their text.
function formatWeakSet(ctx, value, recurseTimes) {
  const values = binding.previewEntries(value);
  const output = formatValues(ctx, values, recurseTimes);
  if (!ctx.sorted) ArrayPrototypeSort(output);
  pushRemaining(output, values.length - output.length);
  return output;
}

function formatWeakMap(ctx, value, recurseTimes) {
  const pairs = binding.previewEntries(value);
  const size = pairs.length / 2;
  const most = mostItems(ctx, size);
  const output = new Array(most);
  ctx.indentationLvl += 2;
  for (let i = 0; i < most; i++) output[i] = formatPair(ctx, pairs[2 * i], pairs[2 * i + 1], recurseTimes);
  ctx.indentationLvl -= 2;
  if (!ctx.sorted) ArrayPrototypeSort(output);
  pushRemaining(output, size - most);
  return output;
}

// Formats the remaining entries of an iterator without advancing it. Records in `shape` whether these are pairs.
function formatIterator(ctx, value, recurseTimes, shape) {
  const preview = binding.previewEntries(value, true);
  const values = preview[0];
  if (!preview[1]) {
    const output = formatValues(ctx, values, recurseTimes);
    pushRemaining(output, values.length - output.length);
    return output;
  }
  shape.open = `${StringPrototypeSlice(shape.open, 0, -' Iterator] {'.length)} Entries] {`;
  const size = values.length / 2;
  const most = mostItems(ctx, size);
  const output = new Array(most);
  ctx.indentationLvl += 2;
  for (let i = 0; i < most; i++) {
    const pair = [
      valueFormat.formatValue(ctx, values[2 * i], recurseTimes),
      valueFormat.formatValue(ctx, values[2 * i + 1], recurseTimes),
    ];
    output[i] = joinEntries(ctx, pair, '', '[', ']', kArrayLike, recurseTimes);
  }
  ctx.indentationLvl -= 2;
  pushRemaining(output, size - most);
  return output;
}

function formatPromise(ctx, value, recurseTimes) {
  const details = binding.getPromiseDetails(value);
  if (details[0] === kPending) return [ctx.stylize('<pending>', 'special')];
  ctx.indentationLvl += 2;
  const text = valueFormat.formatValue(ctx, details[1], recurseTimes);
  ctx.indentationLvl -= 2;
  return [details[0] === kRejected ? `${ctx.stylize('<rejected>', 'special')} ${text}` : text];
}

// The exports of a module. Those that are not initialized yet throw when they are read.
function formatNamespace(ctx, value, recurseTimes, shape) {
  const keys = shape.keys;
  const output = new Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    try {
      output[i] = valueFormat.formatProperty(ctx, value, recurseTimes, keys[i], kObject);
    } catch (error) {
      if (!isNativeError(error) || error.name !== 'ReferenceError') throw error;
      const named = valueFormat.formatProperty(ctx, { [keys[i]]: '' }, recurseTimes, keys[i], kObject);
      const end = StringPrototypeLastIndexOf(named, ' ') + 1;
      output[i] = StringPrototypeSlice(named, 0, end) + ctx.stylize('<uninitialized>', 'special');
    }
  }
  shape.keys = [];
  return output;
}

exports.formatNothing = formatNothing;
exports.formatUnknown = formatUnknown;
exports.formatArray = formatArray;
exports.formatTypedArray = formatTypedArray;
exports.formatArrayBuffer = formatArrayBuffer;
exports.formatSet = formatSet;
exports.formatMap = formatMap;
exports.formatWeakSet = formatWeakSet;
exports.formatWeakMap = formatWeakMap;
exports.formatIterator = formatIterator;
exports.formatPromise = formatPromise;
exports.formatNamespace = formatNamespace;
