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
const text = 'grün und blau \u{1f600}\n';
fs.writeFileSync(at('text'), text);
fs.writeFileSync(at('empty'), '');
fs.writeFileSync(at('bytes'), Buffer.from([0, 255, 128, 65, 0xc3]));
fs.writeFileSync(at('large'), Buffer.alloc(300000, 'abc'));
for (const encoding of ['utf8', 'utf-8', 'UTF8', 'latin1', 'binary', 'ascii', 'hex', 'base64', 'base64url', 'ucs2', 'utf16le']) {
  attempt(encoding, () => fs.readFileSync(at('text'), encoding));
  attempt(encoding, () => JSON.stringify(fs.readFileSync(at('bytes'), { encoding })));
}
attempt('buffer', () => fs.readFileSync(at('bytes')));
attempt('null', () => fs.readFileSync(at('bytes'), null));
attempt('null', () => fs.readFileSync(at('bytes'), { encoding: null }));
attempt('buffer', () => fs.readFileSync(at('bytes'), 'buffer'));
attempt('empty', () => fs.readFileSync(at('empty')));
attempt('empty', () => JSON.stringify(fs.readFileSync(at('empty'), 'utf8')));
attempt('bytes for a path', () => fs.readFileSync(Buffer.from(at('text'))).length);
attempt('a URL', () => fs.readFileSync(require('node:url').pathToFileURL(at('text'))).length);
attempt('large', () => fs.readFileSync(at('large')).equals(Buffer.alloc(300000, 'abc')));
const fd = fs.openSync(at('text'));
fs.readSync(fd, Buffer.alloc(5), 0, 5, null);
attempt('the rest', () => fs.readFileSync(fd, 'utf8'));
attempt('the end', () => JSON.stringify(fs.readFileSync(fd, 'utf8')));
fs.closeSync(fd);
attempt('flag', () => fs.readFileSync(at('new'), { flag: 'a+', encoding: 'utf8' }).length);
attempt('flag', () => fs.existsSync(at('new')));
attempt('/proc', () => fs.readFileSync('/proc/self/status', 'utf8').includes('State:'));
(async () => {
  const read = (...args) => new Promise((resolve) => {
    fs.readFile(...args, (...result) => resolve(result));
  });
  console.log(await read(at('text')));
  console.log(await read(at('text'), 'utf8'));
  console.log(await read(at('text'), { encoding: 'hex' }));
  console.log(await read(at('empty')));
  console.log(await read(at('empty'), 'utf8'));
  console.log((await read(at('large')))[1].length);
  console.log((await read('/proc/self/status', 'utf8'))[1].includes('State:'));
  const other = fs.openSync(at('text'));
  fs.readSync(other, Buffer.alloc(5), 0, 5, null);
  console.log(await read(other, 'utf8'));
  console.log(await read(other, 'utf8'));
  fs.closeSync(other);
  const many = await Promise.all(Array.from({ length: 200 }, () => read(at('text'), 'utf8')));
  console.log(many.every(([error, data]) => error === null && data === text));
})();
