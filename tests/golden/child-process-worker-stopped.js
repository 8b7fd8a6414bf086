'use strict';
// A worker that is stopped while its children start or run leaves no zombie and no descriptor behind.
const { Worker, isMainThread } = require('worker_threads');
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

if (isMainThread) {
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  const zombies = () => spawnSync('ps', ['-o', 'stat=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .stdout.split('\n').filter((line) => line.startsWith('Z')).length;
  (async () => {
    const stopped = async (after) => {
      const worker = new Worker(__filename);
      await rest(after);
      await worker.terminate();
    };
    await stopped(100);
    await rest(300);
    await new Promise((resolve) => spawn('true').on('close', resolve));
    await rest(50);
    const before = descriptors();
    for (const after of [0, 10, 20, 40, 60, 80, 100, 120]) await stopped(after);
    await rest(300);
    // Those that ended after their worker are collected at the next start.
    await new Promise((resolve) => spawn('true').on('close', resolve));
    await rest(50);
    console.log(zombies(), descriptors() - before);
  })();
} else {
  spawn('sleep', ['0.2']);
  for (let i = 0; i < 5; i++) spawn('sh', ['-c', 'exit 3']).on('exit', () => {});
  setInterval(() => {}, 1000);
}
