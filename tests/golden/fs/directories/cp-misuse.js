'use strict';
// cp() in two of its forms: what it refuses, and how it says so.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
const here = process.cwd();

function show(error) {
  const clean = (text) => String(text).replaceAll(here, '.');
  console.log(' ', error.name, error.code, clean(error.message), error.errno, error.syscall, clean(error.path),
    clean(JSON.stringify(error.info)));
}

async function attempt(name, ...args) {
  console.log(name);
  try {
    fs.cpSync(...args);
    console.log('  fine');
  } catch (error) {
    show(error);
  }
  try {
    await fs.promises.cp(...args);
    console.log('  fine');
  } catch (error) {
    show(error);
  }
}

(async () => {
  fs.mkdirSync('a/b', { recursive: true });
  fs.writeFileSync('a/x', '1');
  fs.writeFileSync('f', '3');
  fs.symlinkSync('a', 'to-a');
  fs.symlinkSync('a/b', 'to-b');
  await attempt('none', 'none', 'z');
  await attempt('a directory', 'a', 'z');
  await attempt('itself', 'f', 'f');
  await attempt('its own directory', 'a', 'a', { recursive: true });
  await attempt('into itself', 'a', 'a/q', { recursive: true });
  await attempt('directory to file', 'a', 'f', { recursive: true });
  await attempt('file to directory', 'f', 'a');
  await attempt('errorOnExist', 'f', 'a/x', { force: false, errorOnExist: true });
  await attempt('a file as parent', 'f', 'f/x');
  await attempt('link over link below it', 'to-a', 'to-b');
  await attempt('link over file', 'to-a', 'f');
  await attempt('options 3', 'f', 'g', 3);
  for (const option of ['recursive', 'force', 'dereference', 'errorOnExist', 'preserveTimestamps', 'verbatimSymlinks', 'filter']) {
    await attempt(option, 'f', 'g', { [option]: 1 });
  }
  await attempt('mode 99', 'f', 'g', { mode: 99 });
  await attempt('mode x', 'f', 'g', { mode: 'x' });
  await attempt('both', 'f', 'g', { dereference: true, verbatimSymlinks: true });
  await attempt('no paths');
  await attempt('one path', 'f');
  await attempt('number', 3, 'f');
  await attempt('NUL', 'f', 'g\0');
  await attempt('filter with a promise', 'f', 'g2', { filter: async () => true });
  await attempt('filter that throws', 'f', 'g4', { filter() { throw new Error('mine'); } });
  for (const args of [['f', 'g'], ['f', 'g', {}, 3], [], ['f', 'g', 3, () => {}], [3, 4, () => {}]]) {
    try {
      fs.cp(...args);
    } catch (error) {
      show(error);
    }
  }
  fs.cp('none', 'z', (error) => {
    show(error);
    fs.rmSync(folder, { recursive: true });
  });
})();
