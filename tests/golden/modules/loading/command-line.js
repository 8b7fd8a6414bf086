'use strict';

// Modules from the command line: conditions, preloads, kinds of input, and what programs are warned of.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'modules-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

function write(name, content) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

// Warnings are printed on stdout, in the order in which they come; the frames of stacks are left out.
write('warn.js', "process.removeAllListeners('warning');\n" +
  "process.on('warning', ({ code, message }) => console.log('warning', code, message));");

function run(...args) {
  const { status, stdout, stderr } =
    spawnSync(process.execPath, ['-r', './warn.js', ...args], { cwd: folder, encoding: 'utf8' });
  const error = /^\w*Error.*/m.exec(stderr)?.[0].replace(' {', '') ?? '';
  console.log(`${args.join(' ')} => ${status}\n${stdout}${error}`.replaceAll(folder, '').trim());
}

write('node_modules/p/package.json', {
  name: 'p',
  exports: {
    '.': { mine: './mine.js', default: './other.js' },
    './double': './/other.js',
    './dir/*': './*',
    './slash/*': './slash/*',
  },
});
write('node_modules/p/mine.js', "module.exports = 'mine';");
write('node_modules/p/other.js', "module.exports = 'other';");
write('asks.js', "console.log(require('p')); import('p').then((p) => console.log(p.default));");
run('asks.js');
run('-C', 'mine', 'asks.js');
run('--conditions=none', '--conditions=mine', 'asks.js');

write('slashes.mjs', `
  for (const name of ['p/double', 'p/dir//other.js', 'p/slash/', 'p/slash/']) {
    await import(name).then((p) => console.log(p.default), ({ code }) => console.log(code));
  }`);
run('slashes.mjs');

write('typeless/package.json', {});
write('typeless/a.js', "import './b.js'; console.log('a');");
write('typeless/b.js', "export {}; console.log('b');");
write('typeless/c.cjs', "require('./b.js');");
write('typeless/node_modules/d/index.js', "export {}; console.log('d');");
write('typeless/e.mjs', "import 'd';");
run('typeless/a.js');
run('typeless/c.cjs');
run('typeless/e.mjs');

write('self/package.json', { name: 'itself', exports: './main.js' });
write('self/main.js', "console.log('itself', process.argv[1]);");
process.chdir(path.join(folder, 'self'));
const { stdout } = spawnSync(process.execPath, ['-r', 'itself', 'main.js'], { encoding: 'utf8' });
console.log(stdout.replaceAll(folder, ''));
process.chdir('/');

write('plain.js', "console.log('plain');");
write('module.mjs', "console.log('module');");
run('--input-type=module', 'plain.js');
run('--input-type=module', 'module.mjs');
run('--entry-url', './none%20.mjs');
run('--no-experimental-require-module', '-e', "require('./typeless/b.js')");
run('--experimental-import-meta-resolve', '--input-type=module', '-e', `
  console.log(import.meta.resolve('./x', 'file:///y/z'));
  try { import.meta.resolve('./x', 1); } catch ({ code }) { console.log(code); }`);

write('data.json', '{ "n": 1 }');
write('json.mjs', `
  import fs from 'node:fs';
  const options = { with: { type: 'json' } };
  const one = await import('./data.json', options);
  fs.writeFileSync(new URL('data.json', import.meta.url), '{ "n": 2 }');
  const two = await import('./data.json?x', options);
  console.log(one.default.n, two.default.n);`);
run('json.mjs');

write('exports.cjs', 'module.exports = 1;');
write('changes.cjs', "require('./exports.cjs'); require.cache[require.resolve('./exports.cjs')].exports = 2;");
write('snapshot.mjs', "import './changes.cjs'; import one from './exports.cjs'; console.log(one);");
run('snapshot.mjs');

write('race.cjs', `
  import('./typeless/b.js');
  try { require('./typeless/b.js'); } catch ({ code, message }) { console.log(code, message); }`);
run('race.cjs');

write('hints.mjs', `
  for (const name of ['lone', './typeless/b', 'file://hmm.js', new URL('./typeless/a', import.meta.url), 'data:what,1', 'data:,1']) {
    try { await import(name); } catch ({ code, message, input, module }) { console.log(code, message, input, module); }
  }`);
write('node_modules/lone.js', '');
run('hints.mjs');

write('map.js', 'const text = `\n//# sourceMappingURL=none.map\n`;\nthrow new Error(text.length);');
run('--enable-source-maps', 'map.js');

// Exceptions of the runtime itself are no reason to abort.
run('--abort-on-uncaught-exception', 'typeless/a.js');
run('--abort-on-uncaught-exception', '-e', 'process.exit(3)');
run('--experimental-import-meta-resolve', '--input-type=module', '-e', `
  for (const base of ['http://example.com/bar.js', 'data:text/javascript,1']) {
    try { import.meta.resolve('foo', base); } catch ({ code }) { console.log(code); }
  }`);
run('--abort-on-uncaught-exception', '-e', `
  const { Worker } = require('worker_threads');
  new Worker('throw new Error()', { eval: true }).on('error', () => console.log('error')).on('exit', (code) => console.log(code));`);
write('asks-async.cjs', "require('./waits.mjs');");
write('waits.mjs', 'await 1;');
const { stderr } = spawnSync(process.execPath, ['asks-async.cjs'], { cwd: folder, encoding: 'utf8' });
console.log(/at Object.<anonymous> .*asks-async.cjs:1:1/.test(stderr) || /node:internal/.test(stderr));
