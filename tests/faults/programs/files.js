// Files: callbacks, promises, synchronous calls, streams, directories, watchers.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { attempt, begin, expect } = require('./account.js');
const { pipeline } = require('node:stream/promises');

const at = (name) => path.join(process.cwd(), name);

async function callbacks() {
  const call = (name, ...args) => new Promise((resolve) => {
    const done = begin(name);
    fs[name](...args, (error, value) => { done(error); resolve(error ? undefined : value); });
  });
  await call('writeFile', at('a'), 'content');
  const text = await call('readFile', at('a'), 'utf8');
  expect(text === undefined || text === 'content' || text === '', `readFile gave ${text}`);
  for (const [name, ...args] of [['stat', at('a')], ['lstat', at('a')], ['access', at('a')], ['appendFile', at('a'), '!'],
    ['chmod', at('a'), 0o600], ['utimes', at('a'), 1, 1], ['truncate', at('a'), 3], ['copyFile', at('a'), at('b')],
    ['link', at('a'), at('hard')], ['symlink', 'a', at('soft')], ['readlink', at('soft')], ['realpath', at('soft')],
    ['mkdir', at('x/y/z'), { recursive: true }], ['mkdtemp', at('t-')], ['readdir', at('.'), { withFileTypes: true }],
    ['readdir', at('.'), { recursive: true }], ['statfs', at('.')], ['rename', at('b'), at('c')], ['unlink', at('c')],
    ['writeFile', at('x/y/f'), 'f'], ['cp', at('x'), at('x2'), { recursive: true }], ['rm', at('x2'), { recursive: true, force: true }], ['exists', at('a')]]) {
    if (name !== 'exists') await call(name, ...args);
  }
}

async function handles() {
  const file = await attempt('open', () => fs.promises.open(at('h'), 'w+'));
  if (!file) return;
  await attempt('write', () => file.write('0123456789', 0));
  await attempt('writev', () => file.writev([Buffer.from('ab'), Buffer.from('cd')], 2));
  await attempt('read', () => file.read({ position: 0 }));
  await attempt('readv', () => file.readv([Buffer.alloc(2), Buffer.alloc(2)], 0));
  await attempt('readFile of a handle', () => file.readFile('utf8'));
  await attempt('datasync', () => file.datasync());
  await attempt('sync', () => file.sync());
  await attempt('handle.stat', () => file.stat());
  await attempt('handle.truncate', () => file.truncate(2));
  await attempt('handle.close', () => file.close());
}

async function synchronously() {
  await attempt('writeFileSync', () => fs.writeFileSync(at('s'), 'sync'));
  await attempt('readFileSync', () => expect(['sync', ''].includes(fs.readFileSync(at('s'), 'utf8')), 'readFileSync'));
  await attempt('statSync', () => fs.statSync(at('s')));
  await attempt('mkdirSync', () => fs.mkdirSync(at('sd/e'), { recursive: true }));
  await attempt('readdirSync', () => fs.readdirSync(at('.'), { recursive: true }));
  await attempt('cpSync', () => fs.cpSync(at('sd'), at('sd2'), { recursive: true }));
  await attempt('copyFileSync', () => fs.copyFileSync(at('s'), at('s2')));
  await attempt('opendirSync', () => { const dir = fs.opendirSync(at('.')); try { while (dir.readSync()); } finally { dir.closeSync(); } });
  await attempt('rmSync', () => fs.rmSync(at('sd2'), { recursive: true, force: true }));
  await attempt('realpathSync', () => fs.realpathSync.native(at('s')));
}

async function streams() {
  await attempt('write stream', () => pipeline(async function* () { for (let i = 0; i < 20; i++) yield 'x'.repeat(10000); },
    fs.createWriteStream(at('big'))));
  await attempt('copy by streams', () => pipeline(fs.createReadStream(at('big')), fs.createWriteStream(at('bigger'))));
  await attempt('opendir', async () => { for await (const entry of await fs.promises.opendir(at('.'))) void entry; });
}

async function watchers() {
  const done = begin('watch');
  let watcher;
  try {
    watcher = fs.watch(at('.'));
  } catch (error) {
    return done(error);
  }
  await new Promise((resolve) => {
    let isOver = false;
    const over = (error) => {
      if (isOver) return;
      isOver = true;
      watcher.close();
      done(error);
      resolve();
    };
    watcher.once('change', () => over());
    watcher.on('error', over);
    // Until a change was reported: a write may be the call that fails.
    let count = 0;
    (function change() {
      if (isOver) return;
      fs.writeFile(at(`watched${count++}`), '', () => setTimeout(change, 5));
    })();
  });
}

(async () => {
  await callbacks();
  await handles();
  await synchronously();
  await streams();
  await watchers();
})();
