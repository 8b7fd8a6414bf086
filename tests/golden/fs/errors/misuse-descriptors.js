'use strict';
const fs = require('node:fs');
function attempt(name, fn) {
  try {
    console.log(name, '->', fn());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
const nothing = () => {};
const bad = [undefined, null, '1', {}, true, -1, 1.5, NaN, Infinity, 2 ** 31];
const calls = {
  closeSync: [], fchmodSync: [0o644], fchownSync: [1, 1], fdatasyncSync: [], fsyncSync: [], fstatSync: [],
  ftruncateSync: [0], futimesSync: [1, 1], readSync: [Buffer.alloc(1)], readvSync: [[Buffer.alloc(1)]],
  writeSync: [Buffer.alloc(1)], writevSync: [[Buffer.alloc(1)]],
};
for (const name of Object.keys(calls)) {
  for (const value of bad) attempt(name, () => fs[name](value, ...calls[name]));
  // Not open.
  attempt(name, () => fs[name](987654, ...calls[name]));
}
