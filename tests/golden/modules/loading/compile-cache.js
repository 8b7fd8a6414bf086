'use strict';

// The compile cache: what module.enableCompileCache() and NODE_COMPILE_CACHE answer, and files of the cache that are damaged.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'compile-cache-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);

function run(env, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, NODE_COMPILE_CACHE: undefined, NODE_DISABLE_COMPILE_CACHE: undefined, ...env },
  });
  return `${status} ${stdout.trim()} ${stderr.trim()}`.replaceAll(folder, '').replace(/\/[^/' ]*-x64-[^/' ]*/g, '/TAG').trim();
}

write('api.cjs', `
  const { constants, enableCompileCache, flushCompileCache, getCompileCacheDir } = require('module');
  for (const value of [5, null, true, { directory: 1 }]) {
    try { enableCompileCache(value); } catch (error) { console.log(error.name, error.code, error.message); }
  }
  console.log(getCompileCacheDir(), flushCompileCache());
  console.log(enableCompileCache(process.argv[2]), getCompileCacheDir(), enableCompileCache('other'));
  console.log(flushCompileCache(), constants.compileCacheStatus);`);
console.log(run({}, 'api.cjs', 'cache'));
console.log(run({}, 'api.cjs', 'api.cjs/cache'));
console.log(run({ NODE_COMPILE_CACHE: 'from-environment' }, 'api.cjs', 'cache'));
console.log(run({ NODE_COMPILE_CACHE: 'cache', NODE_DISABLE_COMPILE_CACHE: '1' }, 'api.cjs', 'cache'));
console.log(run({ NODE_COMPILE_CACHE: 'api.cjs' }, '-p', '"a cache that cannot be made is done without"'));

write('main.cjs', "console.log(require('./dep.cjs').f(), require('./m.mjs').default);");
write('dep.cjs', 'exports.f = () => 40 + 2;');
write('m.mjs', "import { t } from './t.mts'; export default t();");
write('t.mts', 'const word: string = "typed"; export const t = (): string => word;');
const NODE_COMPILE_CACHE = 'store';
const filesIn = () => {
  const store = path.join(folder, 'store', fs.readdirSync(path.join(folder, 'store'))[0]);
  return fs.readdirSync(store).map((name) => path.join(store, name));
};
const contents = () => filesIn().map((file) => fs.readFileSync(file, 'latin1')).join();
console.log(run({ NODE_COMPILE_CACHE }, 'main.cjs'), filesIn().length);
const first = contents();
console.log(run({ NODE_COMPILE_CACHE }, 'main.cjs'), contents() === first);

function damage(label, change) {
  for (const file of filesIn()) change(file, fs.readFileSync(file));
  console.log(label, run({ NODE_COMPILE_CACHE }, 'main.cjs'));
}

damage('empty', (file) => fs.writeFileSync(file, ''));
damage('cut off', (file, bytes) => fs.writeFileSync(file, bytes.subarray(0, bytes.length / 2)));
damage('in the header', (file) => fs.writeFileSync(file, 'garbage'));
for (const place of [0.01, 0.1, 0.3, 0.5, 0.7, 0.99]) {
  damage(`flipped at ${place}`, (file, bytes) => {
    bytes[Math.floor(bytes.length * place)] ^= 0x55;
    fs.writeFileSync(file, bytes);
  });
}
const all = filesIn().map((file) => fs.readFileSync(file));
damage('of another file', (file) => fs.writeFileSync(file, all[(filesIn().indexOf(file) + 1) % all.length]));
damage('a directory', (file) => {
  fs.rmSync(file);
  fs.mkdirSync(file);
});
write('dep.cjs', 'exports.f = () => "changed";');
console.log(run({ NODE_COMPILE_CACHE }, 'main.cjs'));

write('throws.cjs', "process.on('exit', () => require('./dep.cjs')); throw new Error('on purpose');");
fs.rmSync(path.join(folder, 'store'), { recursive: true });
console.log(/on purpose/.test(run({ NODE_COMPILE_CACHE }, 'throws.cjs')), filesIn().length);

fs.mkdirSync(path.join(folder, 'a'));
fs.renameSync(path.join(folder, 'dep.cjs'), path.join(folder, 'a/dep.cjs'));
const portable = { NODE_COMPILE_CACHE: 'a/store', NODE_COMPILE_CACHE_PORTABLE: '1' };
run(portable, 'a/dep.cjs');
fs.renameSync(path.join(folder, 'a'), path.join(folder, 'b'));
run({ ...portable, NODE_COMPILE_CACHE: 'b/store' }, 'b/dep.cjs');
const store = path.join(folder, 'b/store');
console.log('moved', fs.readdirSync(path.join(store, fs.readdirSync(store)[0])).length);
