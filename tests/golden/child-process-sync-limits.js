'use strict';
// timeout, killSignal, maxBuffer; a child that does not read; a grandchild that holds a pipe.
const cp = require('child_process');

function show(label, { error, status, signal, output }) {
  console.log(label, error && [error.message, error.code, error.errno], status, signal,
              output && output.map((part) => part && part.length));
}

show('timeout', cp.spawnSync('sleep', ['60'], { timeout: 30 }));
show('timeout, another signal', cp.spawnSync('sleep', ['60'], { timeout: 30, killSignal: 'SIGKILL' }));
show('timeout, by number', cp.spawnSync('sleep', ['60'], { timeout: 30, killSignal: 1 }));
show('no timeout', cp.spawnSync('true', { timeout: 10000 }));
show('timeout of 0', cp.spawnSync('true', { timeout: 0 }));
show('ignores the signal', cp.spawnSync('sh', ['-c', 'trap "" TERM; sleep 0.3; exit 5'], { timeout: 100 }));
show('keeps what came', cp.spawnSync('sh', ['-c', 'echo early; exec sleep 60'], { timeout: 300 }));

show('too much', cp.spawnSync('sh', ['-c', 'echo abcdef; exec sleep 60'], { maxBuffer: 2 }));
show('both count', cp.spawnSync('sh', ['-c', 'printf abc; sleep 0.1; printf def >&2; exec sleep 60'], { maxBuffer: 5 }));
show('exactly', cp.spawnSync('printf', ['abcdef'], { maxBuffer: 6 }));
show('no limit', cp.spawnSync('head', ['-c', '3000000', '/dev/zero'], { maxBuffer: Infinity }));
show('no limit by 0', cp.spawnSync('echo', ['x'], { maxBuffer: 0 }));
{
  const { error, signal } = cp.spawnSync('sh', ['-c', 'exec cat /dev/zero'], { maxBuffer: 100 });
  console.log('endless', error.code, signal);
}
{
  const { error, stdout } = cp.spawnSync('head', ['-c', '1048577', '/dev/zero']);
  console.log('the default', error.code, stdout.length > 1048576);
}

show('does not read', cp.spawnSync('true', { input: Buffer.alloc(10 << 20) }));
show('reads little', cp.spawnSync('head', ['-c', '5'], { input: Buffer.alloc(10 << 20) }));
show('closes its output', cp.spawnSync('sh', ['-c', 'exec >&- 2>&-; sleep 0.1; exit 6']));

const start = Date.now();
show('grandchild', cp.spawnSync('sh', ['-c', '(sleep 0.3; echo late) & echo first']));
console.log(Date.now() - start >= 280);
show('grandchild elsewhere', cp.spawnSync('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $! > /dev/null; kill $!']));
show('grandchild and timeout', cp.spawnSync('sh', ['-c', 'sleep 0.8 & exit 3'], { timeout: 100 }));

try {
  cp.execSync('exec sleep 60', { timeout: 30 });
} catch (error) {
  console.log(error.message, error.code, error.signal, error.status, Object.keys(error));
}
try {
  cp.execFileSync('echo', ['abc'], { maxBuffer: 1 });
} catch (error) {
  console.log(error.message, error.code, error.stdout.length);
}
