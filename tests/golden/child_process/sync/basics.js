'use strict';
// spawnSync, execSync and execFileSync: what they give back, and what they throw.
const cp = require('child_process');

function show(label, result) {
  const { error } = result;
  console.log(label, Object.keys(result));
  if (error) {
    console.log(error.message, error.code, error.errno, error.syscall, error.path, error.spawnargs);
    console.log(Object.keys(error));
  }
  console.log(typeof result.pid, result.pid > 0, result.status, result.signal, result.output, result.stdout, result.stderr);
}

show('plain', cp.spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 7']));
show('text', cp.spawnSync('sh', ['-c', 'echo out; echo err >&2'], { encoding: 'utf8' }));
show('killed', cp.spawnSync('sh', ['-c', 'kill -9 $$']));
show('no such program', cp.spawnSync('/nope/nope', ['a', 'b']));
show('not in PATH', cp.spawnSync('no-such-program-here'));
show('no such cwd', cp.spawnSync('true', { cwd: '/nope' }));
show('cwd is a file', cp.spawnSync('true', { cwd: '/etc/passwd' }));
show('empty cwd', cp.spawnSync('true', { cwd: '' }));
show('not executable', cp.spawnSync('/etc/passwd'));
show('a directory', cp.spawnSync('/tmp'));
show('too big', Object.assign(cp.spawnSync('true', ['x'.repeat(1 << 20)]), { error: undefined }));
show('too big an environment', cp.spawnSync('true', { env: { A: 'x'.repeat(1 << 20) } }));

console.log(cp.spawnSync('cat', { input: 'héllo', encoding: 'utf8' }).stdout);
console.log(cp.spawnSync('cat', { input: 'aGk=', encoding: 'base64' }).stdout);
console.log(cp.spawnSync('cat', { input: new Uint16Array([0x4142, 0x4344]) }).stdout);
console.log(cp.spawnSync('cat', { input: new DataView(new ArrayBuffer(3), 1) }).stdout);
console.log(cp.spawnSync('cat', { input: '' }).stdout);
console.log(cp.spawnSync('cat').stdout);
console.log(cp.spawnSync('wc', ['-c'], { input: Buffer.alloc(5 << 20), encoding: 'latin1' }).stdout.trim());
console.log(cp.spawnSync('cat', { input: 'over stdio', stdio: ['ignore', 'pipe', 'pipe'] }).stdout.toString());

console.log(cp.execSync('echo $FOO; pwd; echo "$0"', { env: { FOO: 'bar' }, cwd: '/', encoding: 'utf8' }));
console.log(cp.execSync('pwd', { cwd: new URL('file:///usr') }).toString());
console.log(cp.execSync('pwd', { cwd: Buffer.from('/usr') }).toString());
console.log(cp.execFileSync('sh', ['-c', 'echo $0'], { argv0: 'zero', encoding: 'utf8' }));
console.log(cp.spawnSync('echo $0 a', ['b', '"c  d"'], { shell: '/bin/bash' }).stdout.toString());
console.log(cp.spawnSync('echo', [1, null, undefined, true, 'é', { toString: () => 'object' }]).stdout.toString());
console.log(cp.spawnSync('sh', ['-c', 'echo $A-$B-$C-$D'], {
  env: { __proto__: { D: 'inherited' }, A: 1, B: undefined, C: null, PATH: process.env.PATH },
}).stdout.toString());

for (const run of [
  () => cp.execSync('echo a; echo b >&2; exit 3', { stdio: 'pipe' }),
  () => cp.execSync('kill -15 $$', { stdio: 'pipe' }),
  () => cp.execFileSync('sh', ['-c', 'exit 4', 'x y']),
  () => cp.execFileSync('no-such-program-here', ['a']),
  () => cp.execSync('no-such-program-here 2>/dev/null'),
]) {
  try {
    run();
  } catch (error) {
    console.log(error.message, Object.keys(error), error.status, error.signal, error.code, String(error.stdout));
  }
}
