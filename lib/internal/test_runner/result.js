'use strict';
// The result of a test, as events have it.

function directiveOf({ expectation, isSkipped, isTodo, message, reporter }) {
  if (isSkipped) return reporter.getSkip(message);
  if (isTodo) return reporter.getTodo(message);
  if (expectation !== undefined) return reporter.getXFail(expectation.label);
  return undefined;
}

// The names of the tests and suites around it.
function classnameOf(test) {
  let result;
  for (let { parent } = test; parent !== null && parent.parent !== null; parent = parent.parent) {
    result = result === undefined ? parent.name : `${parent.name}.${result}`;
  }
  return result;
}

function detailsOf(test) {
  const details = { __proto__: null, duration_ms: test.durationMs, type: test.type === 'file' ? 'test' : test.type };
  const classname = classnameOf(test);
  if (classname !== undefined) details.classname = classname;
  if (!test.passed) details.error = test.error;
  return details;
}

module.exports = { detailsOf, directiveOf };
