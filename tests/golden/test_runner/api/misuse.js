'use strict';
const { test, before, mock, run } = require('node:test');
function bad(name, fn) {
  try {
    console.log(name, 'no error', typeof fn());
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}
for (const options of [{ timeout: -1 }, { timeout: 'a' }, { timeout: 2 ** 40 }, { concurrency: -1 }, { concurrency: 0 },
                       { concurrency: 'a' }, { concurrency: Infinity }, { signal: {} }]) {
  bad(`test ${Object.keys(options)}`, () => test('x', options, () => {}));
}
bad('before', () => before(() => {}, { timeout: -1 }));
bad('fn', () => mock.fn(5));
bad('fn', () => mock.fn(() => {}, 5));
bad('fn', () => mock.fn(() => {}, () => {}, { times: -1 }));
bad('fn', () => mock.fn(() => {}, () => {}, 5));
bad('method', () => mock.method());
bad('method', () => mock.method({}, 'x'));
bad('method', () => mock.method({ x: 1 }, 'x'));
bad('method', () => mock.method({ x() {} }, 'x', 5));
bad('method', () => mock.method({ x() {} }, 'x', { getter: 1 }));
bad('method', () => mock.method({ x() {} }, 'x', { getter: true, setter: true }));
bad('method', () => mock.method({ x() {} }, 5));
bad('method', () => mock.method(5, 'x'));
bad('getter', () => mock.getter({ x() {} }, 'x'));
bad('getter', () => mock.getter({ x() {} }, 'x', { getter: false }));
bad('setter', () => mock.setter({ x() {} }, 'x', { setter: false }));
bad('setter', () => mock.setter({ get x() { return 1; } }, 'x'));
for (const options of [{ files: 5 }, { concurrency: 'x' }, { timeout: 'x' }, { setup: 5 }, { testNamePatterns: 5 },
                       { testNamePatterns: [5] }, { shard: 5 }, { shard: { index: 0, total: 1 } }, { only: 5 },
                       { shard: { index: 3, total: 1 } }, { forceExit: 5 }, { watch: 5 }, { signal: 5 }]) {
  bad(`run ${JSON.stringify(options)}`, () => run(options));
}
console.log(Object.keys(require('node:test')), Object.keys(require('node:test/reporters')).sort().filter((name) => name !== 'lcov'));
try {
  require('test');
} catch (error) {
  console.log(error.code);
}
console.log(require('module').builtinModules.includes('test'), require('module').isBuiltin('node:test'), require('module').isBuiltin('test'));
