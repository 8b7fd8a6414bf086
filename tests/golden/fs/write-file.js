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
const show = (name) => console.log(name, JSON.stringify(fs.readFileSync(at(name), 'utf8')), (fs.statSync(at(name)).mode & 0o777).toString(8));
process.umask(0o022);
fs.writeFileSync(at('a'), 'one');
show('a');
fs.writeFileSync(at('a'), 'two', 'latin1');
fs.writeFileSync(at('b'), 'gr\u00fcn', { encoding: 'latin1', mode: 0o600 });
show('b');
fs.writeFileSync(at('b'), new Uint16Array([0x4142, 0x4344]));
show('b');
fs.writeFileSync(at('b'), new DataView(new ArrayBuffer(2)));
show('b');
fs.writeFileSync(at('a'), 'r', { flag: 'r+' });
show('a');
attempt('wx', () => fs.writeFileSync(at('a'), 'x', { flag: 'wx' }));
fs.appendFileSync(at('a'), '+more');
fs.appendFileSync(at('c'), '6869', 'hex');
fs.appendFileSync(at('c'), Buffer.from('!'), { flush: true });
show('a');
show('c');
const fd = fs.openSync(at('d'), 'w+', 0o640);
fs.writeFileSync(fd, 'first');
fs.writeFileSync(fd, 'second');
fs.appendFileSync(fd, 'third');
fs.closeSync(fd);
show('d');
fs.writeFileSync(at('e'), '', { flush: true, mode: '0700' });
show('e');
(async () => {
  const call = (name, ...args) => new Promise((resolve) => {
    fs[name](...args, (...result) => resolve(console.log(name, result)));
  });
  await call('writeFile', at('a'), 'async');
  await call('writeFile', at('a'), Buffer.from('!'), { flag: 'a' });
  await call('appendFile', at('a'), 'x', 'utf8');
  show('a');
  await call('writeFile', at('f'), 'flushed', { flush: true, mode: 0o600 });
  show('f');
  await call('writeFile', at('g'), '');
  show('g');
  const other = fs.openSync(at('h'), 'w');
  await call('writeFile', other, 'one');
  await call('writeFile', other, 'two', { flush: true });
  await call('appendFile', other, 'three');
  fs.closeSync(other);
  show('h');
  // The memory may be changed after the call only at the writer's own risk; that it lives is ours.
  let big = Buffer.alloc(400000, 'z');
  const written = call('writeFile', at('big'), big);
  big = null;
  await written;
  console.log(fs.statSync(at('big')).size);
})();
