'use strict';
// The require() of an ES module that waits for us to finish cannot be answered.
import('../fixtures/cycle/required.mjs').then((namespace) => console.log(namespace.x));
