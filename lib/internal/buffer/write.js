'use strict';

// Buffer's methods that write numbers. The value is checked before the offset, and NaN is written as 0. Storing a byte
// keeps its low eight bits, so values are not masked.

const {
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  MathFloor,
  TypeError,
  TypedArrayPrototypeGetBuffer,
  Uint8Array,
} = primordials;

const { checkSpan, failOffset, failValue } = require('internal/buffer/bounds');

const doubles = new Float64Array(1);
const scratch = new Uint8Array(TypedArrayPrototypeGetBuffer(doubles));
const floats = new Float32Array(TypedArrayPrototypeGetBuffer(doubles));
const signedBigs = new BigInt64Array(TypedArrayPrototypeGetBuffer(doubles));
const unsignedBigs = new BigUint64Array(TypedArrayPrototypeGetBuffer(doubles));

function checkPlace(buffer, offset, size) {
  if (typeof offset !== 'number' || buffer[offset] === undefined || buffer[offset + size - 1] === undefined) {
    failOffset(offset, buffer.length, size);
  }
}

function store8(buffer, value, offset, min, max) {
  value = +value;
  // Unlike the other writers, this one checks the type of the offset before the value.
  if (typeof offset !== 'number') failOffset(offset, buffer.length, 1);
  if (value > max || value < min) failValue(value, 1, min < 0);
  if (buffer[offset] === undefined) failOffset(offset, buffer.length, 1);
  buffer[offset] = value;
  return offset + 1;
}

function store16LE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) failValue(value, 2, min < 0);
  checkPlace(buffer, offset, 2);
  buffer[offset] = value;
  buffer[offset + 1] = value >> 8;
  return offset + 2;
}

function store16BE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) failValue(value, 2, min < 0);
  checkPlace(buffer, offset, 2);
  buffer[offset] = value >> 8;
  buffer[offset + 1] = value;
  return offset + 2;
}

function store32LE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) failValue(value, 4, min < 0);
  checkPlace(buffer, offset, 4);
  buffer[offset] = value;
  buffer[offset + 1] = value >> 8;
  buffer[offset + 2] = value >> 16;
  buffer[offset + 3] = value >> 24;
  return offset + 4;
}

function store32BE(buffer, value, offset, min, max) {
  value = +value;
  if (value > max || value < min) failValue(value, 4, min < 0);
  checkPlace(buffer, offset, 4);
  buffer[offset] = value >> 24;
  buffer[offset + 1] = value >> 16;
  buffer[offset + 2] = value >> 8;
  buffer[offset + 3] = value;
  return offset + 4;
}

function writeUInt8(value, offset = 0) {
  return store8(this, value, offset, 0, 0xff);
}
function writeInt8(value, offset = 0) {
  return store8(this, value, offset, -0x80, 0x7f);
}
function writeUInt16LE(value, offset = 0) {
  return store16LE(this, value, offset, 0, 0xffff);
}
function writeUInt16BE(value, offset = 0) {
  return store16BE(this, value, offset, 0, 0xffff);
}
function writeInt16LE(value, offset = 0) {
  return store16LE(this, value, offset, -0x8000, 0x7fff);
}
function writeInt16BE(value, offset = 0) {
  return store16BE(this, value, offset, -0x8000, 0x7fff);
}
function writeUInt32LE(value, offset = 0) {
  return store32LE(this, value, offset, 0, 0xffffffff);
}
function writeUInt32BE(value, offset = 0) {
  return store32BE(this, value, offset, 0, 0xffffffff);
}
function writeInt32LE(value, offset = 0) {
  return store32LE(this, value, offset, -0x80000000, 0x7fffffff);
}
function writeInt32BE(value, offset = 0) {
  return store32BE(this, value, offset, -0x80000000, 0x7fffffff);
}

// Checks the arguments of the four functions below. They handle the bits beyond 32 separately, because shifts ignore
// them.
function checkVariable(buffer, value, offset, byteLength, isSigned) {
  if (byteLength >= 1 && byteLength <= 6 && MathFloor(byteLength) === byteLength) {
    if (byteLength === 1 && typeof offset !== 'number') failOffset(offset, buffer.length, 1);
    const limit = 2 ** (8 * byteLength - (isSigned ? 1 : 0));
    if (value > limit - 1 || value < (isSigned ? -limit : 0)) failValue(value, byteLength, isSigned);
  }
  checkSpan(buffer, offset, byteLength);
}

function storeLE(buffer, value, offset, byteLength) {
  let low = value | 0;
  let i = offset;
  const end = offset + byteLength;
  const middle = byteLength > 4 ? offset + 4 : end;
  for (; i < middle; i++) {
    buffer[i] = low;
    low >>= 8;
  }
  if (i === end) return end;
  let high = MathFloor(value / 0x100000000);
  for (; i < end; i++) {
    buffer[i] = high;
    high >>= 8;
  }
  return end;
}

function storeBE(buffer, value, offset, byteLength) {
  let low = value | 0;
  let i = offset + byteLength - 1;
  const middle = byteLength > 4 ? i - 3 : offset;
  for (; i >= middle; i--) {
    buffer[i] = low;
    low >>= 8;
  }
  if (i < offset) return offset + byteLength;
  let high = MathFloor(value / 0x100000000);
  for (; i >= offset; i--) {
    buffer[i] = high;
    high >>= 8;
  }
  return offset + byteLength;
}

function writeUIntLE(value, offset, byteLength) {
  value = +value;
  checkVariable(this, value, offset, byteLength, false);
  return storeLE(this, value, offset, byteLength);
}
function writeUIntBE(value, offset, byteLength) {
  value = +value;
  checkVariable(this, value, offset, byteLength, false);
  return storeBE(this, value, offset, byteLength);
}
function writeIntLE(value, offset, byteLength) {
  value = +value;
  checkVariable(this, value, offset, byteLength, true);
  return storeLE(this, value, offset, byteLength);
}
function writeIntBE(value, offset, byteLength) {
  value = +value;
  checkVariable(this, value, offset, byteLength, true);
  return storeBE(this, value, offset, byteLength);
}

function checkBig(buffer, value, offset, min, max) {
  if (value > max || value < min) failValue(value, 8, min < 0n);
  checkPlace(buffer, offset, 8);
  // The same error as V8's for mixing BigInt and other types.
  if (typeof value !== 'bigint') {
    throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
  }
}

function store64LE(buffer, offset) {
  buffer[offset] = scratch[0];
  buffer[offset + 1] = scratch[1];
  buffer[offset + 2] = scratch[2];
  buffer[offset + 3] = scratch[3];
  buffer[offset + 4] = scratch[4];
  buffer[offset + 5] = scratch[5];
  buffer[offset + 6] = scratch[6];
  buffer[offset + 7] = scratch[7];
  return offset + 8;
}

function store64BE(buffer, offset) {
  buffer[offset] = scratch[7];
  buffer[offset + 1] = scratch[6];
  buffer[offset + 2] = scratch[5];
  buffer[offset + 3] = scratch[4];
  buffer[offset + 4] = scratch[3];
  buffer[offset + 5] = scratch[2];
  buffer[offset + 6] = scratch[1];
  buffer[offset + 7] = scratch[0];
  return offset + 8;
}

function writeBigUInt64LE(value, offset = 0) {
  checkBig(this, value, offset, 0n, 0xffffffffffffffffn);
  unsignedBigs[0] = value;
  return store64LE(this, offset);
}
function writeBigUInt64BE(value, offset = 0) {
  checkBig(this, value, offset, 0n, 0xffffffffffffffffn);
  unsignedBigs[0] = value;
  return store64BE(this, offset);
}
function writeBigInt64LE(value, offset = 0) {
  checkBig(this, value, offset, -0x8000000000000000n, 0x7fffffffffffffffn);
  signedBigs[0] = value;
  return store64LE(this, offset);
}
function writeBigInt64BE(value, offset = 0) {
  checkBig(this, value, offset, -0x8000000000000000n, 0x7fffffffffffffffn);
  signedBigs[0] = value;
  return store64BE(this, offset);
}

function writeDoubleForwards(value, offset = 0) {
  value = +value;
  checkPlace(this, offset, 8);
  doubles[0] = value;
  return store64LE(this, offset);
}
function writeDoubleBackwards(value, offset = 0) {
  value = +value;
  checkPlace(this, offset, 8);
  doubles[0] = value;
  return store64BE(this, offset);
}
function writeFloatForwards(value, offset = 0) {
  value = +value;
  checkPlace(this, offset, 4);
  floats[0] = value;
  this[offset] = scratch[0];
  this[offset + 1] = scratch[1];
  this[offset + 2] = scratch[2];
  this[offset + 3] = scratch[3];
  return offset + 4;
}
function writeFloatBackwards(value, offset = 0) {
  value = +value;
  checkPlace(this, offset, 4);
  floats[0] = value;
  this[offset] = scratch[3];
  this[offset + 1] = scratch[2];
  this[offset + 2] = scratch[1];
  this[offset + 3] = scratch[0];
  return offset + 4;
}

module.exports = {
  bigs: {
    writeBigUInt64LE, writeBigUInt64BE, writeBigUint64LE: writeBigUInt64LE, writeBigUint64BE: writeBigUInt64BE,
    writeBigInt64LE, writeBigInt64BE,
  },
  integers: {
    writeUIntLE, writeUInt32LE, writeUInt16LE, writeUInt8, writeUIntBE, writeUInt32BE, writeUInt16BE,
    writeUintLE: writeUIntLE, writeUint32LE: writeUInt32LE, writeUint16LE: writeUInt16LE, writeUint8: writeUInt8,
    writeUintBE: writeUIntBE, writeUint32BE: writeUInt32BE, writeUint16BE: writeUInt16BE,
    writeIntLE, writeInt32LE, writeInt16LE, writeInt8, writeIntBE, writeInt32BE, writeInt16BE,
  },
  floats: {
    writeFloatLE: writeFloatForwards, writeFloatBE: writeFloatBackwards,
    writeDoubleLE: writeDoubleForwards, writeDoubleBE: writeDoubleBackwards,
  },
};
