'use strict';
// Helpers shared by the human-readable reporters.

const { ArrayPrototypeJoin, RegExpPrototypeSymbolSplit } = primordials;
const colors = require('internal/util/colors');
const { inspect } = require('internal/util/inspect');

const symbols = {
  '__proto__': null,
  'test:fail': '\u2716 ',
  'test:pass': '\u2714 ',
  'test:diagnostic': '\u2139 ',
  'test:coverage': '\u2139 ',
  'test:log': '\u2139 ',
  'arrow:right': '\u25B6 ',
  'hyphen:minus': '\uFE63 ',
  'warning:alert': '\u26A0 ',
};

const kLine = /\n|\r\n/;

// The sequences for stdout, where reports go; none where it is no terminal.
function sequences() {
  if (!colors.shouldColorize(process.stdout)) {
    return { __proto__: null, blue: '', green: '', gray: '', red: '', white: '', yellow: '', hasColors: false };
  }
  return {
    __proto__: null, blue: '\u001b[34m', green: '\u001b[32m', gray: '\u001b[90m', red: '\u001b[31m',
    white: '\u001b[39m', yellow: '\u001b[33m', hasColors: true,
  };
}

function colorOf(type, paint) {
  return { '__proto__': null, 'test:fail': paint.red, 'test:pass': paint.green, 'test:diagnostic': paint.blue }[type];
}

function formatError(error, indent, paint) {
  if (!error) return '';
  const shown = error.code === 'ERR_TEST_FAILURE' ? error.cause : error;
  const lines = RegExpPrototypeSymbolSplit(kLine, inspect(shown, { colors: paint.hasColors, breakLength: Infinity }));
  return `\n${indent}  ${ArrayPrototypeJoin(lines, `\n${indent}  `)}\n`;
}

// A line for a test, and its error unless `showsError` is false.
function formatReport(type, data, paint, indent = '', showsError = true) {
  const { details, expectFailure, name, skip, todo } = data;
  let color = colorOf(type, paint) ?? paint.white;
  let symbol = symbols[type] ?? ' ';
  const duration = details?.duration_ms ? ` ${paint.gray}(${details.duration_ms}ms)${paint.white}` : '';
  let title = `${name}${duration}`;
  if (skip !== undefined) {
    title += ` # ${typeof skip === 'string' && skip.length > 0 ? skip : 'SKIP'}`;
    color = paint.gray;
    symbol = symbols['hyphen:minus'];
  } else if (todo !== undefined) {
    title += ` # ${typeof todo === 'string' && todo.length > 0 ? todo : 'TODO'}`;
    if (type === 'test:fail') {
      color = paint.yellow;
      symbol = symbols['warning:alert'];
    }
  } else if (expectFailure !== undefined) {
    title += ' # EXPECTED FAILURE';
  }
  const error = showsError ? formatError(details?.error, indent, paint) : '';
  return `${indent}${color}${symbol}${title}${paint.white}${error}`;
}

module.exports = { formatError, formatReport, sequences, symbols };
