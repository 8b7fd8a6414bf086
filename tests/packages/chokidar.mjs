import chokidar from 'chokidar';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';

const root = await fs.mkdtemp(path.join(os.tmpdir(), 'chokidar-'));
await fs.writeFile(path.join(root, 'old'), '1');
const watcher = chokidar.watch(root, { ignored: (name) => name.endsWith('.tmp') });
const next = async (event, act) => {
  const heard = once(watcher, event);
  await act();
  const [name] = await heard;
  console.log(event, path.relative(root, name) || '.');
};
await once(watcher, 'ready');
console.log('ready');
await fs.writeFile(path.join(root, 'not.tmp'), 'x');
await next('add', () => fs.writeFile(path.join(root, 'new'), '1'));
await next('change', () => fs.appendFile(path.join(root, 'new'), '2'));
await next('addDir', () => fs.mkdir(path.join(root, 'folder')));
// The folder is watched some time after the call: a write in between goes unnoticed, until it is written
// again.
const inner = path.join(root, 'folder', 'inner');
const again = setInterval(() => fs.appendFile(inner, '1').catch(() => {}), 20);
await next('add', () => fs.writeFile(inner, '1'));
clearInterval(again);
await next('unlink', () => fs.unlink(path.join(root, 'old')));
await watcher.close();
console.log('closed');
await fs.rm(root, { recursive: true });
