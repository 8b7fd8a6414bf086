// util.parseArgs(): every way to write an option, in all modes.
const { parseArgs } = require('util');

function show(config) {
  try {
    console.log(JSON.stringify(parseArgs(config)));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const options = {
  foo: { type: 'string', short: 'f' }, bar: { type: 'boolean', short: 'b' }, list: { type: 'string', multiple: true, short: 'l' },
  v: { type: 'boolean', multiple: true, short: 'v' }, d: { type: 'string', default: 'def' }, dl: { type: 'string', multiple: true, default: ['a'] },
  db: { type: 'boolean', default: true },
};
const lines = [
  [], ['--foo', 'x'], ['--foo=x'], ['--foo='], ['--foo'], ['-f', 'x'], ['-fx'], ['-f=x'], ['-f'], ['-bf', 'x'], ['-bfx'], ['-fb'], ['--bar'], ['--bar=1'], ['--bar='],
  ['-b', '-b'], ['-vvv'], ['--list', 'a', '--list=b', '-lc'], ['pos'], ['--', '--foo', 'x'], ['--foo', '--', 'x'], ['-'], ['--foo', '-'], ['--foo', '-x'], ['-f', '-x'],
  ['--nope'], ['--nope=1'], ['-n'], ['-nb'], ['--no-bar'], ['--no-foo'], ['--no-foo', 'x'], ['--no-db'], ['--no-nope'], ['--__proto__'], ['--foo', 'a', '--foo', 'b'],
  ['a', '-b', 'c'], ['--=x'], ['---x'], ['--foo', '--bar'], ['-lx', '-l', 'y', 'z'], ['-vbf', 'q', '--d=1'], ['--no-v', '-v'], ['\u00e9'], ['--foo', ''], ['--foo=a=b'],
];
for (const args of lines) {
  console.log('--', JSON.stringify(args));
  show({ args, options, tokens: true });
  show({ args, options, tokens: true, allowPositionals: true, allowNegative: true });
  show({ args, options, tokens: true, strict: false });
  show({ args, options, strict: false, allowPositionals: false, allowNegative: true });
  show({ args, strict: false });
}
console.log(parseArgs({ args: [], options: { a: { type: 'string', default: 'z' } } }), Object.getPrototypeOf(parseArgs({ args: [] }).values));
console.log(parseArgs(), process.argv.length);

// Misuse.
for (const config of [
  { args: 5 }, { args: [], options: 5 }, { args: [], options: [] }, { args: [], options: { a: 5 } }, { args: [], options: { a: null } }, { args: [], options: { a: {} } },
  { args: [], options: { a: { type: 'x' } } }, { args: [], options: { a: { type: 'string', short: 'ab' } } }, { args: [], options: { a: { type: 'string', short: 5 } } },
  { args: [], options: { a: { type: 'string', short: '' } } }, { args: [], options: { a: { type: 'string', multiple: 5 } } }, { args: [], options: { a: { type: 'string', default: 5 } } },
  { args: [], options: { a: { type: 'boolean', default: 'x' } } }, { args: [], options: { a: { type: 'string', multiple: true, default: 'x' } } },
  { args: [], options: { a: { type: 'string', multiple: true, default: [1] } } }, { args: [], options: { a: { type: 'boolean', multiple: true, default: [1] } } },
  { args: [], strict: 5 }, { args: [], allowPositionals: 5 }, { args: [], tokens: 5 }, { args: [], allowNegative: 5 }, { args: ['--a'], options: { __proto__: { a: { type: 'boolean' } } } },
  { __proto__: { args: ['inherited'], strict: false } }, 5, 'x',
]) show(config);
// With --eval=CODE there is no script to leave out.
{
  const { spawnSync } = require('child_process');
  for (const args of [['--eval=CODE'], ['-e', 'CODE'], ['--print', '--eval=CODE']]) {
    const code = 'console.log(util.parseArgs({ strict: false }).values)';
    const { stdout } = spawnSync(process.execPath, [...args.map((arg) => arg.replace('CODE', code)), '--', '--foo', '--bar'],
                                 { encoding: 'utf8' });
    console.log(stdout);
  }
}
