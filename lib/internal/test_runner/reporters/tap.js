'use strict';
// The Test Anything Protocol, version 13, with YAML for the details.

const {
  ArrayPrototypeForEach,
  ArrayPrototypeJoin,
  ArrayPrototypePush,
  DatePrototypeToISOString,
  ObjectEntries,
  RegExpPrototypeExec,
  RegExpPrototypeSymbolReplace,
  RegExpPrototypeSymbolSplit,
  SafeMap,
  SafeSet,
  StringPrototypeReplaceAll,
  StringPrototypeRepeat,
} = primordials;

const { inspect } = require('internal/util/inspect');
const { isDate } = require('internal/util/types');
const { isError } = require('internal/util');

const kLine = /\n|\r\n/;
const escapes = new SafeMap([['\b', '\\b'], ['\f', '\\f'], ['\t', '\\t'], ['\n', '\\n'], ['\r', '\\r'], ['\v', '\\v']]);

async function* tapReporter(source) {
  yield 'TAP version 13\n';
  for await (const { type, data } of source) {
    switch (type) {
      case 'test:fail':
        yield line(data, 'not ok');
        yield details(data.nesting, data.details, `${data.file}:${data.line}:${data.column}`);
        break;
      case 'test:pass':
        yield line(data, 'ok');
        yield details(data.nesting, data.details);
        break;
      case 'test:plan':
        yield `${indentOf(data.nesting)}1..${data.count}\n`;
        break;
      case 'test:start':
        yield `${indentOf(data.nesting)}# Subtest: ${escape(data.name)}\n`;
        break;
      case 'test:stderr':
      case 'test:stdout': {
        const lines = RegExpPrototypeSymbolSplit(kLine, data.message);
        for (let i = 0; i < lines.length; i++) {
          if (lines[i].length > 0) yield `# ${escape(lines[i])}\n`;
        }
        break;
      }
      case 'test:coverage': {
        const { formatCoverage } = require('internal/test_runner/reporters/coverage_table');
        yield formatCoverage(data.summary, `${indentOf(data.nesting)}# `, '', undefined);
        break;
      }
      case 'test:diagnostic':
      case 'test:log':
        yield `${indentOf(data.nesting)}# ${escape(data.message)}\n`;
        break;
    }
  }
}

function indentOf(nesting) {
  return StringPrototypeRepeat('    ', nesting);
}

// In Node's order, so that an escaped line break gets two backslashes.
function escape(text) {
  const result = RegExpPrototypeSymbolReplace(/[\b\f\t\n\r\v]/g, `${text}`, (char) => escapes.get(char));
  return StringPrototypeReplaceAll(StringPrototypeReplaceAll(result, '\\', '\\\\'), '#', '\\#');
}

function line({ nesting, testNumber, name, skip, todo, expectFailure }, status) {
  let result = `${indentOf(nesting)}${status} ${testNumber}`;
  if (name) result += ` ${escape(`- ${name}`)}`;
  if (skip !== undefined) result += ` # SKIP${typeof skip === 'string' && skip.length > 0 ? ` ${escape(skip)}` : ''}`;
  else if (todo !== undefined) {
    result += ` # TODO${typeof todo === 'string' && todo.length > 0 ? ` ${escape(todo)}` : ''}`;
  } else if (expectFailure !== undefined) {
    result += ` # EXPECTED FAILURE${typeof expectFailure === 'string' ? ` ${escape(expectFailure)}` : ''}`;
  }
  return `${result}\n`;
}

function details(nesting, { duration_ms, type, error }, location) {
  const indent = `${indentOf(nesting)}  `;
  let result = `${indent}---\n`;
  result += toYaml(indent, 'duration_ms', duration_ms);
  if (type !== undefined) result += toYaml(indent, 'type', type);
  if (location !== undefined) result += toYaml(indent, 'location', location);
  if (error === null || typeof error !== 'object') result += toYaml(indent, 'null', error);
  else result += propertiesToYaml(indent, indent, error, new SafeSet());
  return `${result}${indent}...\n`;
}

const inspectOptions = { __proto__: null, colors: false, breakLength: Infinity };

function toYaml(indent, name, value, seen = new SafeSet()) {
  if (value === undefined) return '';
  const prefix = `${indent}${name}:`;
  if (value === null) return `${prefix} ~\n`;
  if (typeof value === 'string' && RegExpPrototypeExec(kLine, value) !== null) {
    const lines = RegExpPrototypeSymbolSplit(kLine, value);
    let result = `${prefix} |-\n`;
    for (let i = 0; i < lines.length; i++) result += `${indent}  ${lines[i]}\n`;
    return result;
  }
  if (typeof value !== 'object') return `${prefix} ${inspect(value, inspectOptions)}\n`;
  const date = isDate(value) ? ` ${DatePrototypeToISOString(value)}` : '';
  return `${prefix}${date}\n${propertiesToYaml(indent, `${indent}  `, value, seen)}`;
}

// The properties of an object, indented below its name. The details of an error have the indentation of the name, as in
// Node.
function propertiesToYaml(indent, propertyIndent, value, seen) {
  seen.add(value);
  const isErrorObject = isError(value);
  const entries = ObjectEntries(value);
  let result = '';
  for (let i = 0; i < entries.length; i++) {
    const { 0: key, 1: entry } = entries[i];
    if (isErrorObject && (key === 'cause' || key === 'code')) continue;
    if (seen.has(entry)) result += `${propertyIndent}${key}: <Circular>\n`;
    else result += toYaml(propertyIndent, key, entry, seen);
  }
  return isErrorObject ? result + errorToYaml(indent, value, seen) : result;
}

const isAssertion = (value) => typeof value === 'object' && value !== null && 'expected' in value && 'actual' in value;
// Types of failures that wrap a value thrown by the program.
const kUnwrapped = new SafeSet(['testCodeFailure', 'hookFailed', 'uncaughtException', 'unhandledRejection']);

function errorToYaml(indent, error, seen) {
  // Report the error that the test threw rather than the wrapper around it.
  const isWrapped = error.code === 'ERR_TEST_FAILURE' && kUnwrapped.has(error.failureType);
  const cause = isWrapped ? error.cause : undefined;
  const assertion = isAssertion(cause) ? cause : isAssertion(error) ? error : undefined;
  const code = cause?.code ?? error.code;
  const name = cause?.name ?? error.name;
  const stack = cause?.stack ?? error.stack;
  let result = toYaml(indent, 'error', cause?.message ?? error.message ?? '<unknown error>', seen);
  if (code) result += toYaml(indent, 'code', code, seen);
  if (name && name !== 'Error') result += toYaml(indent, 'name', name, seen);
  if (assertion !== undefined) {
    result += toYaml(indent, 'expected', assertion.expected, new SafeSet(seen));
    result += toYaml(indent, 'actual', assertion.actual, new SafeSet(seen));
    const operator = assertion.operator ?? error.operator;
    if (operator) result += toYaml(indent, 'operator', operator, seen);
  }
  if (typeof stack !== 'string') return result;
  const frames = [];
  ArrayPrototypeForEach(RegExpPrototypeSymbolSplit(kLine, stack), (frame) => {
    const match = RegExpPrototypeExec(/^\s+at\s(.+)$/, frame);
    if (match !== null) ArrayPrototypePush(frames, match[1]);
  });
  if (frames.length === 0) return result;
  return `${result}${indent}stack: |-\n${indent}  ${ArrayPrototypeJoin(frames, `\n${indent}  `)}\n`;
}

module.exports = tapReporter;
