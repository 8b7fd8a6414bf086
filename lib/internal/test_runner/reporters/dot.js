'use strict';
// A dot for each passed test, an X for each failed one, and then the failures.

const { ArrayPrototypePush, MathMax } = primordials;
const { formatReport, sequences } = require('internal/test_runner/reporters/utils');

const kLeastColumns = 20;

async function* dotReporter(source) {
  const paint = sequences();
  const failed = [];
  let column = 0;
  let columns = MathMax(process.stdout.columns ?? kLeastColumns, kLeastColumns);
  for await (const { type, data } of source) {
    if (type === 'test:pass') yield `${paint.green}.${paint.white}`;
    if (type === 'test:fail') {
      yield `${paint.red}X${paint.white}`;
      ArrayPrototypePush(failed, data);
    }
    if ((type === 'test:pass' || type === 'test:fail') && ++column === columns) {
      yield '\n';
      columns = MathMax(process.stdout.columns ?? kLeastColumns, kLeastColumns);
      column = 0;
    }
  }
  yield '\n';
  if (failed.length === 0) return;
  yield `\n${paint.red}Failed tests:${paint.white}\n\n`;
  for (let i = 0; i < failed.length; i++) yield formatReport('test:fail', failed[i], paint);
}

module.exports = dotReporter;
