'use strict';
// Errors of import(), which are the same when it is repeated.
const root = `${__dirname}/fixtures/`;
const here = (text) => String(text).replaceAll(root, 'ROOT/').replaceAll(__dirname, 'HERE');
async function attempt(specifier, options) {
  try {
    const namespace = await import(specifier, options);
    console.log(String(specifier), Object.keys(namespace));
  } catch (error) {
    const name = typeof specifier === 'object' ? typeof specifier : String(specifier);
    console.log(`${name}: ${error?.name} ${error?.code} ${here(error?.message)}`);
    if (error?.url) console.log(here(error.url));
  }
}
(async () => {
  for (const specifier of [
    './nothing.mjs', './fixtures/x', './fixtures/dir-main', './fixtures', '/nothing', 'nothing',
    '@scope', 'node:nothing', 'nothing:x', 'http://localhost/x.mjs', 'https://localhost/x.mjs', '#nothing', './a%2fb.mjs',
    './a%5Cb.mjs', './fixtures/strange.xyz', './fixtures/typed/strange.xyz', './fixtures/addon.node',
    'data:text/plain,x', 'data:text/javascript,import "./x.mjs"', 'data:text/javascript,import "nothing"',
    'data:text/javascript,let x = ;', '.nothing', '%', 'a\\b',
    './fixtures/esm/missing-export.mjs', './fixtures/esm/missing-cjs-export.mjs',
    './fixtures/esm/missing-dep.mjs', './fixtures/esm/syntax.mjs', './fixtures/esm/throws.mjs',
    './fixtures/typed/uses-require.js', './fixtures/typed/uses-module.js',
    './fixtures/throws.js', './fixtures/syntax.js', './fixtures/nothing.json',
  ]) await attempt(specifier);
  for (const specifier of [undefined, null, 1, {}, Symbol('s')]) await attempt(specifier);
  await attempt({ toString() { throw new Error('toString throws'); } });

  for (const file of ['syntax', 'missing-dep', 'throws', 'missing-export']) {
    const errors = [];
    for (let i = 0; i < 2; i++) await import(`./fixtures/esm/${file}.mjs`).catch((error) => errors.push(error));
    console.log(file, errors.length, errors[0] === errors[1]);
  }
})();
