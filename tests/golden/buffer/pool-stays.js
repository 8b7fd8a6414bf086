'use strict';
// Nothing takes the memory that small Buffers share away from them.
const { isMarkedAsUntransferable, markAsUntransferable } = require('node:worker_threads');

const attempt = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.message);
  }
};
const small = Buffer.from('small');
attempt('transfer', () => small.buffer.transfer().byteLength);
attempt('transferToFixedLength', () => small.buffer.transferToFixedLength().byteLength);
attempt('structuredClone', () => structuredClone(small.buffer, { transfer: [small.buffer] }).byteLength);
const own = new ArrayBuffer(4);
markAsUntransferable(own);
attempt('own', () => own.transfer().byteLength);
console.log(String(small), String(Buffer.from('next')), own.byteLength, own.detached, isMarkedAsUntransferable(own));
