'use strict';
// copy() reads from immutable memory, and leaves it as it is.
const { execFileSync } = require('child_process');
const program = `
  const immutable = () => Buffer.from(new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]).buffer.transferToImmutable());
  const source = Buffer.alloc(8, 9);
  const target = immutable();
  console.log(source.copy(target), source.copy(target, 2, 0, 4), source.copy(new Uint8Array(target.buffer)), target);
  const copy = Buffer.alloc(8);
  console.log(immutable().copy(copy), copy, immutable().copy(copy, 6, 4), copy);
`;
process.stdout.write(execFileSync(process.execPath, ['--js-immutable-arraybuffer', '-e', program]));
