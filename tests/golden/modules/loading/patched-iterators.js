'use strict';
// Iterators and regular expressions that a program has broken are not used by the loaders.
const { log } = console;
const iterators = [Object.getPrototypeOf([][Symbol.iterator]()), Object.getPrototypeOf(new Set().values())];
const saved = iterators.map((prototype) => prototype.next);
const { exec } = RegExp.prototype;
for (let i = 0; i < iterators.length; i++) iterators[i].next = () => { throw new Error('next was called'); };
RegExp.prototype.exec = () => { throw new Error('exec was called'); };

const results = [];
const { then } = Promise.prototype;
const note = (promise, index) => then.call(promise, (namespace) => { results[index] = Object.keys(namespace); },
                                           (error) => { results[index] = error.message; });
note(import('../fixtures/esm/json.mjs'), 0);
note(import('../fixtures/esm/reexport.mjs'), 1);
note(import('node:path/posix'), 2);
note(import('../fixtures/typed/esm.js'), 3);
results[4] = require('../fixtures/node_modules/@scope/pkg');
results[5] = require('../fixtures/typed/old.cjs');
const timer = setInterval(() => {
  for (let i = 0; i < 4; i++) if (results[i] === undefined) return;
  clearInterval(timer);
  for (let i = 0; i < iterators.length; i++) iterators[i].next = saved[i];
  RegExp.prototype.exec = exec;
  log(results[0], results[1], results[2].includes('join'), results[3], results[4], results[5]);
}, 1);
