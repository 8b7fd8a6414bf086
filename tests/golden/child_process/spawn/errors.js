'use strict';
// Programs that cannot be run: errors that are emitted and errors that are thrown.
const { spawn, fork, execFile } = require('child_process');

function attempt(label, run) {
  return new Promise((resolve) => {
    let child;
    try {
      child = run();
    } catch (error) {
      console.log(label, 'throws', error.message, error.code, Object.keys(error));
      return resolve();
    }
    const log = [];
    child.on('spawn', () => log.push('spawn'));
    child.on('exit', (...args) => log.push('exit', ...args));
    child.on('error', (error) => {
      log.push('error');
      console.log(label, error.message, error.code, error.errno, error.syscall, error.path, error.spawnargs);
      console.log(child.pid, child.exitCode, child.signalCode, child.killed);
    });
    child.on('close', (...args) => {
      log.push('close', ...args);
      console.log(label, log);
      resolve();
    });
  });
}

(async () => {
  await attempt('no such program', () => spawn('no-such-program-here', ['a', 'b']));
  await attempt('no such file', () => spawn('/nope/nope'));
  await attempt('not executable', () => spawn('/etc/passwd', ['x']));
  await attempt('a directory', () => spawn('/tmp'));
  await attempt('no such cwd', () => spawn('true', { cwd: '/nope' }));
  await attempt('empty cwd', () => spawn('true', { cwd: '' }));
  await attempt('cwd is a file', () => spawn('true', { cwd: '/etc/passwd' }));
  await attempt('an argument too long', () => spawn('true', ['x'.repeat(1 << 20)]));
  await attempt('too much environment', () => spawn('true', { env: { A: 'x'.repeat(1 << 20) } }));
  await attempt('no such descriptor', () => spawn('true', { stdio: ['pipe', 9999] }));
  await attempt('no such shell', () => spawn('true', { shell: '/nope' }));
  await attempt('empty PATH', () => spawn('no-such-program-here', { env: { PATH: '' } }));
  await attempt('without pipes', () => spawn('no-such-program-here', { stdio: 'ignore' }));
  await attempt('execFile', () => execFile('no-such-program-here', ['a'], (error, stdout, stderr) => {
    console.log('callback', error.message, error.code, error.cmd, [stdout, stderr], Object.keys(error));
  }));
  const forked = fork('x.js', { execPath: '/nope' });
  forked.on('error', (error) => console.log('fork', error.message, forked.connected));
  forked.on('disconnect', () => console.log('disconnect', forked.connected));
  forked.on('close', (...args) => console.log('close', args));
})();
