'use strict';
// The forms of `stdio` with the loop.
const { spawn } = require('child_process');

function run(label, options, command = 'echo out; echo err >&2') {
  return new Promise((resolve) => {
    const child = spawn('sh', ['-c', command], options);
    const kinds = child.stdio.map((stream) => stream && stream.constructor.name);
    const none = [child.stdin === null, child.stdout === null, child.stderr === null];
    const texts = [];
    child.stdio.forEach((stream, index) => {
      if (!stream || index === 0) return;
      texts[index] = '';
      stream.on('data', (chunk) => { texts[index] += chunk; });
    });
    child.on('close', (code) => {
      console.log(label, code, texts, kinds, none);
      resolve();
    });
  });
}

(async () => {
  await run('default', {});
  await run('pipe', { stdio: 'pipe' });
  await run('overlapped', { stdio: 'overlapped' });
  await run('ignore', { stdio: 'ignore' });
  await run('inherit', { stdio: 'inherit' }, 'echo inherited');
  await run('mixed', { stdio: ['ignore', 'inherit', 'pipe'] });
  await run('numbers', { stdio: [0, 1, 1] }, 'echo first; echo second >&2');
  await run('null', { stdio: [null, undefined, null] });
  await run('negative', { stdio: [-1, -1, -1] });
  await run('stream', { stdio: ['ignore', process.stdout, process.stderr] }, 'echo to stdout');
  await run('one', { stdio: ['pipe'] });
  await run('four', { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }, 'echo three >&3');
  await run('many', { stdio: ['ignore', 'ignore', 'ignore', null, undefined, 'ignore', 'pipe', 'overlapped'] },
            'echo six >&6; echo seven >&7');

  // Above the first three both ways are open.
  const child = spawn('sh', ['-c', 'read line <&3; echo "got $line" >&3'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const pipe = child.stdio[3];
  console.log(pipe.readable, pipe.writable, pipe.readyState);
  pipe.write('a line\n');
  pipe.on('data', (chunk) => console.log(chunk.toString()));
  await new Promise((resolve) => child.on('close', resolve));

  // One child's output is another's input.
  const source = spawn('sh', ['-c', 'echo from one to the other']);
  const sink = spawn('cat', { stdio: [source.stdout, 'inherit', 'inherit'] });
  await new Promise((resolve) => sink.on('close', resolve));
  console.log(sink.stdin, sink.exitCode);
})();
