'use strict';

// Finds the source text of a failed assert.ok(...) call from its call site.

const {
  ErrorCaptureStackTrace,
  Error,
  SafeMap,
  StringPrototypeCharCodeAt,
  StringPrototypeIncludes,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  StringPrototypeSplit,
  StringPrototypeStartsWith,
} = primordials;

const { isErrorStackTraceLimitWritable, overrideStackTrace } = require('internal/errors');

// Cache by call site, so that a test that fails in a loop does not read its file each time.
const known = new SafeMap();

function callSiteAbove(fn) {
  const limited = isErrorStackTraceLimitWritable();
  const limit = Error.stackTraceLimit;
  if (limited) Error.stackTraceLimit = 1;
  const holder = {};
  overrideStackTrace.set(holder, (error, trace) => trace);
  ErrorCaptureStackTrace(holder, fn);
  const { stack } = holder;
  if (limited) Error.stackTraceLimit = limit;
  return typeof stack === 'object' && stack !== null ? stack[0] : undefined;
}

function readSource(fileName) {
  try {
    let path = fileName;
    if (StringPrototypeStartsWith(fileName, 'file:')) path = require('internal/url').fileURLToPath(fileName);
    const text = internalBinding('module_fs').readFile(path);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

// Returns the index at which a line begins, or -1 if the text has fewer lines. Lines are counted from 0.
function startOfLine(source, line) {
  let at = 0;
  for (; line > 0; line--) {
    at = StringPrototypeIndexOf(source, '\n', at) + 1;
    if (at === 0) return -1;
  }
  return at;
}

const isSpace = (code) => code === 32 || (code >= 9 && code <= 13);
const isNamePart = (code) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 ||
  code === 36 || code > 127;

// Returns the start of the member chain `a.b.c` that ends with the name at `at`, as far as it is on the same line.
function startOfChain(source, at) {
  for (;;) {
    let back = at - 1;
    while (source[back] === ' ') back--;
    if (source[back] !== '.') return at;
    back--;
    if (source[back] === '?') back--;
    while (source[back] === ' ') back--;
    back = beforeBrackets(source, back);
    const end = back;
    while (back >= 0 && isNamePart(StringPrototypeCharCodeAt(source, back))) back--;
    if (back === end) return at;
    at = back + 1;
  }
}

// Skips backwards over the arguments of a call or index that end at `at`, if they are simple.
function beforeBrackets(source, at) {
  let back = at;
  while (source[back] === ')' || source[back] === ']') {
    let depth = 0;
    do {
      if (source[back] === ')' || source[back] === ']') depth++;
      if (source[back] === '(' || source[back] === '[') depth--;
      if (source[back] === '\n' || back < 0) return at;
      back--;
    } while (depth > 0);
  }
  return back;
}

// Returns the index of the closing quote of the string or template that begins at `at`.
function endOfQuote(source, at) {
  const quote = source[at];
  for (let i = at + 1; i < source.length; i++) {
    if (source[i] === '\\') {
      i++;
    } else if (source[i] === quote) {
      return i;
    } else if (quote === '`' && source[i] === '$' && source[i + 1] === '{') {
      i = endOfBrackets(source, i + 1);
      if (i === -1) return -1;
    }
  }
  return -1;
}

function endOfRegExp(source, at) {
  let inClass = false;
  for (let i = at + 1; i < source.length && source[i] !== '\n'; i++) {
    if (source[i] === '\\') {
      i++;
    } else if (source[i] === '[') {
      inClass = true;
    } else if (source[i] === ']') {
      inClass = false;
    } else if (source[i] === '/' && !inClass) {
      return i;
    }
  }
  return at;
}

// True if a slash at `at` follows a value: then it divides. Otherwise it begins a regular expression.
function followsValue(source, at) {
  let back = at - 1;
  while (back >= 0 && isSpace(StringPrototypeCharCodeAt(source, back))) back--;
  const last = source[back];
  if (last === ')' || last === ']' || last === '}' || last === '"' || last === "'" || last === '`') return true;
  if (!isNamePart(StringPrototypeCharCodeAt(source, back))) return false;
  const end = back + 1;
  while (back >= 0 && isNamePart(StringPrototypeCharCodeAt(source, back))) back--;
  const word = StringPrototypeSlice(source, back + 1, end);
  return word !== 'typeof' && word !== 'return' && word !== 'in' && word !== 'of' && word !== 'void' &&
    word !== 'delete' && word !== 'instanceof' && word !== 'new' && word !== 'await' && word !== 'case';
}

// Returns the index of the bracket that closes the one at `at`, or -1.
function endOfBrackets(source, at) {
  let depth = 0;
  for (let i = at; i < source.length; i++) {
    switch (source[i]) {
      case '(':
      case '[':
      case '{':
        depth++;
        break;
      case ')':
      case ']':
      case '}':
        if (--depth === 0) return i;
        break;
      case '"':
      case "'":
      case '`':
        i = endOfQuote(source, i);
        if (i === -1) return -1;
        break;
      case '/':
        if (source[i + 1] === '/') {
          i = StringPrototypeIndexOf(source, '\n', i);
          if (i === -1) return -1;
        } else if (source[i + 1] === '*') {
          i = StringPrototypeIndexOf(source, '*/', i + 2) + 1;
          if (i === 0) return -1;
        } else if (!followsValue(source, i)) {
          i = endOfRegExp(source, i);
        }
        break;
    }
  }
  return -1;
}

// Removes the indentation of the first line from the following lines, and indents them by the two spaces of the
// message.
function outdent(text, column) {
  if (!StringPrototypeIncludes(text, '\n')) return text;
  const lines = StringPrototypeSplit(text, '\n');
  let result = lines[0];
  for (let i = 1; i < lines.length; i++) {
    let from = 0;
    while (from < column && (lines[i][from] === ' ' || lines[i][from] === '\t')) from++;
    result += `\n  ${StringPrototypeSlice(lines[i], from)}`;
  }
  return result;
}

// Returns the call at `line` and `column` of a file, both counted from 0; undefined if it cannot be determined.
function callTextAt(source, line, column) {
  const lineStart = startOfLine(source, line);
  if (lineStart === -1) return undefined;
  const at = lineStart + column;
  let open = at;
  while (open < source.length && isNamePart(StringPrototypeCharCodeAt(source, open))) open++;
  while (open < source.length && isSpace(StringPrototypeCharCodeAt(source, open))) open++;
  if (source[open] === '?' && source[open + 1] === '.') open += 2;
  if (source[open] !== '(') return undefined;
  const end = endOfBrackets(source, open);
  if (end === -1) return undefined;
  const start = startOfChain(source, at);
  return outdent(StringPrototypeSlice(source, start, end + 1), start - startOfLineAt(source, start));
}

function startOfLineAt(source, at) {
  while (at > 0 && source[at - 1] !== '\n') at--;
  return at;
}

// Returns the message for a falsy value that was passed to `fn`, or undefined if the source is not available.
function falsyMessage(fn) {
  const site = callSiteAbove(fn);
  const fileName = site?.getFileName();
  if (!fileName || StringPrototypeStartsWith(fileName, 'node:')) return undefined;
  const line = site.getLineNumber() - 1;
  const column = site.getColumnNumber() - 1;
  const place = `${fileName}:${line}:${column}`;
  if (known.has(place)) return known.get(place);
  const source = readSource(fileName);
  // As in Node, only the first line of the call is shown.
  const call = source === undefined ? undefined : callTextAt(source, line, column);
  const text = call === undefined ? undefined : StringPrototypeSplit(call, '\n', 1)[0];
  const message = text === undefined ? undefined : `The expression evaluated to a falsy value:\n\n  ${text}\n`;
  known.set(place, message);
  return message;
}

module.exports = { callTextAt, falsyMessage };
