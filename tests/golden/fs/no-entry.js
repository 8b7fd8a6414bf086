'use strict';
// Files that are not there: statistics without an error, watchers, files that reading makes, positions of empty reads, and
// pipes, which have no path.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
const at = (name) => path.join(dir, name);
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
process.umask(0o022);
fs.writeFileSync(at('file'), 'text');

const quiet = { throwIfNoEntry: false };
const code = (error) => console.log(error.code, error.syscall);
const attempt = (fn) => {
  try {
    console.log(fn());
  } catch (error) {
    code(error);
  }
};
for (const name of ['missing', 'file/below']) {
  attempt(() => fs.statSync(at(name), quiet));
  attempt(() => fs.lstatSync(at(name), quiet));
}

// Reading may create a file.
console.log(fs.readFileSync(at('made'), { flag: 'a+' }).length, (fs.statSync(at('made')).mode & 0o777).toString(8));

const fd = fs.openSync(at('file'));
const nothing = Buffer.alloc(0);
attempt(() => fs.readSync(fd, nothing, 0, 0, { not: 'a number' }));
attempt(() => fs.readSync(fd, nothing, { offset: 0, length: 0, position: 'text' }));
attempt(() => fs.read(fd, nothing, 0, 0, 'text', () => {}));
attempt(() => fs.readSync(fd, nothing, 0, 0, null));
fs.closeSync(fd);

const zeros = (stats) => Object.keys(stats).every((key) => Number(stats[key]) === 0);
function watch(bigint, next) {
  fs.watchFile(at('missing'), { interval: 5, bigint }, (now, before) => {
    fs.unwatchFile(at('missing'));
    console.log(Object.keys(now).length, zeros(now), zeros(before), now.mtime, before.birthtime, `${now.ctimeInstant}`);
    next();
  });
}

const steps = [
  () => fs.stat(at('missing'), quiet, (error, stats) => { console.log(error, stats); next(); }),
  () => fs.stat(at('file/below'), quiet, (error, stats) => { console.log(error, stats); next(); }),
  () => fs.stat(at('missing'), null, (error) => { code(error); next(); }),
  () => fs.lstat(at('missing'), quiet, (error) => { code(error); next(); }),
  () => fs.promises.stat(at('missing'), quiet).then(console.log).then(next),
  () => fs.promises.stat(at('file/below'), quiet).then(console.log).then(next),
  () => fs.promises.lstat(at('missing'), quiet).catch(code).then(next),
  () => watch(false, next),
  () => watch(true, next),
];
const next = () => steps.shift()?.();
next();

for (const program of [
  'console.log(path.basename(fs.realpathSync("/dev/stdin")))',
  'fs.realpath("/dev/stdin", (error, name) => console.log(error, path.basename(name)))',
]) {
  const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' });
  console.log(stdout.trim().replace(/\d+/, 'N'));
}
