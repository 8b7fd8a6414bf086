'use strict';
// The table of coverage in the reports `spec` and `tap`: folders and files as a tree, and the lines that did not run.

const {
  ArrayPrototypeFilter,
  ArrayPrototypeForEach,
  ArrayPrototypeJoin,
  ArrayPrototypeMap,
  ArrayPrototypePush,
  MathFloor,
  MathMax,
  MathMin,
  NumberPrototypeToFixed,
  ObjectKeys,
  StringPrototypePadEnd,
  StringPrototypePadStart,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  StringPrototypeSplit,
} = primordials;

const { relative } = require('path');

const kHeads = ['line %', 'branch %', 'funcs %'];
const kKeys = ['coveredLinePercent', 'coveredBranchPercent', 'coveredFunctionPercent'];
const kBetween = ' | ';
const kEllipsis = '\u2026';
const kLastHead = 'uncovered lines';

// '3-5 9'
function uncoveredLines({ lines }) {
  const ranges = [];
  ArrayPrototypeForEach(ArrayPrototypeFilter(lines, ({ count }) => count === 0), ({ line }) => {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && last[1] === line - 1) last[1] = line;
    else ArrayPrototypePush(ranges, [line, line]);
  });
  return ArrayPrototypeJoin(ArrayPrototypeMap(ranges, ({ 0: a, 1: b }) => (a === b ? `${a}` : `${a}-${b}`)), ' ');
}

// Folders are objects with a null prototype, in `children`.
function buildTree({ files, workingDirectory }) {
  const root = { __proto__: null, children: { __proto__: null }, depth: 1, longest: 0 };
  ArrayPrototypeForEach(files, (file) => {
    const parts = StringPrototypeSplit(relative(workingDirectory, file.path), '/');
    let folder = root;
    ArrayPrototypeForEach(parts, (part) => {
      folder.children[part] ??= { __proto__: null, children: { __proto__: null }, file: undefined };
      folder = folder.children[part];
      root.longest = MathMax(root.longest, part.length);
    });
    folder.file = file;
    root.depth = MathMax(root.depth, parts.length);
  });
  return root;
}

// The widths of the first column, of those with figures, and of the last; and of all together.
function measure(summary, root, prefix, hasColors) {
  const screen = process.stdout.columns;
  let name = MathMax(root.longest + root.depth - 1 + (hasColors ? 2 : 0), 'all files'.length);
  if (name > screen / 2) name = MathFloor(screen / 2);
  const figures = ArrayPrototypeMap(kHeads, (head) => MathMax(head.length, 6));
  let figuresWidth = 0;
  ArrayPrototypeForEach(figures, (width) => { figuresWidth += width + kBetween.length; });
  let last = kLastHead.length;
  ArrayPrototypeForEach(summary.files, (file) => { last = MathMax(last, uncoveredLines(file).length); });
  const total = name + 2 + figuresWidth + last + 2;
  const room = (screen || Infinity) - prefix.length;
  if (total <= room) return { name, figures, last: Infinity, total };
  name = MathMin(room * 0.5, name);
  return { name, figures, last: MathMax(room - figuresWidth - (name + 2) - 2, 1), total: room };
}

function cutStart(text, width) {
  return text.length > width ? `${kEllipsis}${StringPrototypeSlice(text, text.length - width + 1)}` : text;
}

function cutEnd(text, width) {
  return text.length > width ? `${StringPrototypeSlice(text, 0, width - 1)}${kEllipsis}` : text;
}

// `paint` has the sequences of colors; `color` is that of the report.
function formatCoverage(summary, prefix, color, paint) {
  const root = buildTree(summary);
  const widths = measure(summary, root, prefix, color !== '');
  const shade = (text, value) => {
    if (color === '' || typeof value !== 'number') return text;
    return `${value > 90 ? paint.green : value > 50 ? paint.yellow : paint.red}${text}${color}`;
  };
  const row = (name, values, last, depth = 0, average = undefined) => {
    const width = widths.name - depth;
    const cells = ArrayPrototypeMap(values, (value, i) => {
      const text = typeof value === 'number' ? NumberPrototypeToFixed(value, 2) : value;
      return shade(StringPrototypePadStart(text, widths.figures[i]), value);
    });
    const first = shade(cutStart(StringPrototypePadEnd(name, width), width), average);
    return `${prefix}${StringPrototypeRepeat(' ', depth)}${first}${kBetween}${ArrayPrototypeJoin(cells, kBetween)}` +
      `${kBetween}${cutEnd(last, widths.last)}\n`;
  };
  const rule = `${prefix}${StringPrototypeRepeat('-', widths.total)}\n`;
  const body = ({ children }, depth) => {
    let result = '';
    ArrayPrototypeForEach(ObjectKeys(children), (name) => {
      const { file } = children[name];
      if (file === undefined) {
        result += row(name, ['', '', ''], '', depth) + body(children[name], depth + 1);
        return;
      }
      const values = ArrayPrototypeMap(kKeys, (key) => file[key]);
      result += row(name, values, uncoveredLines(file), depth, (values[0] + values[1] + values[2]) / 3);
    });
    return result;
  };
  const totals = ArrayPrototypeMap(kKeys, (key) => summary.totals[key]);
  return `${color}${prefix}start of coverage report\n${rule}${row('file', kHeads, kLastHead)}${rule}${body(root, 0)}${rule}` +
    `${row('all files', totals, '')}${rule}${prefix}end of coverage report\n${color === '' ? '' : paint.white}`;
}

module.exports = { formatCoverage };
