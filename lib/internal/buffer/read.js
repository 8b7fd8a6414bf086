'use strict';

// Buffer's methods that read numbers. Each reads its first and last byte: if both exist, so do those between them.
// Invalid indexes (-1, 1.5, NaN) read undefined. A string could be a valid index, so the type is checked.

const { BigInt64Array, BigUint64Array, Float32Array, Float64Array, TypedArrayPrototypeGetBuffer, Uint8Array } =
  primordials;

const { checkSpan, failOffset, requireOffset } = require('internal/buffer/bounds');

// Overlapping views that convert bytes to numbers of other types, in little-endian order.
const doubles = new Float64Array(1);
const scratch = new Uint8Array(TypedArrayPrototypeGetBuffer(doubles));
const floats = new Float32Array(TypedArrayPrototypeGetBuffer(doubles));
const signedBigs = new BigInt64Array(TypedArrayPrototypeGetBuffer(doubles));
const unsignedBigs = new BigUint64Array(TypedArrayPrototypeGetBuffer(doubles));

function readUInt8(offset = 0) {
  const value = this[offset];
  if (typeof offset !== 'number' || value === undefined) failOffset(offset, this.length, 1);
  return value;
}

function readInt8(offset = 0) {
  const value = this[offset];
  if (typeof offset !== 'number' || value === undefined) failOffset(offset, this.length, 1);
  return (value << 24) >> 24;
}

function readUInt16LE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 1];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 2);
  return first | last << 8;
}

function readUInt16BE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 1];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 2);
  return first << 8 | last;
}

function readInt16LE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 1];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 2);
  return (last << 24) >> 16 | first;
}

function readInt16BE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 1];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 2);
  return (first << 24) >> 16 | last;
}

function readInt32LE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  return first | this[offset + 1] << 8 | this[offset + 2] << 16 | last << 24;
}

function readInt32BE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  return first << 24 | this[offset + 1] << 16 | this[offset + 2] << 8 | last;
}

function readUInt32LE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  return (first | this[offset + 1] << 8 | this[offset + 2] << 16 | last << 24) >>> 0;
}

function readUInt32BE(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  return (first << 24 | this[offset + 1] << 16 | this[offset + 2] << 8 | last) >>> 0;
}

function readUIntLE(offset, byteLength) {
  requireOffset(offset);
  checkSpan(this, offset, byteLength);
  // From the most significant byte down. Multiplies, because shifts lose bits beyond 32.
  let value = 0;
  for (let i = offset + byteLength - 1; i >= offset; i--) value = value * 256 + this[i];
  return value;
}

function readUIntBE(offset, byteLength) {
  requireOffset(offset);
  checkSpan(this, offset, byteLength);
  let value = 0;
  const end = offset + byteLength;
  for (let i = offset; i < end; i++) value = value * 256 + this[i];
  return value;
}

function readIntLE(offset, byteLength) {
  requireOffset(offset);
  checkSpan(this, offset, byteLength);
  let i = offset + byteLength - 1;
  let value = (this[i] << 24) >> 24;
  while (i-- > offset) value = value * 256 + this[i];
  return value;
}

function readIntBE(offset, byteLength) {
  requireOffset(offset);
  checkSpan(this, offset, byteLength);
  let value = (this[offset] << 24) >> 24;
  const end = offset + byteLength;
  for (let i = offset + 1; i < end; i++) value = value * 256 + this[i];
  return value;
}

function load64LE(buffer, offset) {
  const first = buffer[offset];
  const last = buffer[offset + 7];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, buffer.length, 8);
  scratch[0] = first;
  scratch[1] = buffer[offset + 1];
  scratch[2] = buffer[offset + 2];
  scratch[3] = buffer[offset + 3];
  scratch[4] = buffer[offset + 4];
  scratch[5] = buffer[offset + 5];
  scratch[6] = buffer[offset + 6];
  scratch[7] = last;
}

function load64BE(buffer, offset) {
  const first = buffer[offset];
  const last = buffer[offset + 7];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, buffer.length, 8);
  scratch[7] = first;
  scratch[6] = buffer[offset + 1];
  scratch[5] = buffer[offset + 2];
  scratch[4] = buffer[offset + 3];
  scratch[3] = buffer[offset + 4];
  scratch[2] = buffer[offset + 5];
  scratch[1] = buffer[offset + 6];
  scratch[0] = last;
}

function readBigUInt64LE(offset = 0) {
  load64LE(this, offset);
  return unsignedBigs[0];
}

function readBigUInt64BE(offset = 0) {
  load64BE(this, offset);
  return unsignedBigs[0];
}

function readBigInt64LE(offset = 0) {
  load64LE(this, offset);
  return signedBigs[0];
}

function readBigInt64BE(offset = 0) {
  load64BE(this, offset);
  return signedBigs[0];
}

// Programs can see the names of these four functions, so they are the same as in Node.
function readDoubleForwards(offset = 0) {
  load64LE(this, offset);
  return doubles[0];
}

function readDoubleBackwards(offset = 0) {
  load64BE(this, offset);
  return doubles[0];
}

function readFloatForwards(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  scratch[0] = first;
  scratch[1] = this[offset + 1];
  scratch[2] = this[offset + 2];
  scratch[3] = last;
  return floats[0];
}

function readFloatBackwards(offset = 0) {
  const first = this[offset];
  const last = this[offset + 3];
  if (typeof offset !== 'number' || first === undefined || last === undefined) failOffset(offset, this.length, 4);
  scratch[3] = first;
  scratch[2] = this[offset + 1];
  scratch[1] = this[offset + 2];
  scratch[0] = last;
  return floats[0];
}

// The order is that of Buffer.prototype in Node.
module.exports = {
  bigs: {
    readBigUInt64LE, readBigUInt64BE, readBigUint64LE: readBigUInt64LE, readBigUint64BE: readBigUInt64BE,
    readBigInt64LE, readBigInt64BE,
  },
  integers: {
    readUIntLE, readUInt32LE, readUInt16LE, readUInt8, readUIntBE, readUInt32BE, readUInt16BE,
    readUintLE: readUIntLE, readUint32LE: readUInt32LE, readUint16LE: readUInt16LE, readUint8: readUInt8,
    readUintBE: readUIntBE, readUint32BE: readUInt32BE, readUint16BE: readUInt16BE,
    readIntLE, readInt32LE, readInt16LE, readInt8, readIntBE, readInt32BE, readInt16BE,
  },
  floats: {
    readFloatLE: readFloatForwards, readFloatBE: readFloatBackwards,
    readDoubleLE: readDoubleForwards, readDoubleBE: readDoubleBackwards,
  },
};
