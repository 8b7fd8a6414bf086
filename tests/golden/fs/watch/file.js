'use strict';
// fs.watchFile(): reports of a file that is created, changed and deleted.
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
fs.writeFileSync('f', 'x');

function attempt(name, run) {
  try {
    run();
    console.log(name, 'is fine');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
// All at once: else a look may fall between the two steps of writing a file.
function put(name, text) {
  fs.writeFileSync('made', text);
  fs.renameSync('made', name);
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const next = (watcher) => new Promise((resolve) => watcher.once('change', (now, before) => resolve([now, before])));

(async () => {
  let calls = 0;
  const listener = () => calls++;
  const watcher = fs.watchFile('f', { interval: 20 }, listener);
  console.log(watcher.constructor.name, watcher.listenerCount('change'));
  // Until the first look has seen what it was before, however late it comes.
  let now, before;
  const changed = new Promise((resolve) => watcher.on('change', (...args) => {
    [now, before] = args;
    if (before.size === 1 && now.size === 6) resolve(true);
  }));
  do {
    put('f', 'x');
    await pause(100);
    put('f', 'longer');
  } while (!await Promise.race([changed, pause(1000)]));
  watcher.removeAllListeners('change').on('change', listener);
  console.log(before.size, now.size, now.isFile(), now instanceof fs.Stats);
  fs.unlinkSync('f');
  [now, before] = await next(watcher);
  console.log(before.size, now.size, now.mtimeMs, now.nlink);
  put('f', 'again');
  [now, before] = await next(watcher);
  console.log(now.size);
  console.log(fs.watchFile(path.resolve('f'), listener) === watcher, watcher.listenerCount('change'));
  watcher.on('stop', () => console.log('stopped'));
  fs.unwatchFile('f', () => {});
  console.log(watcher.listenerCount('change'));
  fs.unwatchFile('f');
  console.log(watcher.listenerCount('change'), calls >= 3);
  fs.unwatchFile('f');
  await new Promise(setImmediate);

  // A missing file is reported once, all zero.
  let onTold;
  const told = new Promise((resolve) => { onTold = resolve; });
  const none = fs.watchFile('none', { interval: 20, bigint: true }, (now, before) => {
    onTold(console.log(now.size, before.size, now.mtimeNs, typeof now.ino));
  });
  await told;
  await pause(100);
  console.log(none.ref() === none, none.unref() === none);
  fs.unwatchFile('none');

  attempt('nothing', () => fs.watchFile());
  attempt('no listener', () => fs.watchFile('f'));
  attempt('listener 3', () => fs.watchFile('f', {}, 3));
  attempt('path 3', () => fs.watchFile(3, () => {}));
  attempt('interval', () => fs.watchFile('g', { interval: -1 }, () => {}));
  attempt('interval x', () => fs.watchFile('g', { interval: 'x' }, () => {}));
  attempt('unwatch 3', () => fs.unwatchFile(3));
  attempt('unwatch what is not watched', () => fs.unwatchFile('nobody'));
  // Keeps nothing alive.
  fs.watchFile('f', { persistent: false }, () => {});
  fs.rmSync(folder, { recursive: true });
})();
