'use strict';
// The runtime goes on working for a program that replaces the globals around it.
const { log } = console;
for (const name of [
  'process', 'console', 'URL', 'setImmediate', 'setTimeout', 'queueMicrotask', 'Map', 'Set', 'Error', 'Symbol', 'Object',
  'Array', 'JSON', 'Reflect', 'String', 'Buffer',
]) globalThis[name] = undefined;
log(require('../fixtures/dir-main'), require('../fixtures/data.json'));
try {
  require('./nothing');
} catch (error) {
  log(error.code);
}
import('../fixtures/esm/values.mjs').then((namespace) => log(namespace.count));
import('./nothing.mjs').catch((error) => log(error.code));
import('../fixtures/with space.mjs').catch((error) => log(error.code));
