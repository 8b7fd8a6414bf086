'use strict';

// Hooks of module.registerHooks() that change conditions or make up URLs, imports of CommonJS through them, and both kinds of
// hooks at once.
const { createRequire, register, registerHooks } = require('module');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

process.removeAllListeners('warning');
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'hook-conditions-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
};
const exportsOf = { './a': { mine: './mine.cjs', default: './other.cjs' }, './b': { mine: './mine.cjs' } };
for (const name of ['one', 'two', 'three']) {
  write(`node_modules/${name}/package.json`, JSON.stringify({ exports: exportsOf }));
  write(`node_modules/${name}/mine.cjs`, `module.exports = 'mine of ${name}';`);
  write(`node_modules/${name}/other.cjs`, `module.exports = 'other of ${name}';`);
}
write('load.cjs', 'exports.cjs = require; exports.esm = async (name) => (await import(name)).default;');
const { cjs, esm } = require(path.join(folder, 'load.cjs'));

async function show(label, name) {
  try {
    console.log(label, cjs(name));
  } catch ({ code }) {
    console.log(label, code);
  }
  try {
    console.log(label, await esm(name));
  } catch ({ code }) {
    console.log(label, code);
  }
}

const withConditions = (change) => registerHooks({
  resolve(specifier, context, nextResolve) {
    context.conditions = change(context.conditions);
    return nextResolve(specifier, context);
  },
});

(async () => {
  let hooks = withConditions((list) => ['mine', ...list]);
  await show('mine', 'one/a');
  await show('mine', 'one/b');
  hooks.deregister();
  hooks = withConditions(() => []);
  await show('none', 'two/a');
  await show('none', 'two/b');
  hooks.deregister();
  hooks = withConditions(() => 'text');
  await show('invalid', 'three/a');
  hooks.deregister();
  await show('default', 'three/a');

  const seen = [];
  hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      seen.push([specifier, context.parentURL]);
      return specifier === 'made-up' ? { url: 'made://up', shortCircuit: true } : nextResolve(specifier, context);
    },
    load(url, context, nextLoad) {
      return url === 'made://up' ? { format: 'commonjs', source: 'module.exports = __filename', shortCircuit: true } : nextLoad(url, context);
    },
  });
  write('imported.cjs', 'const inner = require("./inner.cjs"); module.exports = inner;');
  write('inner.cjs', 'module.exports = "inner";');
  console.log(await esm('./imported.cjs'), cjs('made-up'));
  createRequire(`${pathToFileURL(folder)}/from.cjs?query`)('./inner.cjs');
  console.log(`${JSON.stringify(seen, null, 1)}`.replaceAll(folder, ''));
  hooks.deregister();

  // Those of the program come first.
  register(`data:text/javascript,
    export const resolve = (specifier, context, next) => specifier === 'both' ?
      { url: 'data:text/javascript,export default "from the thread"', shortCircuit: true } : next(specifier, context);`);
  console.log(await esm('both'));
  hooks = registerHooks({
    resolve: (specifier, context, nextResolve) => nextResolve(specifier === 'first' ? 'both' : specifier, context),
    load(url, context, nextLoad) {
      const { format, source } = nextLoad(url, context);
      return { format, source: `${Buffer.from(source)} + ", changed"` };
    },
  });
  console.log(await esm('data:text/javascript,export { default } from "both"; 1').catch(({ code }) => code));
  hooks.deregister();
})();

// CommonJS whose text a hook gave asks the hooks in its turn.
const { spawnSync } = require('child_process');
write('texts.mjs', `
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    import { readFileSync } from 'node:fs';
    const last = (url) => url.slice(url.lastIndexOf('/') + 1);
    export const resolve = (specifier, context, next) => {
      console.log('resolve', last(specifier), 'from', context.parentURL && last(context.parentURL));
      return next(specifier, context);
    };
    export const load = async (url, context, next) => {
      const answer = await next(url, context);
      return answer.format === 'commonjs' ? { ...answer, source: readFileSync(new URL(url)) } : answer;
    };\`));`);
write('asking.cjs', `
  const found = [require('./inner2.cjs').name, require('./esm.mjs').default, require('./data').n, require('path').sep];
  console.log(found, require.resolve('./inner2').slice(-10));
  try { require('./nothing'); } catch ({ code }) { console.log(code); }
  try { require(''); } catch ({ code }) { console.log(code); }`);
write('inner2.cjs', "exports.name = 'inner'; exports.back = require('./asking.cjs');");
write('inner2.js', '');
write('esm.mjs', "import './inner2.cjs'; export default 'esm';");
write('data.json', '{ "n": 1 }');
const { stdout, stderr } = spawnSync(
  process.execPath, ['--no-warnings', '--import', './texts.mjs', 'asking.cjs'], { cwd: folder, encoding: 'utf8' });
// The thread's lines may come late.
const lines = stdout.split('\n');
console.log(lines.filter((line) => !line.startsWith('resolve')).join('\n'), stderr);
console.log(lines.filter((line) => line.startsWith('resolve')).join('\n'));
