// Child processes: pipes, exit codes, messages, synchronous ones.
'use strict';
const child_process = require('node:child_process');
const net = require('node:net');
const { attempt, begin, expect } = require('./account.js');

if (process.argv[2] === 'child') {
  process.on('message', (message, handle) => {
    handle?.close();
    process.send(message, () => process.disconnect());
  });
  return;
}

function run(name, command, args, options, input) {
  return new Promise((resolve) => {
    const done = begin(name);
    let failure;
    let output = '';
    let child;
    try {
      child = child_process.spawn(command, args, options);
    } catch (error) {
      done(error);
      return resolve();
    }
    for (const stream of child.stdio) stream?.on('error', (error) => { failure ??= error; });
    child.stdout?.on('data', (data) => { output += data; });
    child.on('error', (error) => { failure ??= error; });
    child.on('close', (code) => {
      expect(failure || code !== 0 || !input || output === input, `${name} printed ${output}`);
      done(failure);
      resolve();
    });
    child.stdin?.end(input);
  });
}

function talk() {
  return new Promise((resolve) => {
    const done = begin('fork');
    const answered = begin('answer');
    let failure;
    let hasAnswer = false;
    const child = child_process.fork(__filename, ['child']);
    const server = net.createServer();
    server.on('error', (error) => { failure ??= error; });
    child.on('error', (error) => {
      failure ??= error;
      if (child.pid) return child.kill('SIGKILL');
      child.emit('exit', -1, null);  // There is no other: it was never started.
    });
    child.on('message', () => { hasAnswer = true; });
    child.on('exit', (code, signal) => {
      server.close();
      done(failure);
      // A channel that fails is closed on both sides.
      answered(hasAnswer ? undefined : failure ?? new Error(`no answer: ${code} ${signal}`));
      resolve();
    });
    server.listen(0, '127.0.0.1', () => {
      child.send({ hello: 'x'.repeat(1000) }, server, (error) => {
        if (!error) return;
        failure ??= error;
        child.disconnect?.();
        child.kill('SIGKILL');
      });
    });
    server.on('error', () => child.kill('SIGKILL'));
  });
}

(async () => {
  await run('cat', 'cat', [], {}, 'hello');
  await run('cat elsewhere', 'cat', [], { cwd: '/', detached: true, stdio: ['pipe', 'pipe', 'ignore'] }, 'hello');
  await run('true', 'true', [], { stdio: 'ignore', uid: process.getuid(), gid: process.getgid() });
  await attempt('spawnSync', () => {
    const result = child_process.spawnSync('cat', { input: 'hello' });
    if (result.error) throw result.error;
    expect(result.status !== 0 || `${result.stdout}` === 'hello', `spawnSync gave ${result.stdout}`);
  });
  await attempt('execFileSync', () => child_process.execFileSync('true', { stdio: 'ignore' }));
  await attempt('killed', () => new Promise((resolve, reject) => {
    const child = child_process.spawn('sleep', ['600'], { stdio: 'ignore' });
    child.on('error', (error) => { if (child.pid) child.kill('SIGKILL'); reject(error); });
    child.on('exit', resolve);
    if (child.pid && !child.kill('SIGKILL')) child.kill('SIGKILL');
  }));
  await talk();
})();
