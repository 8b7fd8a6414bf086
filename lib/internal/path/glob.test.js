'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { expandBraces, makeMatcher, matchesGlob } = require('internal/path/glob');

test('braces', () => {
  for (const [pattern, expanded] of [
    ['a', ['a']], ['{a,b}', ['a', 'b']], ['x{a,b}y', ['xay', 'xby']], ['{a}', ['{a}']], ['{a,{b,c}}', ['a', 'b', 'c']],
    ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']], ['{,x}', ['', 'x']], ['{a,b', ['{a,b']], ['a}', ['a}']], ['{}', ['{}']],
    ['{1..3}', ['1', '2', '3']], ['{3..1}', ['3', '2', '1']], ['{1..5..2}', ['1', '3', '5']],
    ['{01..3}', ['01', '02', '03']],
    ['{-1..1}', ['-1', '0', '1']], ['{a..c}', ['a', 'b', 'c']], ['{1..3..0}', ['1', '2', '3']], ['{a..1}', ['{a..1}']],
    ['{x}{a,b}', ['{x}a', '{x}b']],
  ]) assert.deepStrictEqual(expandBraces(pattern), expanded, pattern);
});

test('a range that is too large is cut off', () => {
  assert.strictEqual(expandBraces('{1..1000000000}').length, 100_000);
  assert.strictEqual(expandBraces('{1..1000}{1..1000}').length, 100_000);
});

test('exports are those that fs.glob needs', () => {
  assert.strictEqual(typeof makeMatcher, 'function');
});

test('paths', () => {
  for (const [path, pattern, isMatch] of [
    ['a.js', '*.js', true], ['.a.js', '*.js', false], ['.a.js', '.*.js', true], ['a/b.js', '*.js', false],
    ['a/b/c.js', '**/*.js', true], ['c.js', '**/*.js', true], ['a/.b/c.js', '**/*.js', false], ['a/b', 'a/**', true],
    ['ab', 'a?', true], ['a/b', 'a?b', false], ['a]', 'a[]]', true], ['b', '[!a]', true], ['a', '[!a]', false],
    ['-', '[a-]', true],
    ['b', '[c-a]', false], ['a', '[a-a]', true], ['é', '[[:alpha:]]', true], ['5', '[[:alpha:]]', false],
    ['a[', 'a[', true],
    ['ab', '@(ab|cd)', true], ['abab', '+(ab)', true], ['', '?(a)', false], ['cd', '!(ab)', true],
    ['ab', '!(ab)', false],
    ['a+b', 'a+b', true], ['a.b', 'a.b', true], ['axb', 'a.b', false],
  ]) assert.strictEqual(matchesGlob(path, pattern), isMatch, `${path} by ${pattern}`);
});

test('patterns that make other matchers slow do not', () => {
  assert.strictEqual(matchesGlob('a'.repeat(50), '*a*a*a*a*b'), false);
});
