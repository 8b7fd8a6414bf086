'use strict';
// fs.glob() in its three forms: patterns, links, what is excluded, and what is refused.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'golden-'));
process.chdir(folder);
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
for (const name of ['a/b/c', 'a/d', '.h']) fs.mkdirSync(name, { recursive: true });
for (const name of ['a/x.js', 'a/b/y.js', 'a/b/c/z.ts', 'a/d/q.js', '.h/k.js', 'r.js']) fs.writeFileSync(name, '');
fs.symlinkSync('../b', 'a/d/link');

const patterns = [
  '*', '**', '**/*.js', 'a/**', './**/*.js', 'a/*/', '*.{js,ts}', '../*/*.js', '**/..', '**/b/**', 'a/?.js', '.h/*', '**/.h/*',
  'a/b/c/z.ts', '[ar]*', 'a/@(b|d)/*', '!(a)*', '**/', 'a/**/c/..', '.', 'a//x.js', 'none/*', '**/**/z.ts', `${folder}/*`,
];
const plain = (list) => list.map((name) => name.replace(folder, 'FOLDER').replace(path.basename(folder), 'FOLDER')).sort();
for (const pattern of patterns) console.log(pattern.replace(folder, 'FOLDER'), plain(fs.globSync(pattern)));
console.log(plain(fs.globSync(['*.js', 'a/*.js'])), plain(fs.globSync('*.js', { cwd: 'a' })));
console.log(plain(fs.globSync('**/*.js', { exclude: ['a/b/**'] })), plain(fs.globSync('**', { exclude: (name) => name === 'b' })));
console.log(plain(fs.globSync('**/*.js', { followSymlinks: true })));
for (const entry of fs.globSync('a/*', { withFileTypes: true })) console.log(entry.name, entry.parentPath, entry.isDirectory());
for (const args of [[5], [{}], ['*', 5], ['*', { exclude: 5 }], ['*', { exclude: [1] }], ['*', { followSymlinks: 1 }]]) {
  try {
    fs.globSync(...args);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
async function all(iterable) {
  const list = [];
  for await (const item of iterable) list.push(item);
  return list;
}
(async () => {
  for (const pattern of patterns.slice(0, 6)) console.log(pattern, plain(await all(fs.promises.glob(pattern))));
  await new Promise((resolve) => fs.glob('a/**/*.js', (error, found) => resolve(console.log(error, plain(found)))));
})();
