'use strict';
// What import() says when it cannot, and that it says the same again.
const root = `${__dirname}/fixtures/modules/`;
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
    './nothing.mjs', './fixtures/modules/x', './fixtures/modules/dir-main', './fixtures/modules', '/nothing', 'nothing',
    '@scope', 'node:nothing', 'nothing:x', 'http://localhost/x.mjs', 'https://localhost/x.mjs', '#nothing', './a%2fb.mjs',
    './a%5Cb.mjs', './fixtures/modules/strange.xyz', './fixtures/modules/typed/strange.xyz', './fixtures/modules/addon.node',
    'data:text/plain,x', 'data:text/javascript,import "./x.mjs"', 'data:text/javascript,import "nothing"',
    'data:text/javascript,let x = ;', '.nothing', '%', 'a\\b',
    './fixtures/modules/esm/missing-export.mjs', './fixtures/modules/esm/missing-cjs-export.mjs',
    './fixtures/modules/esm/missing-dep.mjs', './fixtures/modules/esm/syntax.mjs', './fixtures/modules/esm/throws.mjs',
    './fixtures/modules/typed/uses-require.js', './fixtures/modules/typed/uses-module.js',
    './fixtures/modules/throws.js', './fixtures/modules/syntax.js', './fixtures/modules/nothing.json',
  ]) await attempt(specifier);
  for (const specifier of [undefined, null, 1, {}, Symbol('s')]) await attempt(specifier);
  await attempt({ toString() { throw new Error('toString throws'); } });

  for (const file of ['syntax', 'missing-dep', 'throws', 'missing-export']) {
    const errors = [];
    for (let i = 0; i < 2; i++) await import(`./fixtures/modules/esm/${file}.mjs`).catch((error) => errors.push(error));
    console.log(file, errors.length, errors[0] === errors[1]);
  }
})();
