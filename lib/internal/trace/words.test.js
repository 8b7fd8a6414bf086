'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const {
  count, duration, fileName, functionAt, location, plural, printable, share, styleFor, wrap,
} = require('internal/trace/words');

test('durations change their unit where three digits would become four', () => {
  for (const [nanoseconds, text] of [
    [0, '0 ns'], [999.4, '999 ns'], [999.5, '1.00 us'], [9_994, '9.99 us'], [9_995, '10.0 us'], [99_949, '99.9 us'],
    [99_950, '100 us'], [999_499, '999 us'], [999_500, '1.00 ms'], [999.5e6, '1.00 s'], [119.9e9, '120 s'],
    [120e9, '2.00 min'], [NaN, '-'], [-1, '-'],
  ]) assert.strictEqual(duration(nanoseconds), text, `${nanoseconds}`);
});

test('numbers are grouped by thousands', () => {
  assert.deepStrictEqual([0, 999, 1000, 1234567].map(count), ['0', '999', '1,000', '1,234,567']);
  assert.deepStrictEqual([0, 1, 2000].map((n) => plural(n, 'turn')), ['0 turns', '1 turn', '2,000 turns']);
  assert.strictEqual(plural(2, 'entry', 'entries'), '2 entries');
});

test('a share is never rounded to nothing', () => {
  for (const [part, whole, text] of [
    [0, 10, '0 %'], [1, 10_000, '<0.1 %'], [1, 1000, '0.1 %'], [99, 1000, '9.9 %'], [995, 10_000, '10 %'],
    [10, 10, '100 %'], [1, 0, ''], [1, NaN, ''],
  ]) assert.strictEqual(share(part, whole), text, `${part} of ${whole}`);
});

test('nothing that a terminal obeys is printed', () => {
  assert.strictEqual(printable('a\x1b[2Jb\u202ec\x9bd'), 'a\\x1b[2Jb\\x202ec\\x9bd');
  assert.strictEqual(printable('é 中 😀'), 'é 中 😀');
});

test('files are named from the folder if they are below it', () => {
  for (const [file, folder, name] of [
    ['/work/app.js', '/work', 'app.js'], ['/work/app.js', '/work/lib', '/work/app.js'], ['/work', '/work', '/work'],
    ['/workshop/a.js', '/work', '/workshop/a.js'], ['file:///work/a%20b.js', '/work', 'a b.js'],
    ['file://host/a.js', '/work', 'file://host/a.js'], ['node:fs', '/work', 'node:fs'], ['/a.js', undefined, '/a.js'],
  ]) assert.strictEqual(fileName(file, folder), name, file);
});

test('places leave out what is not known', () => {
  const place = { function: 'spin', file: '/work/app.js', line: 3, column: 12 };
  assert.strictEqual(functionAt(place, '/work'), 'spin (app.js:3:12)');
  assert.strictEqual(location({ ...place, column: 0 }, '/work'), 'app.js:3');
  assert.strictEqual(location({ ...place, line: 0 }, '/work'), 'app.js');
  assert.strictEqual(functionAt({ ...place, function: '' }, '/work'), 'app.js:3:12');
  assert.strictEqual(functionAt({ ...place, file: '' }, '/work'), 'spin');
  assert.strictEqual(functionAt(null), '');
});

test('lines are as long as they may be, and a long word has its own', () => {
  assert.deepStrictEqual(wrap('aa bb cc', 5), ['aa bb', 'cc']);
  assert.deepStrictEqual(wrap('aa bbbbbbbb c', 5), ['aa', 'bbbbbbbb', 'c']);
  assert.deepStrictEqual(wrap('', 5), ['']);
});

test('only a terminal gets colours', () => {
  assert.strictEqual(styleFor({ isTTY: true, columns: 10, hasColors: () => true }).red('x'), '\x1b[31mx\x1b[39m');
  assert.strictEqual(styleFor({ isTTY: true, columns: 10, hasColors: () => false }).red('x'), 'x');
  assert.strictEqual(styleFor({ hasColors: () => true }).red('x'), 'x');
  assert.deepStrictEqual([10, 90, 0].map((columns) => styleFor({ isTTY: true, columns }).width), [40, 90, 100]);
});
