'use strict';

// Modules of WebAssembly: import, import source, the order of evaluation, and files that are damaged.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { pathToFileURL } = require('url');

process.removeAllListeners('warning');
process.on('warning', ({ name, message }) => console.log('%s: %s', name, message));

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'wasm-')));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const text = (word) => [word.length, ...Buffer.from(word)];
const section = (id, ...bytes) => [id, bytes.length, ...bytes];
const file = (name, ...sections) => {
  fs.writeFileSync(path.join(folder, name), Buffer.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()]));
};

file('a.wasm',
     section(1, 1, 0x60, 2, 0x7f, 0x7f, 1, 0x7f),
     section(3, 1, 0),
     section(6, 1, 0x7f, 0, 0x41, 7, 0x0b),
     section(7, 2, ...text('add'), 0, 0, ...text('a "g"'), 3, 0),
     section(10, 1, 7, 0, 0x20, 0, 0x20, 1, 0x6a, 0x0b));
// Takes the global of a.wasm, and calls log() of dep.mjs when it starts.
file('b.wasm',
     section(1, 1, 0x60, 0, 0),
     section(2, 2, ...text('./a.wasm'), ...text('a "g"'), 3, 0x7f, 0, ...text('./dep.mjs'), ...text('log'), 0, 0),
     section(7, 1, ...text('g'), 3, 0),
     section(8, 0));
file('lost.wasm', section(1, 1, 0x60, 0, 0), section(2, 1, ...text('./nowhere.mjs'), ...text('f'), 0, 0));
file('unlinkable.wasm', section(1, 1, 0x60, 0, 0), section(2, 1, ...text('./dep.mjs'), ...text('no'), 0, 0));
file('reserved-import.wasm', section(1, 1, 0x60, 0, 0), section(2, 1, ...text('./dep.mjs'), ...text('wasm:f'), 0, 0));
file('reserved-export.wasm', section(6, 1, 0x7f, 0, 0x41, 7, 0x0b), section(7, 1, ...text('wasm-js:g'), 3, 0));
file('no-extension');
file('short.wasm', [1]);
fs.writeFileSync(path.join(folder, 'empty.wasm'), '');
fs.writeFileSync(path.join(folder, 'text.wasm'), 'export default 1;');
fs.writeFileSync(path.join(folder, 'dep.mjs'), "console.log('dep runs'); export const log = () => console.log('b starts');");
fs.writeFileSync(path.join(folder, 'main.mjs'), `
  import source b from './b.wasm';
  import { g } from './b.wasm';
  import { add, 'a "g"' as one } from './a.wasm';
  export { b, g, add, one };
  console.log('main runs');`);
fs.writeFileSync(path.join(folder, 'source.mjs'), "import source lost from './lost.wasm'; export default lost;");
fs.writeFileSync(path.join(folder, 'no-source.mjs'), "import source x from './dep.mjs';");

const url = (name) => pathToFileURL(path.join(folder, name)).href;
const short = (error) => `${error.name} ${error.code} ${error.message.replaceAll(folder, '').replaceAll(__dirname, '')}`;

async function show(label, promise) {
  try {
    console.log(label, await promise);
  } catch (error) {
    console.log(label, short(error));
  }
}

(async () => {
  const { b, g, add, one } = await import(url('main.mjs'));
  console.log(g, one, add(40, 2), b, b === await import.source(url('b.wasm')));
  console.log(Object.keys(await import(url('a.wasm'))));
  await show('source of lost', import(url('source.mjs')));
  await show('lost', import(url('lost.wasm')));
  await show('unlinkable', import(url('unlinkable.wasm')));
  await show('reserved import', import(url('reserved-import.wasm')));
  await show('reserved export', import(url('reserved-export.wasm')));
  await show('short', import(url('short.wasm')));
  await show('empty', import(url('empty.wasm')));
  await show('text', import.source(url('text.wasm')));
  await show('no extension', import(url('no-extension')));
  await show('data', import('data:application/wasm;base64,AGFzbQEAAAA='));
  await show('data, percent', import('data:application/wasm,%00asm%01%00%00%00'));
  await show('with type', import(url('a.wasm'), { with: { type: 'json' } }));
  await show('no source', import(url('no-source.mjs')));
  await show('no source of a built-in', import.source('node:fs'));
  await show('not there', import.source(url('none.wasm')));
  try {
    require(path.join(folder, 'a.wasm'));
  } catch (error) {
    console.log('require()', short(error));
  }
})();
