'use strict';
// Several copies to one new destination at the same time: one creates it, the others fail and copy nothing.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');

process.chdir(fs.mkdtempSync(`${os.tmpdir()}/golden-`));
fs.mkdirSync('tree/a', { recursive: true });
fs.writeFileSync('tree/a/f', 'content');

let left = 3;
for (let i = 0; i < 3; i++) {
  fs.cp('tree', 'copy', { recursive: true }, (error) => {
    if (error) console.log(error.code, error.errno, error.syscall, error.path, error.message);
    if (--left > 0) return;
    console.log(fs.readFileSync('copy/a/f', 'utf8'));
    fs.rmSync(process.cwd(), { recursive: true });
  });
}
