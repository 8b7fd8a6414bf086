'use strict';
// Any event ends poll, also a step of an operation, which has no callback: an immediate without a ref, which does not
// keep poll from sleeping, comes before the next step.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'steps-')));
setTimeout(() => {
  setImmediate(() => console.log('immediate without a ref')).unref();
  fs.mkdir('a/b/c', { recursive: true }, () => {
    console.log('made');
    fs.rmSync(process.cwd(), { recursive: true });
  });
}, 1);
