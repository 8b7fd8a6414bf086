'use strict';
// fs.promises: names and directories.
const fs = require('fs');
const os = require('os');
const fsp = require('fs/promises');

const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
process.chdir(folder);
const here = process.cwd();
const clean = (path) => (typeof path === 'string' ? path.replace(here, '.') : path);

async function attempt(name, run) {
  try {
    console.log(name, '->', clean(await run()));
  } catch (error) {
    console.log(name, '!!', error.name, error.code, clean(error.message), error.errno, error.syscall, clean(error.path));
  }
}

(async () => {
  console.log(fsp === fs.promises, require('node:fs/promises') === fsp, fsp.constants === fs.constants);
  await attempt('mkdir', () => fsp.mkdir('a'));
  await attempt('mkdir again', () => fsp.mkdir('a'));
  await attempt('mkdir recursive', () => fsp.mkdir('a/b/c/d', { recursive: true }));
  await attempt('mkdir recursive again', () => fsp.mkdir('a/b/c/d', { recursive: true }));
  await attempt('mkdir mode', () => fsp.mkdir('m', 0o700));
  await attempt('mode', () => (fs.statSync('m').mode & 0o777).toString(8));
  await attempt('writeFile', () => fsp.writeFile('a/f', 'text'));
  await attempt('mkdir below a file', () => fsp.mkdir('a/f/x'));
  await attempt('mkdir recursive below a file', () => fsp.mkdir('a/f/x/y', { recursive: true }));
  await attempt('mkdir recursive over a file', () => fsp.mkdir('a/f', { recursive: true }));
  await attempt('symlink', () => fsp.symlink('f', 'a/link'));
  await attempt('symlink', () => fsp.symlink('b', 'a/dir', 'dir'));
  await attempt('symlink again', () => fsp.symlink('f', 'a/link'));
  await attempt('readlink', () => fsp.readlink('a/link'));
  await attempt('readlink bytes', () => fsp.readlink('a/link', 'buffer'));
  await attempt('readlink of a file', () => fsp.readlink('a/f'));
  await attempt('realpath', () => fsp.realpath('a/dir/c/../../link'));
  await attempt('realpath hex', async () => (await fsp.realpath('a/f', 'hex')).endsWith('2f66'));
  await attempt('link', () => fsp.link('a/f', 'a/hard'));
  await attempt('nlink', async () => (await fsp.stat('a/hard')).nlink);
  await attempt('lstat', async () => (await fsp.lstat('a/link')).isSymbolicLink());
  await attempt('stat bigint', async () => (await fsp.stat('a/link', { bigint: true })).size);
  await attempt('statfs', async () => typeof (await fsp.statfs('.')).bsize);
  await attempt('statfs bigint', async () => typeof (await fsp.statfs('.', { bigint: true })).bsize);
  await attempt('readdir', () => fsp.readdir('a'));
  await attempt('readdir bytes', async () => (await fsp.readdir('a', 'buffer'))[0]);
  await attempt('readdir types', async () => (await fsp.readdir('a', { withFileTypes: true })).map(
    (entry) => `${entry.name} ${entry.parentPath} ${entry.isFile()} ${entry.isDirectory()} ${entry.isSymbolicLink()}`));
  await attempt('readdir recursive', () => fsp.readdir('a', { recursive: true }));
  await attempt('readdir recursive types', async () => (await fsp.readdir('a', { recursive: true, withFileTypes: true })).map(
    (entry) => `${entry.parentPath}/${entry.name}`));
  await attempt('readdir of a file', () => fsp.readdir('a/f'));
  await attempt('access', () => fsp.access('a/f'));
  await attempt('access mode', () => fsp.access('a/f', fsp.constants.R_OK | fsp.constants.W_OK));
  await attempt('rename', () => fsp.rename('a/hard', 'a/moved'));
  await attempt('rename none', () => fsp.rename('a/hard', 'a/moved'));
  await attempt('copyFile', () => fsp.copyFile('a/f', 'copy'));
  await attempt('copyFile exclusive', () => fsp.copyFile('a/f', 'copy', fsp.constants.COPYFILE_EXCL));
  await attempt('truncate', () => fsp.truncate('copy', 2));
  await attempt('text', () => fsp.readFile('copy', 'utf8'));
  await attempt('truncate to nothing', () => fsp.truncate('copy'));
  await attempt('utimes', () => fsp.utimes('copy', 10, new Date(20000)));
  await attempt('times', async () => [(await fsp.stat('copy')).atimeMs, (await fsp.stat('copy')).mtimeMs]);
  await attempt('lutimes', () => fsp.lutimes('a/link', 1, 2));
  await attempt('mtime of a link', async () => (await fsp.lstat('a/link')).mtimeMs);
  await attempt('chmod', () => fsp.chmod('copy', '600'));
  await attempt('mode', async () => ((await fsp.stat('copy')).mode & 0o777).toString(8));
  await attempt('unlink', () => fsp.unlink('copy'));
  await attempt('unlink a directory', () => fsp.unlink('m'));
  await attempt('rmdir', () => fsp.rmdir('m'));
  await attempt('rmdir full', () => fsp.rmdir('a'));
  await attempt('rmdir a file', () => fsp.rmdir('a/f'));
  await attempt('mkdtemp', async () => /^.\/t-\w{6}$/.test(clean(await fsp.mkdtemp(`${here}/t-`))));
  await attempt('rm', () => fsp.rm('a', { recursive: true }));
  await attempt('left', async () => (await fsp.readdir('.')).length);
  fs.rmSync(folder, { recursive: true });
})();
