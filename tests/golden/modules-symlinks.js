'use strict';
// A link leads to the file it names: one module, however it was reached.
const a = require('./fixtures/modules/linked.js');
const b = require('./fixtures/modules/frames.js');
console.log(a === b, require.resolve('./fixtures/modules/linked').endsWith('frames.js'));
console.log(require('./fixtures/modules/linked-directory') === require('./fixtures/modules/dir-index'));
import('./fixtures/modules/linked.mjs').then(async (namespace) => {
  console.log(namespace === (await import('./fixtures/modules/dynamic.mjs')));
});
