'use strict';

// A decoded source map: maps positions in a generated file to the original. Supports version 3 of the format, with
// plain maps and maps of sections.

const {
  ArrayIsArray,
  ArrayPrototypePush,
  ArrayPrototypeSlice,
  ArrayPrototypeSort,
  StringPrototypeCharCodeAt,
} = primordials;

const { validateObject } = require('internal/validators');

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const kContinues = 32; // Set in a digit if another digit follows.

let digits;
function digitOf(code) {
  if (digits === undefined) {
    digits = [];
    for (let i = 0; i < 128; i++) ArrayPrototypePush(digits, -1);
    for (let i = 0; i < alphabet.length; i++) digits[StringPrototypeCharCodeAt(alphabet, i)] = i;
  }
  return code < 128 ? digits[code] : -1;
}

// Decodes the numbers of "mappings". Characters outside the alphabet are treated as zero, as in other decoders.
class Reader {
  constructor(text) {
    this.text = text;
    this.position = 0;
  }

  // Returns the code of the next character, or NaN at the end.
  peek() {
    return StringPrototypeCharCodeAt(this.text, this.position);
  }

  isAtNumber() {
    const code = this.peek();
    return code === code && code !== COMMA && code !== SEMICOLON; // eslint-disable-line no-self-compare
  }

  number() {
    let result = 0;
    let shift = 0;
    let digit;
    do {
      digit = digitOf(this.peek());
      this.position++;
      if (digit < 0) digit = 0;
      result += (digit & 31) << shift;
      shift += 5;
    } while ((digit & kContinues) !== 0 && this.position < this.text.length);
    const negative = (result & 1) !== 0;
    result >>>= 1;
    return negative ? -result : result;
  }
}

function compareEntries(a, b) {
  return a[0] - b[0] || a[1] - b[1];
}

class SourceMap {
  #payload;
  #lineLengths;
  // [generated line, generated column, source, original line, original column, name], all zero-based, in order.
  #entries = [];

  constructor(payload, { lineLengths } = {}) {
    validateObject(payload, 'payload');
    this.#payload = clonePayload(payload);
    this.#lineLengths = ArrayIsArray(lineLengths) ? ArrayPrototypeSlice(lineLengths) : undefined;
    if (payload.sections !== undefined && payload.sections !== null) {
      for (let i = 0; i < payload.sections.length; i++) {
        const { map, offset } = payload.sections[i];
        this.#decode(map, offset.line, offset.column);
      }
    } else {
      this.#decode(payload, 0, 0);
    }
    ArrayPrototypeSort(this.#entries, compareEntries);
  }

  get payload() {
    return clonePayload(this.#payload);
  }

  get lineLengths() {
    return this.#lineLengths === undefined ? undefined : ArrayPrototypeSlice(this.#lineLengths);
  }

  // Returns the last entry at or before the position, which is zero-based; {} before the first entry.
  findEntry(lineOffset, columnOffset) {
    const entries = this.#entries;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = entries[middle];
      if (entry[0] < lineOffset || (entry[0] === lineOffset && entry[1] <= columnOffset)) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return {};
    const entry = entries[low - 1];
    return {
      generatedLine: entry[0],
      generatedColumn: entry[1],
      originalSource: entry[2],
      originalLine: entry[3],
      originalColumn: entry[4],
      name: entry[5],
    };
  }

  // Like findEntry() for one-based positions; adds the distance between the position and its entry.
  findOrigin(lineNumber, columnNumber) {
    const entry = this.findEntry(lineNumber - 1, columnNumber - 1);
    if (entry.originalSource === undefined || entry.originalLine === undefined || entry.originalColumn === undefined) {
      return {};
    }
    return {
      name: entry.name,
      fileName: entry.originalSource,
      lineNumber: entry.originalLine + lineNumber - entry.generatedLine,
      columnNumber: entry.originalColumn + columnNumber - entry.generatedColumn,
    };
  }

  #decode(map, line, column) {
    const { mappings, names, sources } = map;
    const reader = new Reader(mappings);
    const entries = this.#entries;
    let source = 0;
    let originalLine = 0;
    let originalColumn = 0;
    let name = 0;
    // Columns restart on each line; the column offset of a section applies only to its first line.
    while (reader.position < reader.text.length) {
      const code = reader.peek();
      if (code === SEMICOLON) {
        line++;
        column = 0;
        reader.position++;
        continue;
      }
      if (code === COMMA) {
        reader.position++;
        continue;
      }
      column += reader.number();
      if (!reader.isAtNumber()) {
        ArrayPrototypePush(entries, [line, column, undefined, undefined, undefined, undefined]);
        continue;
      }
      source += reader.number();
      originalLine += reader.isAtNumber() ? reader.number() : 0;
      originalColumn += reader.isAtNumber() ? reader.number() : 0;
      let own;
      if (reader.isAtNumber()) {
        name += reader.number();
        own = names?.[name];
      }
      while (reader.isAtNumber()) reader.number(); // Ignore additional fields.
      ArrayPrototypePush(entries, [line, column, sources[source], originalLine, originalColumn, own]);
    }
  }
}

function clonePayload(payload) {
  validateObject(payload, 'payload');
  const copy = { ...payload };
  if (ArrayIsArray(copy.sources)) copy.sources = ArrayPrototypeSlice(copy.sources);
  if (ArrayIsArray(copy.names)) copy.names = ArrayPrototypeSlice(copy.names);
  if (ArrayIsArray(copy.sourcesContent)) copy.sourcesContent = ArrayPrototypeSlice(copy.sourcesContent);
  if (ArrayIsArray(copy.sections)) {
    const sections = [];
    for (let i = 0; i < copy.sections.length; i++) {
      const section = { ...copy.sections[i] };
      section.map = clonePayload(section.map);
      ArrayPrototypePush(sections, section);
    }
    copy.sections = sections;
  }
  return copy;
}

module.exports = { SourceMap };
