// Reading and writing numbers where there are none, or that do not fit.
'use strict';
const b = Buffer.from('hello');
function show(run) {
  let result;
  try {
    result = run();
  } catch (error) {
    result = `${error.name} ${error.code}: ${error.message}`;
  }
  console.log(String(run).slice(6), '->', result);
}
show(() => b.readUInt8(5));
show(() => b.readUInt8('1'));
show(() => b.readUInt8(1.5));
show(() => b.readUInt8(-1));
show(() => b.readUInt32LE(2));
show(() => b.readUIntLE(0,7));
show(() => b.readUIntLE());
show(() => b.readUIntLE(0));
show(() => b.readUIntLE(0,1.5));
show(() => b.readUIntLE(0,0));
show(() => Buffer.alloc(1).readUInt16LE());
show(() => b.readDoubleLE());
show(() => b.readBigInt64LE());
show(() => b.readUIntLE('0',2));
show(() => b.readUIntLE(0,'2'));
show(() => b.readInt8(NaN));
show(() => b.readUInt8(Infinity));
show(() => b.readUIntBE(1,5));
show(() => b.readUInt8(null));
show(() => b.writeUInt8(256));
show(() => b.writeUInt8(-1));
show(() => b.writeInt16LE(40000));
show(() => b.writeUInt32LE(2**32));
show(() => b.writeInt32BE(2**31));
show(() => b.writeUIntLE(2**48,0,5));
show(() => b.writeUIntLE(1,0,7));
show(() => b.writeUIntLE(1,0));
show(() => b.writeUInt8('x'));
show(() => b.writeUInt8(1,'1'));
show(() => b.writeUInt8(1,5));
show(() => Buffer.alloc(8).writeBigInt64LE(1));
show(() => Buffer.alloc(8).writeBigUInt64LE(2n**64n));
show(() => Buffer.alloc(8).writeBigInt64BE(-(2n**63n)-1n));
show(() => b.writeInt8(128));
show(() => b.writeIntLE(2**24,0,3));
show(() => b.writeUIntBE(2**40,0,5));
show(() => b.writeDoubleLE(1));
show(() => b.writeFloatLE('1'));
show(() => b.writeUIntLE(1,undefined,2));
show(() => b.writeUInt16LE(1,4));
show(() => b.writeUIntLE(-1,0,2));
show(() => b.writeIntBE(2**47,0,6));
show(() => b.writeIntBE(200,0,1));
show(() => b.writeUIntBE(200000,0,2));
show(() => b.writeUInt8(NaN));
show(() => b.writeUInt8());
