'use strict';
// Cycles of CommonJS show what there is so far, and warn of what is not.
process.on('warning', (warning) => console.log(`${warning.name}: ${warning.message}`));
const a = require('../fixtures/cycle/a');
console.log(a);
console.log(require('../fixtures/cycle/b'));
console.log(Object.getPrototypeOf(a) === Object.prototype, a.stillMissing);
const A = require('../fixtures/cycle/class-a');
console.log(typeof A, A.B);
import('../fixtures/cycle/esm-a.mjs').then((namespace) => console.log(namespace));
