'use strict';
const assert = require('node:assert');
const { test } = require('node:test');
const { parseArguments } = require('internal/commands/arguments');

const own = { output: 'value', o: 'value', open: 'nothing', tag: 'values' };
const parse = (args, how) => parseArguments('test', 'usage\n', args, own, how);

// Runs a command line that ends the process. Returns [code, stdout, stderr].
function ending(args) {
  const { exit } = process;
  const writes = { stdout: process.stdout.write, stderr: process.stderr.write };
  const written = { stdout: '', stderr: '' };
  const stop = new Error('exit');
  let code;
  process.exit = (given) => {
    code = given;
    throw stop;
  };
  for (const name in writes) process[name].write = (text) => { written[name] += text; };
  try {
    parse(args);
  } catch (error) {
    if (error !== stop) throw error;
  } finally {
    process.exit = exit;
    for (const name in writes) process[name].write = writes[name];
  }
  return [code, written.stdout, written.stderr];
}

test('options of the command stand before the program', () => {
  const { options, execArgv, rest } = parse(['--output=a', '--open', 'app.js', '--output', 'b']);
  assert.deepStrictEqual({ ...options }, { output: 'a', open: '' });
  assert.deepStrictEqual(execArgv, []);
  assert.deepStrictEqual(rest, ['app.js', '--output', 'b']);
});

test('a value may follow, be empty, or contain an equals sign', () => {
  assert.strictEqual(parse(['--output', 'x']).options.output, 'x');
  assert.strictEqual(parse(['--output=']).options.output, '');
  assert.strictEqual(parse(['--output=a=b']).options.output, 'a=b');
  assert.strictEqual(parse(['-o', '-']).options.o, '-');
  assert.strictEqual(parse(['--output', '--open']).options.output, '--open');
});

test('the last value counts, unless all do', () => {
  assert.strictEqual(parse(['--output=a', '--output=b']).options.output, 'b');
  assert.deepStrictEqual(parse(['--tag', 'a', '--tag=b']).options.tag, ['a', 'b']);
});

test('other options are for rondo, with their values', () => {
  const { execArgv, rest } = parse(['--require', './x.js', '--no-warnings', '--seed=1', '-r', 'y', 'app.js']);
  assert.deepStrictEqual(execArgv, ['--require', './x.js', '--no-warnings', '--seed=1', '-r', 'y']);
  assert.deepStrictEqual(rest, ['app.js']);
  assert.deepStrictEqual(parse(['--require']).execArgv, ['--require']);
});

test('-- ends the options, and a dash is a word', () => {
  assert.deepStrictEqual(parse(['--', '--open']).rest, ['--open']);
  assert.deepStrictEqual(parse(['-', '--open']).rest, ['-', '--open']);
  assert.deepStrictEqual(parse(['', '--open']).rest, ['', '--open']);
});

test('mixed: options may stand anywhere before --', () => {
  const { options, rest } = parse(['a', '--open', 'b', '--', '--tag'], { mixed: true });
  assert.deepStrictEqual({ ...options }, { open: '' });
  assert.deepStrictEqual(rest, ['a', 'b', '--tag']);
});

test('names of Object.prototype are no options', () => {
  assert.strictEqual(parse([]).options.constructor, undefined);
});

test('mistakes end with 9 and one line', () => {
  assert.deepStrictEqual(ending(['--open=1']), [9, '', 'rondo test: --open takes no value\n']);
  assert.deepStrictEqual(ending(['--output']), [9, '', 'rondo test: --output requires an argument\n']);
});

test('help is for stdout and ends with 0, after all options were read', () => {
  assert.deepStrictEqual(ending(['-h']), [0, 'usage\n', '']);
  assert.deepStrictEqual(ending(['--help', '--open=1']), [9, '', 'rondo test: --open takes no value\n']);
});
