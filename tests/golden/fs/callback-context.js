'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
const plain = (text) => String(text).split(dir).join('DIR');
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
function attempt(name, fn) {
  try {
    const value = fn();
    console.log(name, '->', typeof value === 'string' ? plain(value) : value);
  } catch (error) {
    console.log(name, error.name, error.code, plain(error.message));
  }
}

const { AsyncLocalStorage, executionAsyncId, executionAsyncResource } = require('node:async_hooks');
const storage = new AsyncLocalStorage();
fs.writeFileSync(at('file'), 'content');
const fd = fs.openSync(at('file'), 'r+');
process.on('exit', () => fs.closeSync(fd));
const calls = {
  access: [at('file')], stat: [at('file')], lstat: [at('file')], fstat: [fd], readFile: [at('file')], writeFile: [at('w'), 'x'],
  appendFile: [at('w'), 'x'], readdir: [dir], mkdir: [at('d')], mkdtemp: [at('t-')], realpath: [at('file')], open: [at('file')],
  read: [fd, Buffer.alloc(2), 0, 2, 0], write: [fd, 'x', 0], readv: [fd, [Buffer.alloc(1)], 0], writev: [fd, [Buffer.alloc(1)], 0],
  chmod: [at('file'), 0o644], utimes: [at('file'), 1, 1], rename: [at('w'), at('v')], copyFile: [at('file'), at('c')],
  symlink: ['x', at('s')], fsync: [fd], ftruncate: [fd, 3], truncate: [at('file'), 1], exists: [at('file')], statfs: [dir],
  unlink: [at('nowhere')],
};
(async () => {
  for (const name of Object.keys(calls)) {
    await new Promise((resolve) => storage.run(name, () => {
      fs[name](...calls[name], function (error, result) {
        if (name === 'open') fs.closeSync(result);
        console.log(name, storage.getStore(), this === undefined, executionAsyncId() > 1);
        setImmediate(() => {
          if (storage.getStore() !== name) console.log('lost', name);
          resolve();
        });
      });
    }));
  }
  console.log(storage.getStore());
})();
