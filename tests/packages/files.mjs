// glob, mkdirp, rimraf and graceful-fs on one tree.
import { glob, globSync } from 'glob';
import { mkdirp } from 'mkdirp';
import { rimraf, rimrafSync } from 'rimraf';
import gracefulFs from 'graceful-fs';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'files-'));
const at = (...names) => path.join(root, ...names);
console.log(path.relative(root, await mkdirp(at('src/a/b'))), await mkdirp(at('src/a')));
for (const name of ['src/one.js', 'src/a/two.js', 'src/a/b/three.ts', 'src/a/b/four.js', '.hidden.js']) {
  fs.writeFileSync(at(name), name);
}
console.log((await glob('**/*.js', { cwd: root })).sort());
console.log(globSync('src/**/{two,three}.*', { cwd: root }).sort());
console.log((await glob('**', { cwd: root, ignore: ['**/b/**'], dot: true, nodir: true })).sort());
const streamed = [];
for await (const name of glob.iterate('src/*', { cwd: root })) streamed.push(name);
console.log(streamed.sort());
// More files at once than there are descriptors to have: graceful-fs waits its turn.
const many = await Promise.all(Array.from({ length: 300 }, (_, i) => new Promise((resolve, reject) => {
  gracefulFs.writeFile(at(`src/many-${i}`), `${i}`,
    (error) => (error ? reject(error) :
      gracefulFs.readFile(at(`src/many-${i}`), 'utf8', (failed, text) => resolve(text))));
})));
console.log(many.length, many[299]);
console.log(await rimraf(at('src/a')), fs.existsSync(at('src/a')));
rimrafSync(root);
console.log(fs.existsSync(root));
