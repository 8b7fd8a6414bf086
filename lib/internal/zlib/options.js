'use strict';

// The options of zlib's classes and functions: reads and validates them in Node's order.

const {
  ArrayPrototypeForEach,
  Int32Array,
  NumberIsNaN,
  NumberIsSafeInteger,
  ObjectKeys,
  RangeError,
  SafeSet,
  StringPrototypeStartsWith,
  TypeError,
  TypedArrayPrototypeFill,
  Uint32Array,
} = primordials;

const {
  codedError,
  codes: {
    ERR_BROTLI_INVALID_PARAM,
    ERR_INVALID_ARG_TYPE,
    ERR_OUT_OF_RANGE,
    ERR_ZSTD_INVALID_PARAM,
  },
} = require('internal/errors');
// Read when zlib is first required: Node uses the value of that time, too.
const { kMaxLength } = require('buffer');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { checkRangesOrGetDefault, validateBoolean, validateFiniteNumber } = require('internal/validators');

const { constants } = internalBinding('zlib');
const {
  BROTLI_DECODE,
  BROTLI_ENCODE,
  BROTLI_OPERATION_EMIT_METADATA,
  BROTLI_OPERATION_FINISH,
  BROTLI_OPERATION_FLUSH,
  BROTLI_OPERATION_PROCESS,
  GUNZIP,
  GZIP,
  INFLATE,
  UNZIP,
  ZSTD_COMPRESS,
  ZSTD_DECOMPRESS,
  ZSTD_e_continue,
  ZSTD_e_end,
  ZSTD_e_flush,
  Z_BLOCK,
  Z_DEFAULT_CHUNK,
  Z_DEFAULT_COMPRESSION,
  Z_DEFAULT_MEMLEVEL,
  Z_DEFAULT_STRATEGY,
  Z_DEFAULT_WINDOWBITS,
  Z_FINISH,
  Z_FIXED,
  Z_FULL_FLUSH,
  Z_MAX_LEVEL,
  Z_MAX_MEMLEVEL,
  Z_MAX_WINDOWBITS,
  Z_MIN_CHUNK,
  Z_MIN_LEVEL,
  Z_MIN_MEMLEVEL,
  Z_MIN_WINDOWBITS,
  Z_NO_FLUSH,
} = constants;

// Each library's operations: the range of values, and the defaults of options.
const zlibFlushes = {
  __proto__: null, least: Z_NO_FLUSH, most: Z_BLOCK, flush: Z_NO_FLUSH, finish: Z_FINISH, full: Z_FULL_FLUSH,
};
const brotliFlushes = {
  __proto__: null,
  least: BROTLI_OPERATION_PROCESS,
  most: BROTLI_OPERATION_EMIT_METADATA,
  flush: BROTLI_OPERATION_PROCESS,
  finish: BROTLI_OPERATION_FINISH,
  full: BROTLI_OPERATION_FLUSH,
};
const zstdFlushes = {
  __proto__: null,
  least: ZSTD_e_continue,
  most: ZSTD_e_end,
  flush: ZSTD_e_continue,
  finish: ZSTD_e_end,
  full: ZSTD_e_flush,
};

function isBrotli(mode) {
  return mode === BROTLI_ENCODE || mode === BROTLI_DECODE;
}

function isZstd(mode) {
  return mode === ZSTD_COMPRESS || mode === ZSTD_DECOMPRESS;
}

function flushesOf(mode) {
  if (isBrotli(mode)) return brotliFlushes;
  return isZstd(mode) ? zstdFlushes : zlibFlushes;
}

function readDictionary(dictionary) {
  if (dictionary === undefined || isArrayBufferView(dictionary) || isAnyArrayBuffer(dictionary)) return dictionary;
  throw new ERR_INVALID_ARG_TYPE(
    'options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

// The description of a codec for native code. `settings` is memory that the next call overwrites.
function codecOf(mode, settings, dictionary, opts, pledgedSize) {
  return {
    __proto__: null, mode, settings, dictionary, rejectsGarbage: opts?.rejectGarbageAfterEnd === true, pledgedSize,
    level: undefined, strategy: undefined,
  };
}

const zlibSettings = new Int32Array(4);

function readZlib(opts, mode) {
  let windowBits = Z_DEFAULT_WINDOWBITS;
  let level = Z_DEFAULT_COMPRESSION;
  let memLevel = Z_DEFAULT_MEMLEVEL;
  let strategy = Z_DEFAULT_STRATEGY;
  let dictionary;
  if (opts) {
    const mayTakeItFromHeader = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
    if (mayTakeItFromHeader && (opts.windowBits == null || opts.windowBits === 0)) {
      windowBits = 0;
    } else {
      // Gzip does not support 8.
      windowBits = checkRangesOrGetDefault(opts.windowBits, 'options.windowBits',
        mode === GZIP ? Z_MIN_WINDOWBITS + 1 : Z_MIN_WINDOWBITS, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
    }
    level = checkRangesOrGetDefault(opts.level, 'options.level', Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION);
    memLevel = checkRangesOrGetDefault(
      opts.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL);
    strategy = checkRangesOrGetDefault(
      opts.strategy, 'options.strategy', Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY);
    dictionary = readDictionary(opts.dictionary);
  }
  zlibSettings[0] = windowBits;
  zlibSettings[1] = level;
  zlibSettings[2] = memLevel;
  zlibSettings[3] = strategy;
  const codec = codecOf(mode, zlibSettings, dictionary, opts, undefined);
  codec.level = level;
  codec.strategy = strategy;
  return codec;
}

// The array of a library's parameters: long enough for each constant whose name begins with `prefix`.
function parametersFor(prefix) {
  let most = 0;
  ArrayPrototypeForEach(ObjectKeys(constants), (key) => {
    if (StringPrototypeStartsWith(key, prefix) && constants[key] > most) most = constants[key];
  });
  return new Uint32Array(most + 1);
}

const kUnset = 2 ** 32 - 1;

function readParameters(params, values, InvalidParam) {
  TypedArrayPrototypeFill(values, kUnset);
  if (!params) return;
  ArrayPrototypeForEach(ObjectKeys(params), (name) => {
    const key = +name;
    // The last condition rejects fractions, and keys that occur twice.
    if (NumberIsNaN(key) || key < 0 || key >= values.length || values[key] !== kUnset) throw new InvalidParam(name);
    const value = params[name];
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    values[key] = value;
  });
}

const brotliParameters = parametersFor('BROTLI_PARAM_');

function readBrotli(opts, mode) {
  readParameters(opts?.params, brotliParameters, ERR_BROTLI_INVALID_PARAM);
  return codecOf(mode, brotliParameters, readDictionary(opts?.dictionary), opts, undefined);
}

const zstdCompressParameters = parametersFor('ZSTD_c_');
const zstdDecompressParameters = parametersFor('ZSTD_d_');

function readPledgedSize(size) {
  if (size === undefined) return undefined;
  if (typeof size !== 'number') {
    throw codedError(TypeError, 'ERR_INVALID_ARG_TYPE', 'pledgedSrcSize must be a number');
  }
  if (!NumberIsSafeInteger(size)) {
    throw codedError(RangeError, 'ERR_OUT_OF_RANGE', 'pledgedSrcSize must be a safe integer');
  }
  if (size < 0) throw codedError(RangeError, 'ERR_OUT_OF_RANGE', 'pledgedSrcSize must be non-negative');
  return size;
}

function readZstd(opts, mode) {
  const values = mode === ZSTD_COMPRESS ? zstdCompressParameters : zstdDecompressParameters;
  readParameters(opts?.params, values, ERR_ZSTD_INVALID_PARAM);
  const dictionary = readDictionary(opts?.dictionary);
  return codecOf(mode, values, dictionary, opts, readPledgedSize(opts?.pledgedSrcSize));
}

// Returns the codec. Throws for options that are not valid.
function readCodec(opts, mode) {
  if (isBrotli(mode)) return readBrotli(opts, mode);
  return isZstd(mode) ? readZstd(opts, mode) : readZlib(opts, mode);
}

// Returns the options that all libraries share.
function readCommon(opts, mode) {
  const flushes = flushesOf(mode);
  const common = {
    __proto__: null, flushes, chunkSize: Z_DEFAULT_CHUNK, flush: flushes.flush, finishFlush: flushes.finish,
    maxOutputLength: kMaxLength, rejectsGarbage: false,
  };
  if (!opts) return common;
  const { chunkSize } = opts;
  if (validateFiniteNumber(chunkSize, 'options.chunkSize')) {
    if (chunkSize < Z_MIN_CHUNK) throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, chunkSize);
    common.chunkSize = chunkSize;
  }
  const { least, most } = flushes;
  common.flush = checkRangesOrGetDefault(opts.flush, 'options.flush', least, most, flushes.flush);
  common.finishFlush = checkRangesOrGetDefault(opts.finishFlush, 'options.finishFlush', least, most, flushes.finish);
  common.maxOutputLength = checkRangesOrGetDefault(
    opts.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
  if (opts.rejectGarbageAfterEnd !== undefined) {
    validateBoolean(opts.rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
  }
  common.rejectsGarbage = opts.rejectGarbageAfterEnd === true;
  return common;
}

// The options that are only for zlib. All others are for the stream.
const plainOptions = new SafeSet([
  'chunkSize', 'dictionary', 'finishFlush', 'flush', 'level', 'maxOutputLength', 'memLevel', 'params',
  'pledgedSrcSize', 'rejectGarbageAfterEnd', 'strategy', 'windowBits',
]);

function hasOnlyPlainOptions(opts) {
  if (!opts) return true;
  const keys = ObjectKeys(opts);
  for (let i = 0; i < keys.length; i++) {
    if (!plainOptions.has(keys[i]) && opts[keys[i]] !== undefined) return false;
  }
  return !opts.info;
}

module.exports = { flushesOf, hasOnlyPlainOptions, kMaxLength, readCodec, readCommon };
