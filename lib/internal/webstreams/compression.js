'use strict';
// CompressionStream and DecompressionStream: zlib's streams, as pairs of web streams.
const { ObjectDefineProperties, SafeArrayIterator, SymbolToStringTag } = primordials;
const { customInspectSymbol, kEnumerableProperty } = require('internal/util');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isArrayBufferView, isSharedArrayBuffer } = require('internal/util/types');
const { toEnum } = require('internal/webidl');
const { kCheckChunk } = require('internal/webstreams/compression_errors');

const compressors = {
  '__proto__': null, 'deflate': 'createDeflate', 'deflate-raw': 'createDeflateRaw', 'gzip': 'createGzip',
  'brotli': 'createBrotliCompress',
};
const decompressors = {
  '__proto__': null, 'deflate': 'createInflate', 'deflate-raw': 'createInflateRaw', 'gzip': 'createGunzip',
  'brotli': 'createBrotliDecompress',
};
const formats = ['deflate', 'deflate-raw', 'gzip', 'brotli'];

// The standard accepts no shared memory.
function checkChunk(chunk) {
  if (isSharedArrayBuffer(isArrayBufferView(chunk) ? chunk.buffer : chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'], chunk);
  }
}

function makePair(name, makers, format, options) {
  format = toEnum(format, `Failed to construct '${name}': 1st argument`, 'CompressionFormat', formats);
  const { newReadableWritablePairFromDuplex } = require('internal/webstreams/adapters');
  return newReadableWritablePairFromDuplex(require('zlib')[makers[format]](options), { [kCheckChunk]: checkChunk });
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

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
    return this.#pair.writable;
  }

  [customInspectSymbol](depth, options) {
    return show(this, 'CompressionStream', depth, options);
  }
}

class DecompressionStream {
  #pair;

  constructor(format) {
    this.#pair = makePair('DecompressionStream', decompressors, format, { rejectGarbageAfterEnd: true });
  }

  get readable() {
    return this.#pair.readable;
  }

  get writable() {
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
