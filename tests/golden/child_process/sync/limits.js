'use strict';
// timeout, killSignal, maxBuffer; a child that does not read; a grandchild that holds a pipe.
const cp = require('child_process');
const fs = require('fs');
const os = require('os');

function show(label, { error, status, signal, output }) {
  console.log(label, error && [error.message, error.code, error.errno], status, signal,
              output && output.map((part) => part && part.length));
}

// Longer and longer, until the child got as far as it must before its time is over.
function inTime(isFarEnough, command, name = 'sh') {
  for (let timeout = 100; ; timeout *= 2) {
    const result = cp.spawnSync('sh', ['-c', command, name], { timeout });
    if (isFarEnough(result)) return result;
  }
}

show('timeout', cp.spawnSync('sleep', ['60'], { timeout: 30 }));
show('timeout, another signal', cp.spawnSync('sleep', ['60'], { timeout: 30, killSignal: 'SIGKILL' }));
show('timeout, by number', cp.spawnSync('sleep', ['60'], { timeout: 30, killSignal: 1 }));
show('no timeout', cp.spawnSync('true', { timeout: 10000 }));
show('timeout of 0', cp.spawnSync('true', { timeout: 0 }));
show('outlives the signal', inTime(({ status }) => status !== null, 'trap asked=1 TERM; until [ "$asked" ]; do sleep 0.01; done; exit 5'));
show('keeps what came', inTime(({ stdout }) => stdout.length > 0, 'echo early; exec sleep 60'));

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
{
  // It holds the pipes until the file is gone.
  const folder = fs.mkdtempSync(`${os.tmpdir()}/child-`);
  const command = 'while [ -e "$0" ]; do sleep 0.05; done & exit 3';
  show('grandchild and timeout', inTime(({ status }) => status !== null, command, folder));
  fs.rmdirSync(folder);
}

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
