'use strict';
// Packages: main, exports, imports, conditions, patterns, self reference; from require() and from import.
const { createRequire } = require('module');
const root = `${__dirname}/fixtures/`;
const load = createRequire(root);
const here = (text) => String(text).replaceAll(root, 'ROOT/');
const ids = [
  'plain', 'plain/sub/file', 'plain/sub/file.js', 'plain/nothing', '@scope/pkg', '@scope/pkg/feature',
  '@scope/pkg/feature.js', '@scope', 'conditional', 'conditional/nested', 'conditional/browser', 'conditional/null',
  'conditional/list', 'conditional/out', 'conditional/modules', 'conditional/number', 'conditional/gone',
  'conditional/encoded', 'conditional/features/one', 'conditional/features/private/two', 'conditional/features/../x',
  'conditional/features/nothing', 'conditional/deep/one.js', 'conditional/features/', 'conditional/import.mjs', 'sync',
  'conditional/', 'mixed-keys', 'numeric', 'outside', 'broken', 'no-exports', 'no-exports/x', 'bad-main', 'self',
  'self/hidden', 'conditional/features/a%2fb',
];
for (const id of ids) {
  try {
    console.log(id, load(id));
  } catch (error) {
    const message = error instanceof SyntaxError ? error.message.split(': ')[0] : error.message;
    console.log(`${id}: ${error.name} ${error.code} ${here(message)}`);
  }
}
(async () => {
  console.log('---');
  const entry = await import('./fixtures/dynamic.mjs');
  for (const id of ids) {
    try {
      console.log(id, (await entry.load(id)).default);
    } catch (error) {
      const message = error.code === 'ERR_INVALID_PACKAGE_CONFIG' ? error.message.split('. ')[0] : error.message;
      console.log(`${id}: ${error.name} ${error.code} ${here(message)}`);
    }
  }
  console.log((await entry.load('./node_modules/self/esm.mjs')).default);
})();
