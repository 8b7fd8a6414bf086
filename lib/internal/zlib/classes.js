'use strict';

// The classes of zlib's streams.

const {
  ArrayPrototypePush,
  FunctionPrototypeBind,
  FunctionPrototypeCall,
  ObjectSetPrototypeOf,
} = primordials;

const assert = require('internal/assert');
const { deprecateInstantiation } = require('internal/util/deprecate');
const { checkRangesOrGetDefault } = require('internal/validators');
const { ZlibBase } = require('internal/zlib/base');
const { readCodec } = require('internal/zlib/options');

const {
  BROTLI_DECODE, BROTLI_ENCODE, DEFLATE, DEFLATERAW, GUNZIP, GZIP, INFLATE, INFLATERAW, UNZIP, ZSTD_COMPRESS,
  ZSTD_DECOMPRESS, Z_DEFAULT_STRATEGY, Z_FIXED, Z_MAX_LEVEL, Z_MIN_LEVEL, Z_SYNC_FLUSH,
} = internalBinding('zlib').constants;

function inherit(Class, Base) {
  ObjectSetPrototypeOf(Class.prototype, Base.prototype);
  ObjectSetPrototypeOf(Class, Base);
}

// The base of the streams of zlib itself.
function Zlib(opts, mode) {
  const codec = readCodec(opts, mode);
  FunctionPrototypeCall(ZlibBase, this, opts, mode, codec);
  this._level = codec.level;
  this._strategy = codec.strategy;
  this._mode = mode;
}
inherit(Zlib, ZlibBase);

// No write may be in progress when the parameters change, so they change after a flush.
function changeParameters(level, strategy, callback) {
  assert(this._handle, 'zlib binding closed');
  this._handle.params(level, strategy);
  if (this.destroyed) return;
  this._level = level;
  this._strategy = strategy;
  if (callback) callback();
}

Zlib.prototype.params = function params(level, strategy, callback) {
  checkRangesOrGetDefault(level, 'level', Z_MIN_LEVEL, Z_MAX_LEVEL);
  checkRangesOrGetDefault(strategy, 'strategy', Z_DEFAULT_STRATEGY, Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
  } else {
    this.flush(Z_SYNC_FLUSH, FunctionPrototypeBind(changeParameters, this, level, strategy, callback));
  }
};

function Deflate(opts) {
  if (!(this instanceof Deflate)) return deprecateInstantiation(Deflate, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, DEFLATE);
}

function Inflate(opts) {
  if (!(this instanceof Inflate)) return deprecateInstantiation(Inflate, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, INFLATE);
}

function Gzip(opts) {
  if (!(this instanceof Gzip)) return deprecateInstantiation(Gzip, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, GZIP);
}

function Gunzip(opts) {
  if (!(this instanceof Gunzip)) return deprecateInstantiation(Gunzip, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, GUNZIP);
}

// Raw deflate does not support a window of 8 bits; the option has always been corrected.
function correctWindow(opts) {
  if (opts && opts.windowBits === 8) opts.windowBits = 9;
}

function DeflateRaw(opts) {
  correctWindow(opts);
  if (!(this instanceof DeflateRaw)) return deprecateInstantiation(DeflateRaw, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, DEFLATERAW);
}

function InflateRaw(opts) {
  if (!(this instanceof InflateRaw)) return deprecateInstantiation(InflateRaw, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, INFLATERAW);
}

function Unzip(opts) {
  if (!(this instanceof Unzip)) return deprecateInstantiation(Unzip, 'DEP0184', opts);
  FunctionPrototypeCall(Zlib, this, opts, UNZIP);
}

const zlibClasses = [Deflate, Inflate, Gzip, Gunzip, DeflateRaw, InflateRaw, Unzip];
for (let i = 0; i < zlibClasses.length; i++) inherit(zlibClasses[i], Zlib);

function Brotli(opts, mode) {
  FunctionPrototypeCall(ZlibBase, this, opts, mode, readCodec(opts, mode));
}
inherit(Brotli, Zlib);

function BrotliCompress(opts) {
  if (!(this instanceof BrotliCompress)) return deprecateInstantiation(BrotliCompress, 'DEP0184', opts);
  FunctionPrototypeCall(Brotli, this, opts, BROTLI_ENCODE);
}
inherit(BrotliCompress, Brotli);

function BrotliDecompress(opts) {
  if (!(this instanceof BrotliDecompress)) return deprecateInstantiation(BrotliDecompress, 'DEP0184', opts);
  FunctionPrototypeCall(Brotli, this, opts, BROTLI_DECODE);
}
inherit(BrotliDecompress, Brotli);

class Zstd extends ZlibBase {
  constructor(opts, mode) {
    super(opts, mode, readCodec(opts, mode));
  }
}

class ZstdCompress extends Zstd {
  constructor(opts) {
    super(opts, ZSTD_COMPRESS);
  }
}

class ZstdDecompress extends Zstd {
  constructor(opts) {
    super(opts, ZSTD_DECOMPRESS);
  }
}

// Each class with its mode.
const kinds = [];
function add(Class, mode) {
  ArrayPrototypePush(kinds, { __proto__: null, Class, mode });
}
add(Deflate, DEFLATE);
add(Inflate, INFLATE);
add(Gzip, GZIP);
add(Gunzip, GUNZIP);
add(DeflateRaw, DEFLATERAW);
add(InflateRaw, INFLATERAW);
add(Unzip, UNZIP);
add(BrotliCompress, BROTLI_ENCODE);
add(BrotliDecompress, BROTLI_DECODE);
add(ZstdCompress, ZSTD_COMPRESS);
add(ZstdDecompress, ZSTD_DECOMPRESS);

module.exports = { correctWindow, kinds };
