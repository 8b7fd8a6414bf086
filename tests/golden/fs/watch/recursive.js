'use strict';
// fs.watch() of a tree: names below the root, directories that come and go.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.mkdirSync('t/a/b', { recursive: true });

const seen = new Set();
let waiting = null;
function until(line) {
  return new Promise((resolve) => {
    waiting = { line, resolve };
    check();
  });
}
function check() {
  if (waiting === null || !seen.has(waiting.line)) return;
  console.log(waiting.line);
  const { resolve } = waiting;
  waiting = null;
  seen.clear();
  setTimeout(resolve, 30);
}

(async () => {
  const watcher = fs.watch('t', { recursive: true });
  watcher.on('change', (eventType, filename) => {
    seen.add(`${eventType} ${filename}`);
    check();
  });
  watcher.on('close', () => console.log('closed'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  fs.writeFileSync('t/top', '');
  await until('rename top');
  fs.writeFileSync('t/a/b/deep', '');
  await until('rename a/b/deep');
  fs.appendFileSync('t/a/b/deep', 'x');
  await until('change a/b/deep');
  fs.mkdirSync('t/new/below', { recursive: true });
  await until('rename new/below');
  fs.writeFileSync('t/new/below/file', '');
  await until('rename new/below/file');
  fs.unlinkSync('t/new/below/file');
  await until('rename new/below/file');
  fs.rmSync('t/new', { recursive: true });
  await until('rename new');
  fs.mkdirSync('t/new');
  await until('rename new');
  fs.writeFileSync('t/new/again', '');
  await until('rename new/again');
  watcher.close();
  watcher.close();
  fs.writeFileSync('t/unseen', '');
  await new Promise((resolve) => setTimeout(resolve, 30));
  console.log(seen.size);
  try {
    fs.watch('none', { recursive: true });
  } catch (error) {
    console.log(error.code, error.filename.endsWith('none'));
  }
  fs.rmSync(folder, { recursive: true });
})();
