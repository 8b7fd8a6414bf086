'use strict';
// With a pool of one: several rm() of one tree at the same time, each as many steps as it finds something to do.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'trees-')));
let left = 4;
function removed(name) {
  return (error) => {
    console.log(name, error ? error.code : 'removed');
    if (--left === 0) fs.rmdirSync(process.cwd());
  };
}
fs.mkdirSync('tree/a', { recursive: true });
fs.rm('tree', { recursive: true }, removed('first'));
fs.rm('tree', { recursive: true }, removed('second'));
fs.rm('tree', { recursive: true, force: true }, removed('third'));
let steps = 0;
fs.stat('.', function count() {
  if (left > 1) {
    steps++;
    fs.stat('.', count);
  } else {
    console.log('steps:', steps);
    removed('last')(null);
  }
});
