'use strict';
// A copy of the program runs, with the library that process.config says it needs.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'copied-'));
try {
  const copy = path.join(folder, 'copy');
  fs.copyFileSync(process.execPath, copy, fs.constants.COPYFILE_FICLONE);
  fs.chmodSync(copy, 0o755);
  const env = { ...process.env };
  if (process.config.variables.node_shared) env.LD_LIBRARY_PATH = path.dirname(process.execPath);
  const { stdout, status } = spawnSync(copy, ['-p', 'process.execPath'], { env, encoding: 'utf8' });
  console.log(status, stdout.trim() === copy);
} finally {
  fs.rmSync(folder, { recursive: true });
}
