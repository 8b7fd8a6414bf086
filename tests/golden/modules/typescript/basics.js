'use strict';
// TypeScript: types are blanked out, lines and columns stay; what is more than types is refused.
const { stripTypeScriptTypes } = require('node:module');
process.removeAllListeners('warning');

const folder = './fixtures';
const tried = (name, call) => {
  try {
    console.log(name, call());
  } catch (error) {
    console.log(name, error.name, error.code, error.message.replaceAll(__dirname, 'HERE'));
  }
};

console.log(process.features.typescript);
tried('cts', () => require(`${folder}/typed.cts`));
tried('mts', () => require(`${folder}/typed.mts`).twice);
tried('detected', () => require(`${folder}/detected.ts`).kind);
tried('script', () => require(`${folder}/script.ts`));
tried('type', () => require(`${folder}/esm/file.ts`).meta);
tried('enum', () => require(`${folder}/enum.ts`));
tried('broken', () => require(`${folder}/broken.ts`));
tried('package', () => require(`${folder}/node_modules/pkg`));
(async () => {
  console.log(Object.keys(await import(`${folder}/typed.mts`)));
  console.log(Object.keys(await import(`${folder}/script.ts`)));
  console.log((await import(`${folder}/detected.ts`)).kind);
  await import(`${folder}/enum.ts`).catch((error) => console.log(error.code));
  await import(`${folder}/node_modules/pkg/index.ts`).catch((error) => console.log(error.code));

  tried('strip', () => JSON.stringify(stripTypeScriptTypes('let a: number = 1;\ntype B = string;\nfoo<B>(a!)')));
  tried('url', () => stripTypeScriptTypes('let a: 1', { sourceUrl: 'file:///x.ts' }));
  tried('mode', () => stripTypeScriptTypes('let a: 1', { mode: 'transform' }));
  tried('map', () => stripTypeScriptTypes('let a: 1', { sourceMap: true }));
  tried('number', () => stripTypeScriptTypes(1));
  tried('options', () => stripTypeScriptTypes('', 1));
  tried('namespace', () => stripTypeScriptTypes('namespace A { export let a = 1 }'));
  tried('wrong', () => stripTypeScriptTypes('let ='));
})();
