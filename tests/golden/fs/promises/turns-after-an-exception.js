'use strict';
// An exception leaves microtasks to the next callback. If that is an operation of fs.promises, both run in one drain, and
// the number of microtasks that the promise takes can be seen.
process.env.UV_THREADPOOL_SIZE = '1';
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'turns-'));
process.chdir(folder);
fs.writeFileSync('file', 'text');
fs.mkdirSync('folder');
fs.writeFileSync('folder/file', '');
process.on('uncaughtException', (error) => { if (error.message !== 'expected') throw error; });

const operations = {
  stat: () => fs.promises.stat('file'),
  lstat: () => fs.promises.lstat('file'),
  access: () => fs.promises.access('file'),
  readdir: () => fs.promises.readdir('folder'),
  readdirWithTypes: () => fs.promises.readdir('folder', { withFileTypes: true }),
  mkdir: () => fs.promises.mkdir('new'),
  rmdir: () => fs.promises.rmdir('new'),
  rename: () => fs.promises.rename('file', 'renamed'),
  copyFile: () => fs.promises.copyFile('renamed', 'file'),
  unlink: () => fs.promises.unlink('renamed'),
  accessMissing: () => fs.promises.access('missing').catch(() => {}),
  handleStat: (handle) => handle.stat(),
  handleRead: (handle) => handle.read(Buffer.alloc(4), 0, 4, 0),
  handleWrite: (handle) => handle.write('text'),
};

function block(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

function measure(name, handle) {
  return new Promise((resolve) => {
    setImmediate(() => {
      let turns = 0;
      const turn = () => { if (++turns < 50) queueMicrotask(turn); };
      fs.stat('.', () => {
        queueMicrotask(turn);
        throw new Error('expected');
      });
      operations[name](handle).then(() => {
        const taken = turns;
        setImmediate(resolve, taken);
      });
      // With one worker, the operations before this one are complete when its effect can be seen.
      const mark = `${name}.mark`;
      fs.symlink('target', mark, () => {});
      while (fs.readdirSync('.').includes(mark) === false) block(1);
      block(5);
    });
  });
}

(async () => {
  const handle = await fs.promises.open('file', 'r+');
  for (const name of Object.keys(operations)) console.log(name, await measure(name, handle));
  await handle.close();
  process.chdir('/');
  fs.rmSync(folder, { recursive: true });
})();
