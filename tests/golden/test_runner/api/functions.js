'use strict';
// Properties and results of the functions themselves.
const { it, describe, test } = require('node:test');
console.log(it === test, test.it === test, describe === test.describe, test.suite === test.describe, it('x', () => {}) instanceof Promise,
            typeof test.test.only, Object.keys(test), Object.keys(describe));
describe('d', (c) => {
  console.log(it('y', () => {}) instanceof Promise, describe('e', () => {}) instanceof Promise, c.constructor.name, c.signal.aborted);
});
test('dup', async (t) => {
  console.log(t.constructor.name, String(t), Object.keys(t), t.mock === t.mock, t.signal.aborted, t.passed, t.error,
              Object.getOwnPropertyNames(Object.getPrototypeOf(t)).join());
  console.log(await t.test());
});
