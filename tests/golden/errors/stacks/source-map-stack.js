'use strict';
// With --enable-source-maps stacks speak of the originals.
const { findSourceMap } = require('module');
const here = (stack) => stack.split('\n').filter((line) => !line.includes('(node:'))
  .map((line) => line.replace(`${__dirname}/`, '')).join('\n');
const bundle = require('./fixtures/bundle.js');
try {
  bundle.now(1);
} catch (error) {
  console.log(here(error.stack));
}
(async () => {
  await bundle.later(2).catch((error) => console.log(here(error.stack)));
  const { now, later } = await import('./fixtures/bundle.mjs');
  try {
    now(3);
  } catch (error) {
    console.log(here(error.stack));
  }
  await later(4).catch((error) => console.log(here(error.stack)));
  const map = findSourceMap(require.resolve('./fixtures/bundle.js'));
  console.log(map.payload.sources.map((source) => source.split('/').pop()), map.lineLengths.length > 0);
  console.log(findSourceMap(__filename), findSourceMap('nothing'));
  process.setSourceMapsEnabled(false);
  for (const value of [undefined, 1, 'x']) {
    try {
      process.setSourceMapsEnabled(value);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
})();
