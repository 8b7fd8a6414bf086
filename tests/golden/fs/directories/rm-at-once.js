'use strict';
// Several removals of one tree at the same time: each sees what the others have removed so far, step by step, so all of
// them take the same number of trips through the pool.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');

process.chdir(fs.mkdtempSync(`${os.tmpdir()}/golden-`));
fs.mkdirSync('tree/a/b', { recursive: true });
fs.writeFileSync('tree/a/f', '');

let trips = 0;
let left = 3;
function count() {
  trips++;
  if (left > 0) fs.access('.', count);
}
for (let i = 0; i < 3; i++) {
  fs.rm('tree', { recursive: true }, (error) => {
    console.log(i, error, trips);
    if (--left > 0) return;
    console.log(fs.existsSync('tree'));
    fs.rmdirSync(process.cwd());
  });
}
count();
