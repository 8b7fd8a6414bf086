'use strict';
// A worker that is stopped while its children start or run leaves no zombie and no descriptor behind.
const { Worker, isMainThread } = require('worker_threads');
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');

const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

if (isMainThread) {
  const descriptors = () => fs.readdirSync('/proc/self/fd').length;
  // Zombies among them. The one that tells is not counted.
  const children = () => spawnSync('ps', ['-o', 'stat=,comm=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .stdout.split('\n').filter((line) => line !== '' && !line.endsWith(' ps')).length;
  (async () => {
    const stopped = async (after) => {
      const worker = new Worker(__filename);
      await rest(after);
      await worker.terminate();
    };
    // Until they have all ended; those that do so after their worker are collected at the next start.
    const settled = async (most) => {
      let left;
      let open;
      for (let tries = 0; tries < 100; tries++) {
        await new Promise((resolve) => spawn('true').on('close', resolve));
        await rest(50);
        left = children();
        open = descriptors();
        if (left === 0 && open <= most) break;
      }
      return [left, open];
    };
    await stopped(100);
    const [, before] = await settled(Infinity);
    for (const after of [0, 10, 20, 40, 60, 80, 100, 120]) await stopped(after);
    const [left, open] = await settled(before);
    console.log(left, Math.max(open - before, 0));
  })();
} else {
  spawn('sleep', ['0.2']);
  for (let i = 0; i < 5; i++) spawn('sh', ['-c', 'exit 3']).on('exit', () => {});
  setInterval(() => {}, 1000);
}
