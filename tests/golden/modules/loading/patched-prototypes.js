'use strict';
// The loaders go on working when a program has broken the language around them.
const { log } = console;
const saved = [];
for (const [prototype, names] of [
  [Array.prototype, ['map', 'filter', 'forEach', 'some', 'join', 'indexOf', 'includes', 'slice', 'concat', 'push']],
  [String.prototype, ['startsWith', 'endsWith', 'slice', 'split', 'replace', 'indexOf', 'lastIndexOf']],
  [Map.prototype, ['get', 'set', 'has', 'delete', 'forEach']],
  [Set.prototype, ['has', 'add', 'forEach']],
  [RegExp.prototype, ['exec', 'test']],
  [Promise.prototype, ['catch', 'finally']],
]) {
  for (let i = 0; i < names.length; i++) {
    saved[saved.length] = [prototype, names[i], Object.getOwnPropertyDescriptor(prototype, names[i])];
    prototype[names[i]] = () => { throw new Error(`${names[i]} was called`); };
  }
}
const results = {};
results.required = require('../fixtures/dir-main');
results.json = require('../fixtures/data.json');
try {
  require('./nothing');
} catch (error) {
  results.code = error.code;
}
results.promise = import('../fixtures/esm/named.cjs');
const { then } = Promise.prototype;
results.missing = then.call(import('../fixtures/nothing.mjs'), undefined, (error) => error.code);
const restore = () => {
  for (let i = 0; i < saved.length; i++) Object.defineProperty(saved[i][0], saved[i][1], saved[i][2]);
};
then.call(results.promise, (namespace) => {
  restore();
  log(results.required, results.json, results.code, namespace.first);
  results.missing.then(log);
}, (error) => {
  restore();
  log('failed', error);
});
