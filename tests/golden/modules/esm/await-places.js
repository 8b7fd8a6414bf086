'use strict';

// Reported places of top-level await: --experimental-print-required-tla, and programs that end while they wait.
const { spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'await-places-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));
const write = (name, text) => fs.writeFileSync(path.join(folder, name), text);

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  console.log(status, `${stdout}${stderr}`.replaceAll(folder, ''));
}

write('waits.mjs', `// await in a comment
import './leaf.mjs';
const text = 'await', object = { await: 1, async f() { await 1; for await (const x of []); } };
const y = object.await + (await 5);
  for await (const x of []) { await x; }
{ await using z = null; }
function g() { const await_ = 1; }
const h = async () => await 1;
`);
write('leaf.mjs', 'if (true) {\n\tawait null; await null;\n}\n');
write('asks.js', `
  try { require('./waits.mjs'); } catch (error) {
    const { code, message, requireStack, topLevelAwaitLocations } = error;
    console.log(code, message, requireStack);
    console.log(topLevelAwaitLocations);
    console.log(Object.keys(error));
  }`);
run('asks.js');
run('--experimental-print-required-tla', 'asks.js');

write('stalled.mjs', "import './other.mjs'; // await\nconsole.log('runs');\n  await new Promise(() => {});\n");
write('other.mjs', 'await 1;\nawait 2;\n');
run('stalled.mjs');
run('--no-warnings', 'stalled.mjs');
run('--input-type=module', '-e', 'await 1; await new Promise(() => {});');

// Texts that are no scripts because of an await that is read as a name.
run('-e', 'function f(x) { console.log(x); } f(await 1);');
run('-e', "if (await 1) console.log('yes');");
