'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { getStringWidth, quote, stripControlSequences } = require('internal/util/inspect/text');

test('the quotes are those that the text does not have', () => {
  for (const [text, quoted] of [
    ['a', "'a'"], ["it's", `"it's"`], [`'"`, '`\'"`'], ['\'"`', `'\\'"\``], [`'"\${`, `'\\'"\${'`], ['"', `'"'`],
    ['', "''"],
  ]) assert.strictEqual(quote(text), text === '\'"`' ? `${quoted}'` : quoted);
});

test('a quoted text is the text again when it is evaluated', () => {
  let all = '';
  for (let code = 0; code < 0x180; code++) all += String.fromCharCode(code);
  for (const text of [all, 'a\nb', '\x7f\x9f', '\ud800', '\udc00\ud800', '😀', 'x\udfff', "\\'", '\u2028']) {
    assert.strictEqual((0, eval)(quote(text)), text); // eslint-disable-line no-eval
  }
});

test('lone surrogates are escaped and pairs are not', () => {
  assert.strictEqual(quote('\ud83d\ude00'), "'😀'");
  assert.strictEqual(quote('\ud83d'), "'\\ud83d'");
  assert.strictEqual(quote('\ude00\ud83d'), "'\\ude00\\ud83d'");
});

test('width: wide characters are two, marks and control sequences none', () => {
  for (const [text, width] of [['', 0], ['abc', 3], ['中文', 4], ['é', 1], ['e\u0301', 1], ['😀', 2],
    ['\x1b[31mx\x1b[39m', 1]]) {
    assert.strictEqual(getStringWidth(text), width, text);
  }
});

test('control sequences are taken out whole', () => {
  assert.strictEqual(stripControlSequences('\x1b[1;31mred\x1b[0m \x1b]8;;http://a\x07link\x1b]8;;\x07'), 'red link');
});
