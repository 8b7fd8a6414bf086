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

// Failed, truncated and synchronous reads leave no descriptor open; a closed and reused one is safe.
const count = () => fs.readdirSync('/proc/self/fd').length;
fs.writeFileSync(at('file'), 'content');
fs.writeFileSync(at('large'), Buffer.alloc(500000));
fs.readFile(at('file'), () => {
  const before = count();
  const calls = [];
  const all = (fn, ...args) => calls.push(new Promise((resolve) => { fn(...args, resolve); }));
  for (let i = 0; i < 20; i++) {
    all(fs.readFile, at('file'));
    all(fs.readFile, at('large'));
    all(fs.readFile, at('none'));
    all(fs.readFile, dir);
    all(fs.readFile, '/proc/self/status', 'utf8');
    all(fs.writeFile, at(`w${i}`), 'x', { flush: i % 2 === 0 });
    all(fs.writeFile, at('none/x'), 'x');
    all(fs.truncate, at('large'), 400000);
    all(fs.truncate, at('none'), 4);
    all(fs.copyFile, at('file'), at(`c${i}`));
    all(fs.copyFile, at('none'), at(`c${i}`));
    all(fs.readdir, dir);
    all(fs.readdir, at('file'));
    all(fs.readFile, at('large'), { signal: AbortSignal.abort() });
    try { fs.readFileSync(dir); } catch {}
    try { fs.truncateSync(at('file'), 'x'); } catch {}
    try { fs.writeFileSync(at('none/x'), ''); } catch {}
  }
  Promise.all(calls).then(() => {
    console.log(count() - before < 3);
    const first = fs.openSync(at('file'));
    fs.closeSync(first);
    const second = fs.openSync(at('large'));
    console.log(first === second, fs.fstatSync(first).size);
    attempt('closed twice', () => { fs.closeSync(second); fs.closeSync(second); });
    const third = fs.openSync(at('file'));
    fs.read(third, Buffer.alloc(4), 0, 4, 0, (error, size, buffer) => {
      console.log(error, size, buffer.toString());
      fs.read(third, Buffer.alloc(4), 0, 4, 0, () => fs.close(third, (failed) => console.log('closed', failed, count() - before < 3)));
    });
  });
});
