'use strict';

// MIME types, by the standard of WHATWG (mimesniff).

const {
  ObjectDefineProperties,
  RegExpPrototypeExec,
  SafeMap,
  StringFromCharCode,
  StringPrototypeCharCodeAt,
  StringPrototypeIndexOf,
  StringPrototypeSlice,
  SymbolIterator,
} = primordials;

const { codes: { ERR_INVALID_MIME_SYNTAX } } = require('internal/errors');

const notToken = /[^!#$%&'*+\-.^_`|~A-Za-z0-9]/;
const notQuoted = /[^\t\x20-\x7e\x80-\xff]/;

function isSpace(character) {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}

function skipSpaces(text, from) {
  while (from < text.length && isSpace(text[from])) from++;
  return from;
}

function trimEnd(text) {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1])) end--;
  return StringPrototypeSlice(text, 0, end);
}

// A to Z only: nothing else may become one of them.
const upperCase = /[A-Z]/;
function toAsciiLower(text) {
  const first = RegExpPrototypeExec(upperCase, text);
  if (first === null) return text;
  let result = StringPrototypeSlice(text, 0, first.index);
  for (let i = first.index; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    result += code >= 0x41 && code <= 0x5a ? StringFromCharCode(code + 0x20) : text[i];
  }
  return result;
}

// Throws if `part` is not a token. The error has the index of the first bad character, or -1 if `part` is empty.
function checkToken(part, production, text) {
  const match = RegExpPrototypeExec(notToken, part);
  if (part === '' || match !== null) {
    throw new ERR_INVALID_MIME_SYNTAX(production, text, match === null ? -1 : match.index);
  }
}

function indexOrEnd(text, what, from) {
  const index = StringPrototypeIndexOf(text, what, from);
  return index === -1 ? text.length : index;
}

function serializeValue(value) {
  if (value !== '' && RegExpPrototypeExec(notToken, value) === null) return value;
  let result = '"';
  for (let i = 0; i < value.length; i++) result += value[i] === '"' || value[i] === '\\' ? `\\${value[i]}` : value[i];
  return `${result}"`;
}

let parseInto;

class MIMEParams {
  #data = new SafeMap();

  delete(name) {
    this.#data.delete(name);
  }

  get(name) {
    return this.#data.get(name) ?? null;
  }

  has(name) {
    return this.#data.has(name);
  }

  set(name, value) {
    name = `${name}`;
    value = `${value}`;
    checkToken(name, 'parameter name', name);
    const match = RegExpPrototypeExec(notQuoted, value);
    if (match !== null) throw new ERR_INVALID_MIME_SYNTAX('parameter value', value, match.index);
    this.#data.set(name, value);
  }

  *entries() {
    yield* this.#data.entries();
  }

  *keys() {
    yield* this.#data.keys();
  }

  *values() {
    yield* this.#data.values();
  }

  toString() {
    let result = '';
    for (const pair of this.#data.entries()) {
      if (result !== '') result += ';';
      result += `${pair[0]}=${serializeValue(pair[1])}`;
    }
    return result;
  }

  // Parses parameters. Invalid ones are skipped; the first of several values for a name is used.
  static #parse(params, text, position) {
    const data = params.#data;
    while (position < text.length) {
      position = skipSpaces(text, position);
      const end = nameEnd(text, position);
      const name = toAsciiLower(StringPrototypeSlice(text, position, end));
      position = end;
      if (text[position] !== '=') {
        position++;
        continue;
      }
      position++;
      let value;
      const isQuoted = text[position] === '"';
      if (isQuoted) {
        const quoted = readQuoted(text, position + 1);
        value = quoted.value;
        position = indexOrEnd(text, ';', quoted.end);
      } else {
        const semicolon = indexOrEnd(text, ';', position);
        value = trimEnd(StringPrototypeSlice(text, position, semicolon));
        position = semicolon;
      }
      position++;
      if (name === '' || (value === '' && !isQuoted) || data.has(name)) continue;
      if (RegExpPrototypeExec(notToken, name) === null && RegExpPrototypeExec(notQuoted, value) === null) {
        data.set(name, value);
      }
    }
    return params;
  }

  static {
    parseInto = MIMEParams.#parse;
  }
}

// A parameter's name ends at the semicolon or the equals sign that comes first.
function nameEnd(text, from) {
  while (from < text.length && text[from] !== ';' && text[from] !== '=') from++;
  return from;
}

// From behind the opening quote to behind the closing one. A backslash at the very end stands for itself.
function readQuoted(text, from) {
  let value = '';
  for (; from < text.length; from++) {
    let character = text[from];
    if (character === '"') return { value, end: from + 1 };
    if (character === '\\' && from + 1 < text.length) character = text[++from];
    value += character;
  }
  return { value, end: from };
}

ObjectDefineProperties(MIMEParams.prototype, {
  toJSON: {
    __proto__: null,
    value: MIMEParams.prototype.toString,
    writable: true,
    enumerable: false,
    configurable: true,
  },
  [SymbolIterator]: {
    __proto__: null,
    value: MIMEParams.prototype.entries,
    writable: true,
    enumerable: false,
    configurable: true,
  },
});

class MIMEType {
  #type;
  #subtype;
  #params;

  constructor(string) {
    string = `${string}`;
    const start = skipSpaces(string, 0);
    const slash = StringPrototypeIndexOf(string, '/', start);
    const type = StringPrototypeSlice(string, start, slash === -1 ? undefined : slash);
    checkToken(type, 'type', string);
    if (slash === -1) throw new ERR_INVALID_MIME_SYNTAX('type', string, -1);
    const semicolon = indexOrEnd(string, ';', slash + 1);
    const subtype = trimEnd(StringPrototypeSlice(string, slash + 1, semicolon));
    checkToken(subtype, 'subtype', string);
    this.#type = toAsciiLower(type);
    this.#subtype = toAsciiLower(subtype);
    this.#params = parseInto(new MIMEParams(), string, semicolon + 1);
  }

  // Like the constructor, but returns null instead of throwing for an invalid type.
  static parse(string) {
    try {
      return new MIMEType(string);
    } catch (error) {
      if (error?.code === 'ERR_INVALID_MIME_SYNTAX') return null;
      throw error;
    }
  }

  get type() {
    return this.#type;
  }

  set type(value) {
    value = `${value}`;
    checkToken(value, 'type', value);
    this.#type = toAsciiLower(value);
  }

  get subtype() {
    return this.#subtype;
  }

  set subtype(value) {
    value = `${value}`;
    checkToken(value, 'subtype', value);
    this.#subtype = toAsciiLower(value);
  }

  get essence() {
    return `${this.#type}/${this.#subtype}`;
  }

  get params() {
    return this.#params;
  }

  toString() {
    const params = this.#params.toString();
    return params === '' ? this.essence : `${this.essence};${params}`;
  }
}

ObjectDefineProperties(MIMEType.prototype, {
  toJSON: {
    __proto__: null,
    value: MIMEType.prototype.toString,
    writable: true,
    enumerable: false,
    configurable: true,
  },
});

module.exports = { MIMEParams, MIMEType };
