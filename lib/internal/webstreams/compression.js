'use strict';
// CompressionStream and DecompressionStream: zlib's streams, as pairs of web streams.
const { ObjectDefineProperties, SafeArrayIterator, SymbolToStringTag } = primordials;
const { hasBuiltin } = require('internal/bootstrap/realm');
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_INVALID_THIS, ERR_METHOD_NOT_IMPLEMENTED },
} = require('internal/errors');

const compressors = { '__proto__': null, 'deflate': 'createDeflate', 'deflate-raw': 'createDeflateRaw',
  'gzip': 'createGzip' };
const decompressors = {
  '__proto__': null, 'deflate': 'createInflate', 'deflate-raw': 'createInflateRaw', 'gzip': 'createGunzip',
};

function makePair(name, makers, format) {
  const maker = makers[format];
  if (typeof format !== 'string' || maker === undefined) throw new ERR_INVALID_ARG_VALUE('format', format);
  if (!hasBuiltin('zlib')) throw new ERR_METHOD_NOT_IMPLEMENTED(name);
  const { newReadableWritablePairFromDuplex } = require('internal/webstreams/adapters');
  // eslint-disable-next-line rondo/require -- Looked for above.
  return newReadableWritablePairFromDuplex(require('zlib')[maker]());
}

function show(stream, name, depth, options) {
  if (depth < 0) return stream;
  const { inspect } = require('internal/util/inspect');
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  const { readable, writable } = stream;
  return `${name} ${inspect({ readable, writable }, inner)}`;
}

class CompressionStream {
  #pair;

  constructor(format) {
    this.#pair = makePair('CompressionStream', compressors, format);
  }

  static #check(value) {
    if (value === null || typeof value !== 'object' || !(#pair in value)) {
      throw new ERR_INVALID_THIS('CompressionStream');
    }
  }

  get readable() {
    CompressionStream.#check(this);
    return this.#pair.readable;
  }

  get writable() {
    CompressionStream.#check(this);
    return this.#pair.writable;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'CompressionStream', depth, options);
  }
}

class DecompressionStream {
  #pair;

  constructor(format) {
    this.#pair = makePair('DecompressionStream', decompressors, format);
  }

  static #check(value) {
    if (value === null || typeof value !== 'object' || !(#pair in value)) {
      throw new ERR_INVALID_THIS('DecompressionStream');
    }
  }

  get readable() {
    DecompressionStream.#check(this);
    return this.#pair.readable;
  }

  get writable() {
    DecompressionStream.#check(this);
    return this.#pair.writable;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'DecompressionStream', depth, options);
  }
}

for (const Class of new SafeArrayIterator([CompressionStream, DecompressionStream])) {
  ObjectDefineProperties(Class.prototype, {
    readable: kEnumerableProperty,
    writable: kEnumerableProperty,
    [SymbolToStringTag]: { __proto__: null, configurable: true, value: Class.name },
  });
}

module.exports = { CompressionStream, DecompressionStream };
