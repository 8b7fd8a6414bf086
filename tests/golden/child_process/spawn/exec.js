'use strict';
// exec and execFile: output, errors, limits, encodings.
const { exec, execFile } = require('child_process');

const run = (start) => new Promise((resolve) => {
  start((error, stdout, stderr) => {
    if (error) console.log(error.name, JSON.stringify(error.message), Object.keys(error), error.code, error.killed, error.signal, error.cmd);
    console.log(error === null, stdout, stderr);
    resolve();
  });
});

(async () => {
  await run((done) => exec('echo out; echo err >&2', done));
  await run((done) => exec('exit 3', done));
  await run((done) => exec('echo why >&2; exit 4', {}, done));
  await run((done) => exec('kill -9 $$', done));
  await run((done) => exec('no-such-program-here 2>/dev/null', done));
  // With a level, for bash takes a first shell whose input is a socket for a login from afar and reads the user's files.
  await run((done) => exec('echo $0 $FOO; pwd', { shell: '/bin/bash', env: { FOO: 'bar', SHLVL: '1' }, cwd: '/' }, done));
  await run((done) => exec('echo é', { encoding: 'latin1' }, done));
  await run((done) => exec('echo é', { encoding: 'buffer' }, done));
  await run((done) => exec('echo é', { encoding: null }, done));
  await run((done) => exec('echo é', { encoding: 'no-such' }, done));
  await run((done) => exec('echo é', { encoding: 'hex' }, done));
  await run((done) => execFile('echo', ['a b', 'c'], done));
  await run((done) => execFile('true', done));
  await run((done) => execFile('sh', ['-c', 'exit 5', 'x', 'y'], null, done));
  await run((done) => execFile('echo $0', { shell: true }, done));
  await run((done) => exec('echo 123456', { maxBuffer: 3 }, done));
  await run((done) => exec('echo 123456 >&2', { maxBuffer: 3 }, done));
  await run((done) => exec('printf ééé', { maxBuffer: 3 }, done));
  await run((done) => exec('printf 123', { maxBuffer: 3 }, done));
  await run((done) => exec('echo 123456', { maxBuffer: 3, encoding: 'buffer' }, done));
  await run((done) => exec('echo 12345', { maxBuffer: 0 }, done));
  await run((done) => exec('exec sleep 60', { timeout: 50 }, done));
  await run((done) => exec('exec sleep 60', { timeout: 50, killSignal: 'SIGKILL' }, done));
  // Once more, with more time, if it was too short for the trap to be set.
  await run((done) => (function within(timeout) {
    exec('trap "exit 7" TERM; while true; do sleep 0.02; done', { timeout }, (error, ...output) => {
      if (error.code === null) within(timeout * 2);
      else done(error, ...output);
    });
  })(100));
  await new Promise((resolve) => {
    exec('head -c 3000000 /dev/zero', { maxBuffer: Infinity }, (error, stdout) => {
      console.log(error, stdout.length);
      resolve();
    });
  });
  await new Promise((resolve) => {
    exec('head -c 1048577 /dev/zero', (error, stdout) => {
      console.log(error.code, error.message, stdout.length);
      resolve();
    });
  });
  await run((done) => exec('cat', done).stdin.end('through stdin'));
  exec('exit 1').on('close', (...args) => console.log('no callback', args));
})();
