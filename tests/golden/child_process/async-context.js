'use strict';
// Callbacks of a child run in the context in which it was started.
const { AsyncLocalStorage } = require('async_hooks');
const { spawn, exec, execFile, fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.on('message', (message) => {
    process.send(message);
    process.disconnect();
  });
} else {
  const storage = new AsyncLocalStorage();
  const show = (label) => console.log(label, storage.getStore());
  const wait = (emitter, event) => new Promise((resolve) => emitter.on(event, resolve));
  (async () => {
    const child = storage.run('spawn', () => {
      const one = spawn('sh', ['-c', 'cat; exec 1>&-; sleep 0.3; exit 1']);
      one.on('spawn', () => show('spawn'));
      one.on('exit', () => show('exit'));
      one.on('close', () => show('close'));
      one.stdout.on('data', () => show('data'));
      one.stdout.on('end', () => show('end'));
      return one;
    });
    storage.run('writer', () => child.stdin.end('x'));
    await wait(child, 'close');
    await new Promise((resolve) => storage.run('exec', () => exec('true', () => resolve(show('callback')))));
    await new Promise((resolve) => storage.run('execFile', () => execFile('no-such-program-here', () => resolve(show('error')))));
    const failed = storage.run('failed', () => spawn('no-such-program-here').on('error', () => show('error')));
    await wait(failed, 'close');
    const forked = storage.run('fork', () => {
      const one = fork(__filename, ['child']);
      one.on('message', () => show('message'));
      one.on('disconnect', () => show('disconnect'));
      one.on('exit', () => show('exit'));
      one.send('x', () => show('sent'));
      return one;
    });
    await wait(forked, 'exit');
    show('outside');
  })();
}
