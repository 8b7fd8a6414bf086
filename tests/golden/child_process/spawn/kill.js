'use strict';
// kill() in every state of a child, and what else ends one.
const { spawn } = require('child_process');
const { constants: { signals } } = require('os');

const ended = (child) => new Promise((resolve) => {
  child.on('close', (...args) => resolve(args));
});
const attempt = (run) => {
  try {
    return run();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
};

(async () => {
  for (const signal of [undefined, 'SIGTERM', 'SIGKILL', 'SIGINT', 'sighup', 'SIGUSR1', 15, signals.SIGQUIT]) {
    const child = spawn('sleep', ['60']);
    console.log(signal, child.kill(signal), child.killed, child.exitCode, child.signalCode);
    console.log(await ended(child), child.exitCode, child.signalCode);
  }
  const child = spawn('sleep', ['60']);
  for (const wrong of ['SIGNOPE', 99, -1, {}, null, true, '', NaN]) {
    console.log(wrong, attempt(() => child.kill(wrong)), child.killed);
  }
  console.log('asks only', child.kill(0), child.killed);
  console.log(child.kill(), child.kill());
  console.log(await ended(child));
  console.log('over', child.kill(), child.kill(0), child.killed, attempt(() => child.kill('SIGNOPE')));

  const stopped = spawn('sleep', ['60']);
  console.log(stopped.kill('SIGSTOP'), stopped.kill('SIGCONT'), stopped.kill('SIGKILL'), await ended(stopped));

  const deaf = spawn('sh', ['-c', 'trap "" TERM; echo ready; read line; exit 4']);
  deaf.stdout.once('data', () => {
    console.log('deaf', deaf.kill(), deaf.killed);
    deaf.stdin.end();
  });
  console.log(await ended(deaf), deaf.killed, deaf.signalCode);

  const writing = spawn('cat', ['/dev/zero']);
  let size = 0;
  writing.stdout.on('data', (chunk) => {
    size += chunk.length;
    if (size > 500000) writing.kill();
  });
  console.log(await ended(writing), size > 500000);

  const late = spawn('sleep', ['60'], { timeout: 50 });
  console.log('timeout', await ended(late), late.killed);
  const hard = spawn('sleep', ['60'], { timeout: 50, killSignal: 'SIGKILL' });
  console.log('timeout', await ended(hard), hard.killed);
  const quick = spawn('true', { timeout: 60000 });
  console.log('no timeout', await ended(quick), quick.killed);

  const disposed = spawn('sleep', ['60']);
  disposed[Symbol.dispose ?? Symbol.for('nodejs.dispose')]?.();
  disposed.kill();
  console.log('disposed', await ended(disposed));

  const outside = spawn('sleep', ['60']);
  process.kill(outside.pid, 'SIGKILL');
  console.log('from outside', await ended(outside), outside.killed);
})();
