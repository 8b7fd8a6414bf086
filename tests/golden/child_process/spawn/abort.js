'use strict';
// AbortSignal with spawn, exec, execFile and fork.
const { spawn, exec, execFile, fork } = require('child_process');
const { promisify } = require('util');

function watch(label, child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.log(label, error.name, error.code, error.message, error.cause?.name ?? error.cause, child.killed);
    });
    child.on('exit', (...args) => console.log(label, 'exit', args));
    child.on('close', (...args) => {
      console.log(label, 'close', args);
      resolve();
    });
  });
}

(async () => {
  const before = AbortSignal.abort();
  await watch('before', spawn('sleep', ['60'], { signal: before }));
  await watch('before, with a reason', spawn('sleep', ['60'], { signal: AbortSignal.abort('because') }));

  const during = new AbortController();
  const child = spawn('sleep', ['60'], { signal: during.signal, killSignal: 'SIGKILL' });
  child.on('spawn', () => during.abort());
  await watch('during', child);

  const after = new AbortController();
  await watch('after', spawn('true', { signal: after.signal }));
  after.abort();

  const forked = new AbortController();
  setTimeout(() => forked.abort(new RangeError('mine')), 50);
  await watch('fork', fork('-', {
    execArgv: ['-e', 'process.on("message", () => {})'], signal: forked.signal, stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  }));

  for (const start of [exec, (command, ...rest) => execFile('sleep', ['60'], ...rest)]) {
    const controller = new AbortController();
    await new Promise((resolve) => {
      start('exec sleep 60', { signal: controller.signal }, (error, stdout, stderr) => {
        console.log(error.name, error.code, error.message, error.cmd, [stdout, stderr], Object.keys(error));
        resolve();
      });
      setTimeout(() => controller.abort(), 20);
    });
  }
  const controller = new AbortController();
  const promise = promisify(exec)('exec sleep 60', { signal: controller.signal });
  controller.abort();
  await promise.catch((error) => console.log(error.name, error.stdout, error.stderr));
})();
