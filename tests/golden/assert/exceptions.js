'use strict';
const assert = require('assert');

function report(error) {
  console.log(`--- ${error.name} ${error.code} ${error.operator} ${error.generatedMessage}`);
  console.log(error.message);
}
function attempt(call) {
  try {
    call();
    console.log('passed');
  } catch (error) {
    report(error);
  }
}
// The stack of what was thrown would name our own files.
function thrown(value) {
  if (value instanceof Error) value.stack = `${value.name}: ${value.message}`;
  return () => {
    throw value;
  };
}
const nothing = () => {};
class Mine extends TypeError {
  get [Symbol.toStringTag]() {
    return 'Mine';
  }
}
const make = () => Object.assign(new TypeError('text'), { code: 'CODE', extra: { a: 1 } });
const expectations = [
  [], [TypeError], [RangeError], [Mine], [/text/], [/other/], ['a message'], ['text'], [{ message: 'text' }],
  [{ message: /te.t/, code: 'CODE' }], [{ message: 'other' }], [{ extra: { a: 1 } }], [{ extra: { a: 2 }, name: 'TypeError' }],
  [{}], [{ missing: undefined }], [make()], [new RangeError('text')], [() => true], [() => false],
  [function named() { return 'yes'; }], [null], [undefined, 'a message'], [1], [Symbol('s')], [true],
  [RangeError, 'a message'], [/other/, 'a message'], [{ message: 'other' }, 'a message'], ['text', 'more'],
  [{ message: 'other' }, new SyntaxError('given')],
];
for (const expectation of expectations) {
  console.log('throws', expectation.length);
  attempt(() => assert.throws(thrown(make()), ...expectation));
  attempt(() => assert.throws(nothing, ...expectation));
  console.log('doesNotThrow');
  attempt(() => assert.doesNotThrow(thrown(make()), ...expectation));
  attempt(() => assert.doesNotThrow(nothing, ...expectation));
}
for (const value of [undefined, null, 5, 'text', Symbol('s'), { message: 'text' }]) {
  attempt(() => assert.throws(thrown(value), { message: 'text' }));
  attempt(() => assert.throws(thrown(value), RangeError));
  attempt(() => assert.doesNotThrow(thrown(value)));
}
for (const value of [undefined, null, 1, 'text', {}, Promise.resolve()]) {
  attempt(() => assert.throws(value));
  attempt(() => assert.doesNotThrow(value));
}
for (const value of [undefined, null, 0, false, '', 'text', { message: 'm' }, { message: '' }, NaN]) {
  attempt(() => assert.ifError(value));
}
attempt(() => assert.fail());
attempt(() => assert.fail('a message'));
attempt(() => assert.fail(new RangeError('an error')));
attempt(() => assert.fail(null));
attempt(() => assert.match('abc', /b/));
attempt(() => assert.match('abc', /x/));
attempt(() => assert.match('abc', /x/, 'a message'));
attempt(() => assert.match('abc', /x/, new RangeError('an error')));
attempt(() => assert.match(5, /5/));
attempt(() => assert.match({ a: 1 }, /5/));
attempt(() => assert.match('abc', 'b'));
attempt(() => assert.doesNotMatch('abc', /x/));
attempt(() => assert.doesNotMatch('abc', /b/));
attempt(() => assert.doesNotMatch(5, /x/));
attempt(() => assert.doesNotMatch('abc', {}));

(async () => {
  const awaited = async (call) => {
    try {
      await call();
      console.log('passed');
    } catch (error) {
      report(error);
    }
  };
  for (const expectation of expectations) {
    console.log('rejects', expectation.length);
    await awaited(() => assert.rejects(async () => thrown(make())(), ...expectation));
    await awaited(() => assert.rejects(Promise.resolve(1), ...expectation));
    console.log('doesNotReject');
    await awaited(() => assert.doesNotReject(async () => thrown(make())(), ...expectation));
    await awaited(() => assert.doesNotReject(Promise.resolve(1), ...expectation));
  }
  for (const value of [undefined, null, 1, 'text', {}, () => 1, { then() {} }, thrown(make())]) {
    await awaited(() => assert.rejects(value));
    await awaited(() => assert.doesNotReject(value));
  }
})();
