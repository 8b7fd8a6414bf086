// process.dlopen() of files that are no addons.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dlopen-'));
fs.writeFileSync(path.join(folder, 'short.node'), 'abc');
fs.writeFileSync(path.join(folder, 'text.node'), 'abc\n'.repeat(100));
fs.mkdirSync(path.join(folder, 'folder.node'));
for (const name of ['absent.node', 'absent-%s.node', 'short.node', 'text.node', 'folder.node']) {
  try {
    process.dlopen({ exports: {} }, path.join(folder, name));
  } catch (error) {
    console.log(error.name, error.code, error.message.replace(folder, ''));
  }
}
fs.rmSync(folder, { recursive: true });
