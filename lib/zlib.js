'use strict';

const {
  ArrayPrototypeForEach,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectEntries,
  ObjectFreeze,
  StringPrototypeStartsWith,
  StringPrototypeToLowerCase,
  StringPrototypeSlice,
} = primordials;

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { isArrayBufferView } = require('internal/util/types');
const { validateUint32 } = require('internal/validators');
const { kinds } = require('internal/zlib/classes');
const { make, makeSync } = require('internal/zlib/one_shot');

const binding = internalBinding('zlib');

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return binding.crc32(data, value + 0); // Turns -0 into 0.
}

// Programs can add constants, but not change them, as in Node.
const constants = { __proto__: null };
ArrayPrototypeForEach(ObjectEntries(binding.constants), ({ 0: name, 1: value }) => {
  ObjectDefineProperty(constants, name, { __proto__: null, enumerable: true, value });
});

// Names of return codes by number, and the reverse.
const codes = {};
const codeNames = ['Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR', 'Z_MEM_ERROR',
  'Z_BUF_ERROR', 'Z_VERSION_ERROR'];
ArrayPrototypeForEach(codeNames, (name) => {
  codes[name] = constants[name];
});
ArrayPrototypeForEach(codeNames, (name) => {
  codes[constants[name]] = name;
});

const zlib = { crc32 };
ArrayPrototypeForEach(kinds, ({ Class }) => {
  zlib[Class.name] = Class;
});
// brotliCompress of BrotliCompress. Node lists them in this order.
const order = ['Deflate', 'Gzip', 'DeflateRaw', 'Unzip', 'Inflate', 'Gunzip', 'InflateRaw', 'BrotliCompress',
  'BrotliDecompress', 'ZstdCompress', 'ZstdDecompress'];
ArrayPrototypeForEach(order, (wanted) => {
  ArrayPrototypeForEach(kinds, ({ Class, mode }) => {
    if (Class.name !== wanted) return;
    const name = StringPrototypeToLowerCase(wanted[0]) + StringPrototypeSlice(wanted, 1);
    zlib[name] = make(Class, mode);
    zlib[`${name}Sync`] = makeSync(Class, mode);
  });
});

function creator(Class) {
  const create = function(options) {
    return new Class(options);
  };
  ObjectDefineProperty(create, 'name', { __proto__: null, configurable: true, value: `create${Class.name}` });
  return { __proto__: null, configurable: true, enumerable: true, value: create };
}

const byName = {};
ArrayPrototypeForEach(kinds, ({ Class }) => {
  byName[Class.name] = Class;
});
ArrayPrototypeForEach([
  'Deflate', 'Inflate', 'DeflateRaw', 'InflateRaw', 'Gzip', 'Gunzip', 'Unzip', 'BrotliCompress', 'BrotliDecompress',
  'ZstdCompress', 'ZstdDecompress',
], (name) => {
  ObjectDefineProperty(zlib, `create${name}`, creator(byName[name]));
});
ObjectDefineProperties(zlib, {
  constants: { __proto__: null, enumerable: true, value: constants },
  codes: { __proto__: null, enumerable: true, value: ObjectFreeze(codes) },
});

// Deprecated: the constants as properties of the module.
ArrayPrototypeForEach(ObjectEntries(constants), ({ 0: name, 1: value }) => {
  if (StringPrototypeStartsWith(name, 'BROTLI')) return;
  ObjectDefineProperty(zlib, name, { __proto__: null, value });
});

module.exports = zlib;
