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
      case 'test:diagnostic':
        yield `${indentOf(data.nesting)}# ${escape(data.message)}\n`;
        break;
    }
  }
}

function indentOf(nesting) {
  return StringPrototypeRepeat('    ', nesting);
}

// In Node's order, so that what stands for a line break has two backslashes.
function escape(text) {
  const result = RegExpPrototypeSymbolReplace(/[\b\f\t\n\r\v]/g, `${text}`, (char) => escapes.get(char));
  return StringPrototypeReplaceAll(StringPrototypeReplaceAll(result, '\\', '\\\\'), '#', '\\#');
}

function line({ nesting, testNumber, name, skip, todo }, status) {
  let result = `${indentOf(nesting)}${status} ${testNumber}`;
  if (name) result += ` ${escape(`- ${name}`)}`;
  if (skip !== undefined) result += ` # SKIP${typeof skip === 'string' && skip.length > 0 ? ` ${escape(skip)}` : ''}`;
  else if (todo !== undefined) result += ` # TODO${typeof todo === 'string' && todo.length > 0 ? ` ${escape(todo)}` : ''}`;
  return `${result}\n`;
}

function details(nesting, { duration_ms, type, error }, location) { // eslint-disable-line camelcase
  const indent = `${indentOf(nesting)}  `;
  let result = `${indent}---\n`;
  result += toYaml(indent, 'duration_ms', duration_ms);
  if (type !== undefined) result += toYaml(indent, 'type', type);
  if (location !== undefined) result += toYaml(indent, 'location', location);
  if (error !== undefined && error !== null) result += errorToYaml(indent, error);
  return `${result}${indent}...\n`;
}

const inspectOptions = { __proto__: null, colors: false, breakLength: Infinity };

function toYaml(indent, name, value, seen = new SafeSet()) {
  const prefix = `${indent}${name}:`;
  if (value === null || value === undefined) return `${prefix} ~\n`;
  if (typeof value === 'string' && RegExpPrototypeExec(kLine, value) !== null) {
    const lines = RegExpPrototypeSymbolSplit(kLine, value);
    let result = `${prefix} |-\n`;
    for (let i = 0; i < lines.length; i++) result += `${indent}  ${lines[i]}\n`;
    return result;
  }
  if (typeof value !== 'object') return `${prefix} ${inspect(value, inspectOptions)}\n`;
  if (seen.has(value)) return `${prefix} <Circular>\n`;
  if (isDate(value)) return `${prefix} ${DatePrototypeToISOString(value)}\n`;
  seen.add(value);
  let result = `${prefix}\n`;
  const entries = ObjectEntries(value);
  for (let i = 0; i < entries.length; i++) {
    const { 0: key, 1: entry } = entries[i];
    result += toYaml(`${indent}  `, key, entry, seen);
  }
  return result;
}

const kOwn = new SafeSet(['code', 'cause', 'message', 'stack', 'name']);

function errorToYaml(indent, error) {
  let result = '';
  if (typeof error !== 'object') return toYaml(indent, 'error', error);
  const entries = ObjectEntries(error);
  for (let i = 0; i < entries.length; i++) {
    const { 0: key, 1: value } = entries[i];
    if (!kOwn.has(key)) result += toYaml(indent, key, value);
  }
  // What the test threw says more than what it was wrapped into.
  const { cause } = error;
  const told = isError(cause) ? cause : error;
  const code = told.code ?? error.code;
  result += toYaml(indent, 'error', told.message);
  if (code !== undefined) result += toYaml(indent, 'code', code);
  if (told.name && told.name !== 'Error') result += toYaml(indent, 'name', told.name);
  if (told.operator !== undefined || told.code === 'ERR_ASSERTION') {
    result += toYaml(indent, 'expected', told.expected);
    result += toYaml(indent, 'actual', told.actual);
    if (told.operator) result += toYaml(indent, 'operator', told.operator);
  }
  if (typeof told.stack === 'string') {
    const frames = [];
    ArrayPrototypeForEach(RegExpPrototypeSymbolSplit(kLine, told.stack), (frame) => {
      const match = RegExpPrototypeExec(/^\s+at\s(.+)$/, frame);
      if (match !== null) ArrayPrototypePush(frames, match[1]);
    });
    if (frames.length > 0) {
      const lines = ArrayPrototypeJoin(frames, `\n${indent}  `);
      result += `${indent}stack: |-\n${indent}  ${lines}\n`;
    }
  }
  return result;
}

module.exports = tapReporter;
