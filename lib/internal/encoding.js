'use strict';

// TextEncoder and TextDecoder. Rondo decodes UTF-8, UTF-16 and windows-1252 itself; ICU decodes legacy encodings.

const {
  ArrayBufferIsView,
  ObjectDefineProperties,
  StringPrototypeCharCodeAt,
  SymbolToStringTag,
  TypedArrayPrototypeSet,
  TypedArrayPrototypeSubarray,
  Uint32Array,
  Uint8Array,
} = primordials;

const binding = internalBinding('encoding');
const {
  codedTypeError,
  codes: { ERR_ENCODING_INVALID_ENCODED_DATA, ERR_ENCODING_NOT_SUPPORTED, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors');
const { kValidateObjectAllowObjectsAndNull, validateObject, validateString } = require('internal/validators');
const { customInspectSymbol, getConstructorOf, kEmptyObject, kEnumerableProperty } = require('internal/util');
const { isAnyArrayBuffer, isUint8Array } = require('internal/util/types');
const { getEncodingFromLabel } = require('internal/encoding/labels');

// Up to this length a loop is faster than a native call.
const kShortString = 24;

// Filled by the binding's encodeInto(): characters read and bytes written.
const counts = new Uint32Array(2);

class TextEncoder {
  #encoding = 'utf-8';

  // Accessing a private member makes V8 throw if the receiver is of another class. The message is the same as Node's.
  #check() {}

  get encoding() {
    return this.#encoding;
  }

  encode(input = '') {
    this.#check();
    const text = `${input}`;
    const { length } = text;
    if (length > kShortString) return new Uint8Array(binding.encodeUtf8(text));
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++) {
      const code = StringPrototypeCharCodeAt(text, i);
      if (code >= 0x80) return new Uint8Array(binding.encodeUtf8(text));
      bytes[i] = code;
    }
    return bytes;
  }

  encodeInto(src, dest) {
    this.#check();
    validateString(src, 'src');
    if (!dest || !isUint8Array(dest)) throw new ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', dest);
    binding.encodeInto(src, dest, counts);
    return { read: counts[0], written: counts[1] };
  }

  [customInspectSymbol](depth, options) {
    const encoding = this.#encoding;
    if (typeof depth === 'number' && depth < 0) return options.stylize('[TextEncoder]', 'special');
    return require('internal/util/inspect').inspect({ encoding }, options);
  }
}

ObjectDefineProperties(TextEncoder.prototype, {
  encoding: kEnumerableProperty,
  encode: kEnumerableProperty,
  encodeInto: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'TextEncoder' },
});

function failInput(name, kinds) {
  throw codedTypeError('ERR_INVALID_ARG_TYPE', `The "${name}" argument must be an instance of ${kinds}.`);
}

function isBytes(input) {
  return ArrayBufferIsView(input) || isAnyArrayBuffer(input);
}

function toBytes(input) {
  if (isUint8Array(input)) return input;
  return ArrayBufferIsView(input) ?
    new Uint8Array(input.buffer, input.byteOffset, input.byteLength) :
    new Uint8Array(input);
}

const empty = new Uint8Array(0);

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  // Bytes of an incomplete character.
  #pending = empty;
  // Part of the stream has been decoded, so a byte order mark can no longer follow.
  #isInside = false;
  // ICU's converter, if ICU decodes this encoding. Created with the first bytes.
  #converter = undefined;

  static #check(value) {
    if (value === null || typeof value !== 'object' || !(#encoding in value)) throw new ERR_INVALID_THIS('TextDecoder');
  }

  constructor(encoding = 'utf-8', options = kEmptyObject) {
    encoding = `${encoding}`;
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const name = getEncodingFromLabel(encoding);
    if (name === undefined) throw new ERR_ENCODING_NOT_SUPPORTED(encoding);
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
    this.#encoding = name;
    if (!TextDecoder.#isOurs(name) && !binding.hasConverter(name)) throw new ERR_ENCODING_NOT_SUPPORTED(encoding);
  }

  static #isOurs(name) {
    return name === 'utf-8' || name === 'utf-16le' || name === 'utf-16be' || name === 'windows-1252' ||
      require('internal/encoding/single_byte').has(name);
  }

  get encoding() {
    TextDecoder.#check(this);
    return this.#encoding;
  }

  get fatal() {
    TextDecoder.#check(this);
    return this.#fatal;
  }

  get ignoreBOM() {
    TextDecoder.#check(this);
    return this.#ignoreBOM;
  }

  decode(input = empty, options = kEmptyObject) {
    TextDecoder.#check(this);
    // Fast path for a complete text.
    if (this.#encoding === 'utf-8' && !options?.stream) {
      validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
      if (!isBytes(input)) failInput('list', 'SharedArrayBuffer, ArrayBuffer or ArrayBufferView');
    }
    if (this.#encoding === 'utf-8' && !this.#isInside && this.#pending.length === 0 && !options?.stream) {
      const text = binding.decodeUtf8(input, !this.#ignoreBOM, this.#fatal);
      if (text === undefined) throw new ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
      return text;
    }
    if (!isBytes(input)) {
      if (this.#encoding === 'windows-1252' && !options?.stream) {
        failInput('input', 'ArrayBuffer, SharedArrayBuffer, or ArrayBufferView');
      }
      if (this.#encoding === 'utf-8') {
        throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'ArrayBufferView'], input);
      }
      failInput('input', 'SharedArrayBuffer, ArrayBuffer or ArrayBufferView');
    }
    if (this.#encoding === 'windows-1252') return binding.decodeWindows1252(input);
    validateObject(options, 'options', kValidateObjectAllowObjectsAndNull);
    const isLast = !options?.stream;
    const singleByte = require('internal/encoding/single_byte');
    if (singleByte.has(this.#encoding)) {
      const text = singleByte.decode(this.#encoding, toBytes(input), this.#fatal);
      if (text === undefined) this.#fail();
      return text;
    }
    return TextDecoder.#isOurs(this.#encoding) ? this.#decodePart(input, isLast) : this.#convert(input, isLast);
  }

  #decodePart(input, isLast) {
    let bytes = toBytes(input);
    if (this.#pending.length > 0) {
      const joined = new Uint8Array(this.#pending.length + bytes.length);
      TypedArrayPrototypeSet(joined, this.#pending, 0);
      TypedArrayPrototypeSet(joined, bytes, this.#pending.length);
      bytes = joined;
      this.#pending = empty;
    }
    if (!isLast) {
      const tail = this.#encoding === 'utf-8' ?
        binding.incompleteUtf8(bytes) :
        incompleteUtf16(bytes, this.#encoding === 'utf-16be');
      if (tail > 0) {
        // Copied, because the caller may modify the bytes.
        this.#pending = new Uint8Array(TypedArrayPrototypeSubarray(bytes, bytes.length - tail));
        bytes = TypedArrayPrototypeSubarray(bytes, 0, bytes.length - tail);
      }
    }
    const mayHaveMark = !this.#ignoreBOM && !this.#isInside;
    this.#isInside = !isLast && (this.#isInside || bytes.length > 0);
    const text = this.#encoding === 'utf-8' ?
      binding.decodeUtf8(bytes, mayHaveMark, this.#fatal) :
      binding.decodeUtf16(bytes, this.#encoding === 'utf-16be', mayHaveMark, this.#fatal);
    if (text === undefined) this.#fail();
    return text;
  }

  #convert(input, isLast) {
    this.#converter ??= binding.openConverter(this.#encoding, this.#fatal);
    const text = binding.convert(this.#converter, input, isLast);
    if (text === undefined) this.#fail();
    return text;
  }

  #fail() {
    this.#pending = empty;
    this.#isInside = false;
    this.#converter = undefined;
    throw new ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
  }

  [customInspectSymbol](depth, options) {
    TextDecoder.#check(this);
    const constructor = getConstructorOf(this) || TextDecoder;
    if (typeof depth === 'number' && depth < 0) return options.stylize(`[${constructor.name}]`, 'special');
    const { inspect } = require('internal/util/inspect');
    return `${constructor.name} ${inspect({
      encoding: this.encoding,
      fatal: this.fatal,
      ignoreBOM: this.ignoreBOM,
    }, options)}`;
  }
}

// Returns the number of bytes of an incomplete unit or surrogate pair at the end.
function incompleteUtf16(bytes, isBigEndian) {
  const odd = bytes.length % 2;
  const even = bytes.length - odd;
  if (even === 0) return odd;
  const high = bytes[isBigEndian ? even - 2 : even - 1];
  return (high & 0xfc) === 0xd8 ? odd + 2 : odd;
}

ObjectDefineProperties(TextDecoder.prototype, {
  decode: kEnumerableProperty,
  encoding: kEnumerableProperty,
  fatal: kEnumerableProperty,
  ignoreBOM: kEnumerableProperty,
  [SymbolToStringTag]: { __proto__: null, configurable: true, value: 'TextDecoder' },
});

module.exports = { TextDecoder, TextEncoder, getEncodingFromLabel };
