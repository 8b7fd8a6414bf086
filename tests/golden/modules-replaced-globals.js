'use strict';
// The runtime goes on working for a program that replaces the globals around it.
const { log } = console;
for (const name of [
  'process', 'console', 'URL', 'setImmediate', 'setTimeout', 'queueMicrotask', 'Map', 'Set', 'Error', 'Symbol', 'Object',
  'Array', 'JSON', 'Reflect', 'String', 'Buffer',
]) globalThis[name] = undefined;
log(require('./fixtures/modules/dir-main'), require('./fixtures/modules/data.json'));
try {
  require('./nothing');
} catch (error) {
  log(error.code);
}
import('./fixtures/modules/esm/values.mjs').then((namespace) => log(namespace.count));
import('./nothing.mjs').catch((error) => log(error.code));
import('./fixtures/modules/with space.mjs').catch((error) => log(error.code));
