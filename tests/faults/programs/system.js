// Workers, signals, users and system information.
'use strict';
const os = require('node:os');
const { MessageChannel, Worker } = require('node:worker_threads');
const { attempt, begin, expect } = require('./account.js');

function work() {
  return new Promise((resolve) => {
    const done = begin('worker');
    let failure;
    const worker = new Worker('require("worker_threads").parentPort.postMessage(require("fs").readdirSync("/").length)', { eval: true });
    worker.on('message', (count) => expect(count > 0, 'a worker found no entries'));
    worker.on('error', (error) => { failure = error; });
    worker.on('exit', () => { done(failure); resolve(); });
  });
}

function signalled() {
  return new Promise((resolve) => {
    const done = begin('signal');
    const alive = setTimeout(() => {}, 1e6);  // A listener for a signal does not keep the process alive.
    const over = (error) => {
      clearTimeout(alive);
      process.removeAllListeners('SIGUSR2');
      done(error);
      resolve();
    };
    try {
      process.once('SIGUSR2', () => over());
      process.kill(process.pid, 'SIGUSR2');
    } catch (error) {
      over(error);
    }
  });
}

(async () => {
  await work();
  await signalled();
  await attempt('messages', () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port2.on('message', () => { port2.close(); resolve(); });
    port1.postMessage('hello');
  }));
  for (const name of ['hostname', 'networkInterfaces', 'userInfo', 'cpus', 'loadavg', 'freemem', 'uptime', 'getPriority',
    'homedir', 'version', 'availableParallelism']) {
    await attempt(`os.${name}`, () => os[name]());
  }
  await attempt('setPriority', () => os.setPriority(os.getPriority()));
  await attempt('cwd', () => process.cwd());
  await attempt('chdir', () => process.chdir('.'));
  await attempt('getgroups', () => process.getgroups());
  if (process.getuid() === 0) {
    await attempt('setgroups', () => process.setgroups([0]));
    await attempt('initgroups', () => process.initgroups('root', 'root'));
    await attempt('setegid', () => process.setegid('root'));
    await attempt('seteuid', () => process.seteuid('root'));
    await attempt('setgid', () => process.setgid(0));
    await attempt('setuid', () => process.setuid(0));
  }
  await attempt('random', () => new Promise((resolve, reject) => {
    require('node:crypto').randomBytes(16, (error) => { if (error) reject(error); else resolve(); });
  }));
  await attempt('import', () => import('node:util'));
  await attempt('stdin', () => new Promise((resolve, reject) => {
    process.stdin.on('data', () => {}).on('end', resolve).on('error', reject);
  }));
})();
