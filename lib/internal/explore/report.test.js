'use strict';
const assert = require('node:assert');
const { execFileSync } = require('node:child_process');
const { test } = require('node:test');
const { replayLine } = require('internal/explore/report');

test('a shell reads the words of a line for replay as they were', () => {
  const words = ['app.js', '', "it's", '$HOME', 'a b', '*', '--x=y', 'é', '`id`', '\\', '"', 'a\nb', '!!', '~', '#',
    ';'];
  const line = replayLine('0t1/2.7c2/3', { replayArgv: ['--seed=1'], program: words });
  const script = `set -- ${line}; for word; do printf '%s\\0' "$word"; done`;
  const shown = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
  assert.deepStrictEqual(shown.split('\0').slice(0, -1), ['rondo', 'replay', '0t1/2.7c2/3', '--seed=1', ...words]);
});

test('plain words are not quoted', () => {
  assert.strictEqual(replayLine('-', { replayArgv: [], program: ['src/a-b_c.js', '--port=80', 'x@y,z+1:2'] }),
    'rondo replay - src/a-b_c.js --port=80 x@y,z+1:2');
});
