'use strict';
// The forms of `stdio` without the loop.
const cp = require('child_process');

function show(label, { error, status, output }) {
  console.log(label, error && error.message, status, output && output.map((part) => part && part.toString()));
}

const say = ['-c', 'echo out; echo err >&2'];
show('pipe', cp.spawnSync('sh', say, { stdio: 'pipe' }));
show('ignore', cp.spawnSync('sh', say, { stdio: 'ignore' }));
show('inherit', cp.spawnSync('sh', ['-c', 'echo inherited'], { stdio: 'inherit' }));
show('mixed', cp.spawnSync('sh', say, { stdio: ['ignore', 'pipe', 'ignore'] }));
show('both to one', cp.spawnSync('sh', ['-c', 'echo inherited >&2'], { stdio: ['pipe', 1, 1] }));
show('nothing is three pipes', cp.spawnSync('sh', say, { stdio: [] }));
show('null', cp.spawnSync('sh', say, { stdio: [null, undefined, null] }));
show('negative', cp.spawnSync('sh', say, { stdio: [-1, -2, -3] }));
show('a fourth', cp.spawnSync('sh', ['-c', 'echo out; echo three >&3'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }));
show('many', cp.spawnSync('sh', ['-c', 'echo six >&6; echo eight >&8'], {
  stdio: ['pipe', 'pipe', 'pipe', null, 'ignore', undefined, 'pipe', 'ignore', 'pipe'],
}));
show('closed above', cp.spawnSync('sh', ['-c', '(echo x >&4) 2>/dev/null; echo $?'], {
  stdio: ['pipe', 'pipe', 'pipe', 'ignore', 'ignore'],
}).status === 0 && { status: 'not zero', output: [] });
show('a stream', cp.spawnSync('sh', ['-c', 'echo to stdout'], { stdio: ['ignore', process.stdout, process.stderr] }));
show('an object with fd', cp.spawnSync('sh', ['-c', 'echo to fd'], { stdio: ['ignore', { fd: 1 }] }));
show('no such descriptor', cp.spawnSync('true', { stdio: ['pipe', 9999] }));

const own = ['pipe'];
cp.spawnSync('true', { stdio: own });
console.log(own);
