'use strict';
// A link leads to the file it names: one module, however it was reached.
const a = require('../fixtures/linked.js');
const b = require('../fixtures/frames.js');
console.log(a === b, require.resolve('../fixtures/linked').endsWith('frames.js'));
console.log(require('../fixtures/linked-directory') === require('../fixtures/dir-index'));
import('../fixtures/linked.mjs').then(async (namespace) => {
  console.log(namespace === (await import('../fixtures/dynamic.mjs')));
});
