'use strict';
// fs.watch(): changes of a directory's entries and of a file, closing, and wrong arguments.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.mkdirSync('d');
fs.writeFileSync('d/f', 'x');

function attempt(name, run) {
  try {
    run();
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.name, error.code, error.message, error.errno, error.syscall, error.path, error.filename);
  }
}

// The events until a file called `end` appears.
function record(watcher) {
  const seen = [];
  return new Promise((resolve) => {
    watcher.on('change', (eventType, filename) => {
      if (String(filename) === 'end') {
        watcher.close();
      } else {
        seen.push(`${eventType} ${filename}`);
      }
    });
    watcher.on('close', () => resolve(seen.filter((line, i) => line !== seen[i - 1])));
  });
}

(async () => {
  let watcher = fs.watch('d');
  let seen = record(watcher);
  fs.writeFileSync('d/new', '');
  fs.appendFileSync('d/new', 'more');
  fs.renameSync('d/new', 'd/other');
  fs.unlinkSync('d/other');
  fs.mkdirSync('d/sub');
  fs.writeFileSync('d/sub/unseen', '');
  fs.writeFileSync('d/end', '');
  console.log(await seen);
  fs.unlinkSync('d/end');

  watcher = fs.watch('d', { encoding: 'buffer' });
  const first = new Promise((resolve) => watcher.once('change', (eventType, filename) => resolve(filename)));
  fs.writeFileSync('d/bytes', '');
  console.log(await first);
  watcher.close();
  await new Promise((resolve) => setTimeout(resolve, 30));
  watcher = fs.watch('d', 'hex', (eventType, filename) => {
    if (watcher === null) return;
    console.log(eventType, filename);
    watcher.close();
    watcher = null;
  });
  fs.writeFileSync('d/hex', '');
  await new Promise((resolve) => watcher.on('close', resolve));

  watcher = fs.watch('d/f');
  const changed = new Promise((resolve) => watcher.once('change', (...args) => resolve(args)));
  fs.appendFileSync('d/f', 'y');
  console.log(await changed);
  console.log(watcher.ref() === watcher, watcher.unref() === watcher);
  watcher.on('close', () => console.log('closed'));
  watcher.close();
  watcher.close();
  console.log('not yet');
  await new Promise(setImmediate);

  const controller = new AbortController();
  watcher = fs.watch('d', { signal: controller.signal });
  const closed = new Promise((resolve) => watcher.on('close', resolve));
  controller.abort();
  await closed;
  watcher = fs.watch('d', { signal: AbortSignal.abort() });
  await new Promise((resolve) => watcher.on('close', resolve));
  console.log('aborted');

  attempt('none', () => fs.watch('none'));
  attempt('nothing', () => fs.watch());
  attempt('number', () => fs.watch(3));
  attempt('NUL', () => fs.watch('x\0'));
  attempt('encoding', () => fs.watch('d', 'bogus'));
  attempt('options', () => fs.watch('d', 3));
  attempt('signal', () => fs.watch('d', { signal: 3 }));
  attempt('listener', () => fs.watch('d', {}, 3));
  // Keeps nothing alive.
  fs.watch('d', { persistent: false });
  fs.watch('d').unref();
  fs.rmSync(folder, { recursive: true });
  process.exit();
})();
