'use strict';

// File: a Blob with a name and a modification time.

const { DateNow, NumberIsNaN, ObjectDefineProperties, StringPrototypeToWellFormed, SymbolToStringTag } = primordials;

const {
  codes: { ERR_INVALID_THIS, ERR_MISSING_ARGS },
} = require('internal/errors');
const { customInspectSymbol, kEmptyObject, kEnumerableProperty } = require('internal/util');
const { Blob } = require('internal/blob');
const { kClone } = require('internal/structured_clone');

class File extends Blob {
  #name;
  #lastModified;

  constructor(fileBits, fileName, options = kEmptyObject) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('fileBits', 'fileName');
    super(fileBits, options);
    const { lastModified } = options ?? kEmptyObject;
    this.#lastModified = lastModified !== undefined ? +lastModified : DateNow();
    if (NumberIsNaN(this.#lastModified)) this.#lastModified = 0;
    this.#name = StringPrototypeToWellFormed(`${fileName}`);
  }

  static #check(value) {
    if (typeof value !== 'object' || value === null || !(#name in value)) throw new ERR_INVALID_THIS('File');
  }

  get name() {
    File.#check(this);
    return this.#name;
  }

  get lastModified() {
    File.#check(this);
    return this.#lastModified;
  }

  [kClone]() {
    // A clone contains the bytes as a separate Blob.
    const blob = this.slice(0, this.size, this.type);
    return { id: 'internal/file', data: { blob, name: this.#name, lastModified: this.#lastModified } };
  }

  [customInspectSymbol](depth, options) {
    if (depth < 0) return options.stylize('[File]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
    return `File ${inspect({
      size: this.size,
      type: this.type,
      name: this.#name,
      lastModified: this.#lastModified,
    }, inner)}`;
  }
}

ObjectDefineProperties(File.prototype, {
  name: kEnumerableProperty,
  lastModified: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'File' },
});

function readClone({ blob, name, lastModified }) {
  return new File([blob], name, { type: blob.type, lastModified });
}

module.exports = { File, readClone };
