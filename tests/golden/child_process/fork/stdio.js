'use strict';
// fork() with all kinds of stdio; ES modules and scripts; URLs and Buffers as paths.
const { fork } = require('child_process');
const { pathToFileURL } = require('url');

if (process.argv[2] === 'child') {
  console.log('child', process.argv[3]);
  if (process.connected) process.disconnect();
} else {
  const run = (label, start) => new Promise((resolve) => {
    const child = start();
    let text = '';
    child.stdout?.on('data', (chunk) => { text += chunk; });
    const kinds = child.stdio.map((stream) => stream && stream.constructor.name);
    child.on('close', (code) => {
      console.log(label, code, kinds, text.trim());
      resolve();
    });
  });
  (async () => {
    await run('silent', () => fork(__filename, ['child', 1], { silent: true }));
    await run('inherits', () => fork(__filename, ['child', 2]));
    await run('pipe', () => fork(__filename, ['child', 3], { stdio: 'pipe' }));
    await run('ignore', () => fork(__filename, ['child', 4], { stdio: 'ignore' }));
    await run('list', () => fork(__filename, ['child', 5], { stdio: ['ignore', 'pipe', 'ignore', 'pipe', 'ipc'] }));
    await run('first', () => fork(__filename, ['child', 6], { stdio: ['ipc', 'pipe', 'pipe'] }));
    await run('stdio before silent', () => fork(__filename, ['child', 7], { silent: false, stdio: 'pipe' }));
    await run('URL', () => fork(pathToFileURL(__filename), ['child', 8], { silent: true }));
    await run('Buffer', () => fork(Buffer.from(__filename), ['child', 9], { silent: true }));
    await run('no arguments', () => fork(__filename, { silent: true, execArgv: ['-e', 'console.log(process.argv.length)'] }));
    await run('shell is ignored', () => fork(__filename, ['child', '$HOME'], { silent: true, shell: true }));
  })();
}
