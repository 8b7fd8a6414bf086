'use strict';
// Coverage as lcov, geninfo and most services read it. Everything else is left out.

const { ArrayPrototypeForEach, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeSort } = primordials;

const { relative } = require('path');
const { Transform } = require('stream');

function formatFile(file, cwd, lines) {
  const add = (key, ...values) => ArrayPrototypePush(lines, `${key}:${ArrayPrototypeJoin(values, ',')}`);
  const nameOf = ({ name }, i) => name || `anonymous_${i}`;
  add('SF', relative(cwd, file.path));
  ArrayPrototypeForEach(file.functions, (one, i) => add('FN', one.line, nameOf(one, i)));
  ArrayPrototypeForEach(file.functions, (one, i) => add('FNDA', one.count, nameOf(one, i)));
  add('FNF', file.totalFunctionCount);
  add('FNH', file.coveredFunctionCount);
  ArrayPrototypeForEach(file.branches, ({ count, line }, i) => add('BRDA', line, i, 0, count));
  add('BRF', file.totalBranchCount);
  add('BRH', file.coveredBranchCount);
  ArrayPrototypeForEach(ArrayPrototypeSort([...file.lines], (a, b) => a.line - b.line),
    ({ count, line }) => add('DA', line, count));
  add('LH', file.coveredLineCount);
  add('LF', file.totalLineCount);
  ArrayPrototypePush(lines, 'end_of_record');
}

class LcovReporter extends Transform {
  constructor(options) {
    super({ ...options, writableObjectMode: true, __proto__: null });
  }

  _transform({ data, type }, encoding, callback) {
    if (type !== 'test:coverage') {
      callback(null);
      return;
    }
    const { files, workingDirectory } = data.summary;
    const lines = ['TN:'];
    ArrayPrototypeForEach(files, (file) => formatFile(file, workingDirectory, lines));
    callback(null, `${ArrayPrototypeJoin(lines, '\n')}\n`);
  }
}

module.exports = LcovReporter;
