'use strict';

// node:buffer, assembled from the files in internal/buffer/.

const {
  ArrayBufferIsView,
  FunctionPrototypeCall,
  MathTrunc,
  ObjectAssign,
  ObjectDefineProperties,
  ObjectDefineProperty,
  ObjectSetPrototypeOf,
  SymbolSpecies,
  Uint8Array,
} = primordials;

const binding = internalBinding('buffer');
const bytes = internalBinding('bytes');
const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_STATE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateNumber } = require('internal/validators');
const {
  customInspectSymbol,
  defineLazyProperties,
  isInsideNodeModules,
  kIsEncodingSymbol,
  lazyDOMException,
  normalizeEncoding,
} = require('internal/util');
const { isAnyArrayBuffer, isTypedArray } = require('internal/util/types');
const create = require('internal/buffer/create');
const { FastBuffer } = require('internal/buffer/fast');
const { encodingOps, getEncodingOps } = require('internal/buffer/encodings');
const { compareBuffers, display, methods } = require('internal/buffer/methods');
const read = require('internal/buffer/read');
const write = require('internal/buffer/write');
const { transcode } = require('internal/buffer/transcode');

const { kMaxLength, kStringMaxLength } = binding;

let hasWarned = false;
function warnOfConstructor() {
  if (hasWarned) return;
  // Calls from dependencies warn only with --pending-deprecation.
  if (!require('internal/options').getOptionValue('--pending-deprecation') && isInsideNodeModules(5)) return;
  hasWarned = true;
  process.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
    'Buffer.allocUnsafe(), or Buffer.from() methods instead.',
    'DeprecationWarning',
    'DEP0005');
}

// The deprecated constructor, called with or without `new`.
function Buffer(arg, encodingOrOffset, length) {
  warnOfConstructor();
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') throw new ERR_INVALID_ARG_TYPE('string', 'string', arg);
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

// The static functions, with the same names and parameter counts as in Node.
Buffer.poolSize = 64 * 1024;
Buffer.from = create.from;
Buffer.copyBytesFrom = create.copyBytesFrom;
Buffer.of = create.of;
Buffer.alloc = create.alloc;
Buffer.allocUnsafe = create.allocUnsafe;
Buffer.allocUnsafeSlow = create.allocUnsafeSlow;
Buffer.isBuffer = function isBuffer(b) {
  return b instanceof Buffer;
};
Buffer.compare = compareBuffers;
ObjectDefineProperty(compareBuffers, 'name', { __proto__: null, value: 'compare', configurable: true });
Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 && normalizeEncoding(encoding) !== undefined;
};
Buffer.concat = create.concat;
Buffer.byteLength = byteLength;

ObjectDefineProperty(Buffer, SymbolSpecies, {
  __proto__: null,
  configurable: true,
  enumerable: false,
  get() {
    return FastBuffer;
  },
});

Buffer[kIsEncodingSymbol] = Buffer.isEncoding;

function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (ArrayBufferIsView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    throw new ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  if (string.length === 0) return 0;
  // Unknown encodings are treated as utf8 here.
  const ops = encoding ? getEncodingOps(encoding) : undefined;
  return (ops ?? encodingOps.utf8).byteLength(string);
}

FastBuffer.prototype.constructor = Buffer;
Buffer.prototype = FastBuffer.prototype;
ObjectSetPrototypeOf(Buffer, Uint8Array);
create.state.Buffer = Buffer;

const toIndex = (value, fallback) => (value === undefined ? fallback : MathTrunc(+value) || 0);

// An empty range is valid at any offset, even past the end.
function checkedSlice(slice) {
  return function(start, end) {
    if (ArrayBufferIsView(this)) {
      const from = toIndex(start, 0);
      const to = toIndex(end, this.byteLength);
      if (from >= 0 && to >= 0 && to <= from) return '';
    }
    return FunctionPrototypeCall(slice, this, start, end);
  };
}

function checkedWrite(write) {
  return function(string, offset, length) {
    if (ArrayBufferIsView(this) && typeof string === 'string') {
      const from = toIndex(offset, 0);
      if (from < 0 || from > this.byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
      const count = toIndex(length, 0);
      if (count < 0 || count > this.byteLength - from) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
    }
    return FunctionPrototypeCall(write, this, string, offset, length);
  };
}

ObjectAssign(
  Buffer.prototype,
  read.bigs,
  write.bigs,
  read.integers,
  write.integers,
  read.floats,
  write.floats,
  {
    asciiSlice: checkedSlice(binding.asciiSlice),
    base64Slice: checkedSlice(binding.base64Slice),
    base64urlSlice: checkedSlice(binding.base64urlSlice),
    latin1Slice: checkedSlice(binding.latin1Slice),
    hexSlice: checkedSlice(binding.hexSlice),
    ucs2Slice: checkedSlice(binding.ucs2Slice),
    utf8Slice: checkedSlice(binding.utf8Slice),
    asciiWrite: checkedWrite(binding.asciiWrite),
    base64Write: binding.base64Write,
    base64urlWrite: binding.base64urlWrite,
    latin1Write: checkedWrite(binding.latin1Write),
    hexWrite: binding.hexWrite,
    ucs2Write: binding.ucs2Write,
    utf8Write: checkedWrite(binding.utf8Write),
  });
ObjectDefineProperties(Buffer.prototype, {
  parent: {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this.buffer : undefined;
    },
  },
  offset: {
    __proto__: null,
    enumerable: true,
    get() {
      return this instanceof Buffer ? this.byteOffset : undefined;
    },
  },
});
ObjectAssign(Buffer.prototype, methods);
Buffer.prototype[customInspectSymbol] = methods.inspect;

// btoa() and atob(): Latin-1 text to base64 and back.
function btoa(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const result = binding.btoa(`${input}`);
  if (result === -1) throw lazyDOMException('Invalid character', 'InvalidCharacterError');
  return result;
}

function atob(input) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('input');
  const result = binding.atob(`${input}`);
  if (result === -1) throw lazyDOMException('Invalid character', 'InvalidCharacterError');
  if (result === -2) {
    throw lazyDOMException('The string to be decoded is not correctly encoded.', 'InvalidCharacterError');
  }
  return result;
}

function checkInput(input) {
  if (isTypedArray(input)) return;
  if (!isAnyArrayBuffer(input)) {
    throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  }
}

function isUtf8(input) {
  checkInput(input);
  const result = bytes.isUtf8(input);
  if (result === undefined) throw new ERR_INVALID_STATE.RangeError('Cannot validate on a detached buffer');
  return result;
}

function isAscii(input) {
  checkInput(input);
  const result = bytes.isAscii(input);
  if (result === undefined) throw new ERR_INVALID_STATE.RangeError('Cannot validate on a detached buffer');
  return result;
}

const constants = ObjectDefineProperties({}, {
  MAX_LENGTH: { __proto__: null, value: kMaxLength, writable: false, enumerable: true },
  MAX_STRING_LENGTH: { __proto__: null, value: kStringMaxLength, writable: false, enumerable: true },
});

module.exports = {
  Buffer,
  transcode,
  isUtf8,
  isAscii,
  kMaxLength,
  kStringMaxLength,
  btoa,
  atob,
};

ObjectDefineProperties(module.exports, {
  constants: { __proto__: null, configurable: false, enumerable: true, value: constants },
  INSPECT_MAX_BYTES: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      return display.maxBytes;
    },
    set(value) {
      validateNumber(value, 'INSPECT_MAX_BYTES', 0);
      display.maxBytes = value;
    },
  },
});
defineLazyProperties(module.exports, 'internal/blob', ['Blob']);
defineLazyProperties(module.exports, 'internal/url', ['resolveObjectURL']);
defineLazyProperties(module.exports, 'internal/file', ['File']);
