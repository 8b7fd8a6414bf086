'use strict';
// The numbers of format.js are those of the C++ code that writes traces.
const assert = require('node:assert');
const { test } = require('node:test');
const format = require('internal/trace/format');
const { internalBinding } = require('internal/test/binding');
const native = internalBinding('trace');

for (const name of ['kinds', 'phases', 'nameKinds', 'touches', 'headerFields']) {
  test(`${name} has the numbers of C++`, () => {
    assert.deepStrictEqual({ ...format[name] }, { ...native[name] });
  });
}

test('the constants have the values of C++', () => {
  for (const name of Object.keys(native.format)) assert.strictEqual(format[name], native.format[name], name);
});

test('kLastKind is the last kind', () => {
  assert.strictEqual(format.kLastKind, Math.max(...Object.values(native.kinds)));
});

test('phaseNames are in the order of their numbers', () => {
  format.phaseNames.forEach((name, number) => assert.strictEqual(native.phases[name], number));
});
