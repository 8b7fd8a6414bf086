'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { parseEnv } = require('internal/util/parse_env');

function check(text, wanted) {
  assert.deepStrictEqual({ ...parseEnv(text) }, wanted, JSON.stringify(text));
}

test('lines', () => {
  check('', {});
  check('A=1\nB=2', { A: '1', B: '2' });
  check('A=1\r\nB=2\r\n', { A: '1', B: '2' });
  check('# comment\n\n  A = 1 \n', { A: '1' });
  check('A=', { A: '' });
  check('A=\nB=2', { A: '', B: '2' });
  check('A=1 # comment', { A: '1' });
  check('A=b=c', { A: 'b=c' });
  check('export A=1', { A: '1' });
  check('A=1\nA=2', { A: '2' });
});

test('quotes', () => {
  check('A="x # y" # comment', { A: 'x # y' });
  check("A='x\ny'\nB=2", { A: 'x\ny', B: '2' });
  check('A="x\\ny"', { A: 'x\ny' });
  check("A='x\\ny'", { A: 'x\\ny' });
  check('A=`it\'s "so"`', { A: 'it\'s "so"' });
  check('A="open\nB=2', { A: '"open', B: '2' });
  check('A=""', { A: '' });
  check('A="1" rest\nB=2', { A: '1', B: '2' });
});

test('names of Object.prototype are names like others', () => {
  const env = parseEnv('__proto__=1\nconstructor=2');
  assert.strictEqual(Object.getPrototypeOf(env), null);
  assert.deepStrictEqual(Object.entries(env), [['__proto__', '1'], ['constructor', '2']]);
});
