'use strict';

// console.table(): formats the cells and draws the box around them.

const {
  Array,
  ArrayIsArray,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  MathMax,
  ObjectKeys,
  ObjectPrototypeHasOwnProperty,
  StringPrototypeRepeat,
} = primordials;

const { previewEntries } = internalBinding('util');
const { isMap, isMapIterator, isSet, isSetIterator } = internalBinding('types');
const { getStringWidth, inspect } = require('internal/util/inspect');

const kIndex = '(index)';
const kIterationIndex = '(iteration index)';
const kKey = 'Key';
const kValues = 'Values';

function rule(left, middle, right, widths) {
  let line = left;
  for (let i = 0; i < widths.length; i++) {
    if (i !== 0) line += middle;
    line += StringPrototypeRepeat('─', widths[i] + 2);
  }
  return line + right;
}

function row(cells, widths) {
  let line = '│';
  for (let i = 0; i < widths.length; i++) {
    const cell = cells[i];
    line += ` ${cell}${StringPrototypeRepeat(' ', widths[i] - getStringWidth(cell))} │`;
  }
  return line;
}

// `columns[i]` contains the texts of the column `heads[i]`; holes are empty cells.
function renderTable(heads, columns) {
  let height = 0;
  for (let i = 0; i < columns.length; i++) height = MathMax(height, columns[i].length);
  const widths = new Array(heads.length);
  for (let i = 0; i < heads.length; i++) {
    widths[i] = getStringWidth(heads[i]);
    for (let j = 0; j < height; j++) {
      columns[i][j] ??= '';
      widths[i] = MathMax(widths[i], getStringWidth(columns[i][j]));
    }
  }
  const lines = [rule('┌', '┬', '┐', widths), row(heads, widths), rule('├', '┼', '┤', widths)];
  for (let j = 0; j < height; j++) {
    const cells = new Array(columns.length);
    for (let i = 0; i < columns.length; i++) cells[i] = columns[i][j];
    ArrayPrototypePush(lines, row(cells, widths));
  }
  ArrayPrototypePush(lines, rule('└', '┴', '┘', widths));
  return ArrayPrototypeJoin(lines, '\n');
}

function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

// A cell shows one level of an object, or less if the object has many properties.
function cellText(value, options) {
  const isWide = value !== null && typeof value === 'object' && !ArrayIsArray(value) && ObjectKeys(value).length > 2;
  return inspect(value, { ...options, depth: isWide ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
}

function iterationIndexes(count, options) {
  const indexes = new Array(count);
  for (let i = 0; i < count; i++) indexes[i] = cellText(i, options);
  return indexes;
}

function tableOfPairs(pairs, options) {
  const keys = [];
  const values = [];
  for (let i = 0; i < pairs.length; i += 2) {
    ArrayPrototypePush(keys, cellText(pairs[i], options));
    ArrayPrototypePush(values, cellText(pairs[i + 1], options));
  }
  return renderTable([kIterationIndex, kKey, kValues], [iterationIndexes(keys.length, options), keys, values]);
}

function tableOfValues(items, options) {
  const values = [];
  for (let i = 0; i < items.length; i++) ArrayPrototypePush(values, cellText(items[i], options));
  return renderTable([kIterationIndex, kValues], [iterationIndexes(values.length, options), values]);
}

// Creates one row per property of `data`, and one column per property name of the rows.
function tableOfRows(data, properties, options) {
  // Integer names come first in ascending order, as in any object.
  const byName = { __proto__: null };
  const values = [];
  let hasValues = false;
  const indexes = ObjectKeys(data);
  for (let i = 0; i < indexes.length; i++) {
    const item = data[indexes[i]];
    const isValue = isPrimitive(item);
    if (isValue && properties === undefined) {
      hasValues = true;
      values[i] = cellText(item, options);
      continue;
    }
    const names = properties ?? ObjectKeys(item);
    for (let j = 0; j < names.length; j++) {
      const name = names[j];
      const column = byName[name] ??= [];
      column[i] = !isValue && ObjectPrototypeHasOwnProperty(item, name) ? cellText(item[name], options) : '';
    }
  }
  const heads = [kIndex];
  const columns = [indexes];
  const names = ObjectKeys(byName);
  for (let i = 0; i < names.length; i++) {
    ArrayPrototypePush(heads, names[i]);
    ArrayPrototypePush(columns, byName[names[i]]);
  }
  if (hasValues) {
    ArrayPrototypePush(heads, kValues);
    ArrayPrototypePush(columns, values);
  }
  return renderTable(heads, columns);
}

function formatTable(data, properties, options) {
  if (isMapIterator(data) || isSetIterator(data)) {
    const preview = previewEntries(data, true);
    // The entries of a set iterator are pairs of equal values.
    if (isMapIterator(data) && preview[1]) return tableOfPairs(preview[0], options);
    return tableOfValues(preview[0], options);
  }
  if (isMap(data)) return tableOfPairs(previewEntries(data), options);
  if (isSet(data)) return tableOfValues(previewEntries(data), options);
  return tableOfRows(data, properties, options);
}

exports.formatTable = formatTable;
