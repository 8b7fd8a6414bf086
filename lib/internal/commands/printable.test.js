'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { printableJson, printableValue } = require('internal/commands/printable');

const control = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('JSON keeps its value and loses what a terminal obeys', () => {
  let text = '';
  for (let code = 0; code < 0x2100; code++) text += String.fromCharCode(code);
  const value = { [text]: [text, { nested: text }] };
  for (const indent of [0, 2]) {
    const json = printableJson(JSON.stringify(value, null, indent));
    assert.doesNotMatch(json, control);
    assert.deepStrictEqual(JSON.parse(json), value);
  }
});

test('values are copied with their strings and keys made safe', () => {
  const value = { 'a\x1b': ['\x07', 1, null, true, { b: '\u202e' }] };
  const copy = printableValue(value);
  assert.deepStrictEqual(copy, { 'a\\x1b': ['\\x07', 1, null, true, { b: '\\x202e' }] });
  assert.deepStrictEqual(Object.keys(value), ['a\x1b']);
});

test('very deep values do not overflow the stack', () => {
  let value = 'end';
  for (let i = 0; i < 100_000; i++) value = [value];
  assert.strictEqual(printableValue(value).length, 1);
});
