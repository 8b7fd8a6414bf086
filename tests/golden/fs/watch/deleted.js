'use strict';
// Watched files and directories that are deleted, moved and replaced.
const fs = require('fs');
const os = require('os');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
// After polls, however late the timer is: what the kernel has to tell is there by then.
const wait = (ms) => new Promise((resolve) => setTimeout(() => setImmediate(setImmediate, resolve), ms));

function record(path) {
  const seen = [];
  const watcher = fs.watch(path, (eventType, filename) => {
    const line = `${eventType} ${filename}`;
    if (seen.at(-1) !== line) seen.push(line); // The kernel may tell twice.
  });
  watcher.on('error', (error) => seen.push(error.code));
  return { seen, watcher };
}

(async () => {
  fs.writeFileSync('f', 'x');
  let { seen, watcher } = record('f');
  fs.unlinkSync('f');
  await wait(50);
  console.log('deleted', seen);
  fs.writeFileSync('f', 'another file of that name');
  await wait(50);
  console.log('made again', seen);
  watcher.on('close', () => console.log('closed'));
  watcher.close();
  await wait(10);

  ({ seen, watcher } = record('f'));
  fs.renameSync('f', 'g');
  await wait(50);
  console.log('moved', seen);
  seen.length = 0;
  fs.appendFileSync('g', 'y');
  await wait(50);
  console.log('still watched', seen);
  watcher.close();

  fs.mkdirSync('d');
  fs.writeFileSync('d/x', '');
  ({ seen, watcher } = record('d'));
  fs.rmSync('d', { recursive: true });
  await wait(50);
  console.log('directory deleted', seen.includes('rename x'), seen.includes('rename d'));
  watcher.close();

  // Closed from inside of its own event, with more to come.
  let calls = 0;
  const busy = fs.watch('.', () => {
    calls++;
    busy.close();
  });
  for (let i = 0; i < 20; i++) fs.writeFileSync(`n${i}`, '');
  await wait(50);
  console.log('after close', calls);

  // Many watchers of one file, of which one closes the others.
  const told = [];
  const all = Array.from({ length: 5 }, (_, i) => fs.watch('g', () => {
    told.push(i);
    for (const other of all) other.close();
  }));
  fs.appendFileSync('g', 'z');
  await wait(50);
  console.log(told);

  const tree = fs.mkdirSync('t/a/b', { recursive: true });
  const recursive = fs.watch('t', { recursive: true });
  const names = new Set();
  recursive.on('change', (eventType, filename) => names.add(filename));
  await wait(50);
  fs.rmSync('t', { recursive: true });
  while (!names.has('a')) await wait(10);
  console.log(tree, names.has('a'));
  recursive.close();

  // An iterator ends with its loop, whatever it watches.
  fs.writeFileSync('h', '');
  setTimeout(() => fs.unlinkSync('h'), 30);
  for await (const { filename } of fs.promises.watch('h')) {
    console.log(filename);
    break;
  }
  fs.rmSync(folder, { recursive: true });
})();
