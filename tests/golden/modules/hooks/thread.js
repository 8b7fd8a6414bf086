'use strict';

// The hooks of module.register() run on a thread of their own: their state is not the program's, and the program waits for
// them where it must.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'hooks-thread-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);

function run(...args) {
  const { status, stdout, stderr } =
    spawnSync(process.execPath, ['--no-warnings', ...args], { cwd: folder, encoding: 'utf8', timeout: 10000 });
  const error = /^(?:\w*Error|Warning).*/m.exec(stderr)?.[0].replace(' {', '') ?? '';
  console.log(`${args.join(' ')} => ${status}\n${stdout}${error}`.replaceAll(folder, '').trim());
}

write('state.mjs', 'let count = 0; export default () => ++count;');
write('hooks.mjs', `
  import count from './state.mjs';
  import { isMainThread } from 'node:worker_threads';
  count(); // Its own.
  await 1; // Hooks may wait at their top level.
  export async function initialize({ port, word }) {
    await null;
    port.postMessage(\`initialized with \${word}, main thread: \${isMainThread}\`);
  }
  export async function resolve(specifier, context, nextResolve) {
    await new Promise((done) => setTimeout(done, 1));
    if (specifier === 'lost') return new Promise(() => {});
    if (specifier === 'ends') process.exit(7);
    if (specifier === 'throws') throw Object.assign(new RangeError('from a hook'), { code: 'MINE', detail: { a: 1 } });
    if (specifier === 'throws-null') throw null;
    if (specifier === 'odd') return nextResolve(5);
    if (specifier.startsWith('virtual:')) return { url: specifier, shortCircuit: true };
    return nextResolve(specifier);
  }
  export async function load(url, context, nextLoad) {
    if (url === 'virtual:bytes') return { format: 'module', source: new TextEncoder().encode('export default "bytes"'), shortCircuit: true };
    if (url === 'virtual:none') return { format: 'module', source: null, shortCircuit: true };
    if (url === 'virtual:no-format') return { source: '', shortCircuit: true };
    if (url.startsWith('virtual:')) return { format: 'module', source: \`export default \${JSON.stringify(url)}\`, shortCircuit: true };
    return nextLoad(url, context);
  }`);
write('register.mjs', `
  import { register } from 'node:module';
  import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
  const { port1, port2 } = new MessageChannel();
  register('./hooks.mjs', import.meta.url, { data: { port: port2, word: 'data' }, transferList: [port2] });
  console.log(receiveMessageOnPort(port1).message);
  port1.close();`);
write('main.mjs', `
  import count from './state.mjs';
  console.log('state', count());
  console.log(import.meta.resolve('./x'), import.meta.resolve('virtual:y'));
  for (const name of ['virtual:a', 'virtual:bytes', 'virtual:none', 'virtual:no-format', 'throws', 'throws-null', 'odd', './none.mjs']) {
    try {
      console.log(name, (await import(name)).default);
    } catch (error) {
      console.log(name, error && \`\${error.name} \${error.code} \${error.message} \${JSON.stringify(error.detail)}\`, error instanceof Error);
    }
  }
  try { import.meta.resolve('throws'); } catch (error) { console.log('sync', error.code); }
  try { import.meta.resolve('lost'); } catch (error) { console.log('sync', error.code); }`);
write('required.mjs', "export { default } from 'virtual:required';");
write('requires.cjs', "console.log(require('./required.mjs').default);");
write('cjs.mjs', "import './requires.cjs';");

run('--import', './register.mjs', 'main.mjs');
run('--import', './register.mjs', 'cjs.mjs');
run('--import', './register.mjs', '--input-type=module', '-e', "await import('lost');");
run('--import', './register.mjs', '--input-type=module', '-e', "await import('ends');");
run('--import', './register.mjs', '--input-type=module', '-e', "import.meta.resolve('ends');");

write('plain.mjs', `
  export const load = (url, context, nextLoad) => nextLoad(url, context);`);
write('program.cjs', "console.log('the program');");
run('--experimental-loader', './plain.mjs', 'program.cjs');
run('--experimental-loader', './nowhere.mjs', 'program.cjs');
