'use strict';
// JSON needs its attribute, in both spellings; others must not have it.
const root = `${__dirname}/fixtures/`;
const here = (text) => String(text).replaceAll(root, 'ROOT/');
process.removeAllListeners('warning');
async function attempt(name, start) {
  try {
    console.log(name, await start());
  } catch (error) {
    console.log(`${name}: ${error.name} ${error.code} ${here(error.message)}`);
  }
}
(async () => {
  await attempt('with', () => import('./fixtures/data.json', { with: { type: 'json' } }));
  await attempt('without', () => import('./fixtures/data.json'));
  const name = (text) => text;
  await attempt('calls', () => import(name('./fixtures/'.concat(name('data.json'))), { with: { type: 'json' } }));
  await attempt('url', () => import(new URL(`file://${(__dirname)}/fixtures/data.json`), { with: { type: 'json' } }));
  await attempt('css', () => import('./fixtures/data.json', { with: { type: 'css' } }));
  await attempt('module as json', () => import('./fixtures/dynamic.mjs', { with: { type: 'json' } }));
  await attempt('built-in as json', () => import('node:path', { with: { type: 'json' } }));
  await attempt('other key', () => import('./fixtures/frames.js', { with: { other: 'x' } }));
  await attempt('data', () => import('data:application/json,{"a":[1]}', { with: { type: 'json' } }));
  await attempt('statement', async () => (await import('./fixtures/esm/json.mjs')).default);
  const { default: data } = await import('./fixtures/data.json', { with: { type: 'json' } });
  console.log(data === require('./fixtures/data.json'));
  await import('./fixtures/bad.json', { with: { type: 'json' } }).catch((error) => {
    console.log(error.name, here(error.message).split(': ')[0]);
  });
})();
