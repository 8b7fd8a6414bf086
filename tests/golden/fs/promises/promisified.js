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
const { promisify } = require('node:util');
(async () => {
  fs.writeFileSync(at('file'), 'content');
  const fd = fs.openSync(at('file'), 'r+');
  console.log(await promisify(fs.read)(fd, Buffer.alloc(3), 0, 3, 0));
  console.log(await promisify(fs.write)(fd, Buffer.from('abc'), 0, 3, 0));
  console.log(await promisify(fs.write)(fd, 'text', 0));
  console.log(await promisify(fs.readv)(fd, [Buffer.alloc(2)], 0));
  console.log(await promisify(fs.writev)(fd, [Buffer.from('z')], 0));
  console.log(await promisify(fs.exists)(at('file')), await promisify(fs.exists)(at('none')), await promisify(fs.exists)());
  console.log(await promisify(fs.readFile)(at('file'), 'utf8'), await promisify(fs.readdir)(dir));
  console.log((await promisify(fs.stat)(at('file'))).size, await promisify(fs.access)(at('file')));
  await promisify(fs.close)(fd);
  await promisify(fs.unlink)(at('none')).catch((error) => console.log(plain(error.message)));
  console.log(await promisify(fs.realpath.native)(dir) === fs.realpathSync(dir));
})();
