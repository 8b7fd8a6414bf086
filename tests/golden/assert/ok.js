'use strict';
const assert = require('assert');

function attempt(call) {
  try {
    call();
    console.log('passed');
  } catch (error) {
    console.log(error.name, error.code, error.operator, error.generatedMessage, error.actual, error.expected);
    console.log(error.message);
  }
}
for (const value of [true, 1, 'text', {}, [], Symbol('s'), 1n]) attempt(() => assert(value));
attempt(() => assert(0));
attempt(() => assert.ok(null));
attempt(() => assert.ok(typeof 123 === 'string'));
attempt(() => assert.strict(1 > 2 && 'never'));
attempt(() => assert.strict.ok(NaN));
attempt(() => assert());
attempt(() => assert.ok());
attempt(() => assert.ok(undefined, undefined));
attempt(() => assert.ok(false, 'a message'));
attempt(() => assert(false, new TypeError('an error')));
attempt(() => assert(/\)/.test('x') || "a)" === `t${(1)})` /* ) */ || 6 / 2 / 1 === 4));
    attempt(() => assert.ok(
      null ===
        5,
    ));
const deep = { er: { assert } };
attempt(() => deep.er.assert.ok([1, (2)].length === 5));
attempt(() => assert.equal(typeof assert.AssertionError, 'function'));

const error = new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
console.log(error.name, error.code, error.message, error.generatedMessage, Object.keys(error), String(error));
console.log(error instanceof Error, Object.prototype.toString.call(error));
for (const options of [undefined, null, 1, 'text', [], () => {}, {}, { message: 'm' }, { operator: 'foo' },
  { message: 'm', operator: 'fail', actual: 1, expected: 2 }]) {
  attempt(() => {
    throw new assert.AssertionError(options);
  });
}
console.log(Object.keys(assert), Object.keys(assert.strict));
for (const name of Object.keys(assert)) console.log(name, assert[name].name, assert[name].length);
console.log(require('assert/strict') === assert.strict, assert.strict.equal === assert.strictEqual);
console.log(assert.strict.strict === assert.strict, assert.strict.deepEqual === assert.deepStrictEqual);
attempt(() => assert.strict.equal(1, '1'));
attempt(() => assert.strict.notEqual(1, 1));
attempt(() => assert.strict.deepEqual([1], ['1']));
attempt(() => assert.strict.notDeepEqual([1], [1]));
