'use strict';
// spawn.cjs MODE SECONDS: starts children for that long, and prints their number, the elapsed time, and the CPU time
// of this process. The first tenth is a warm-up.
const { spawn, spawnSync, execFile, fork } = require('node:child_process');

const mode = process.argv[2];
const seconds = +process.argv[3];
const now = () => Number(process.hrtime.bigint()) / 1e9;

if (mode === 'answer') {
  process.on('message', (message) => process.send(message));
  process.on('disconnect', () => process.exit());
} else {
  const modes = {
    ignore: () => new Promise((resolve, reject) => {
      spawn('/bin/true', { stdio: 'ignore' }).on('error', reject).on('exit', resolve);
    }),
    pipes: () => new Promise((resolve, reject) => {
      spawn('/bin/true').on('error', reject).on('close', resolve);
    }),
    exec: () => new Promise((resolve, reject) => {
      execFile('/bin/echo', ['hello'], (error, stdout) => (error || stdout !== 'hello\n' ? reject(error) : resolve()));
    }),
    sync: async () => {
      if (spawnSync('/bin/true').status !== 0) throw new Error('it failed');
    },
  };

  const measure = async (one, atOnce) => {
    let count = 0;
    let start = now();
    let used = process.cpuUsage();
    const warm = start + seconds / 10;
    const end = start + seconds * 1.1;
    let isWarm = false;
    const run = async () => {
      for (let time = now(); time < end || count === 0; time = now()) {
        if (!isWarm && time >= warm) {
          isWarm = true;
          start = time;
          used = process.cpuUsage();
          count = 0;
        }
        await one();
        count++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, run));
    const { user, system } = process.cpuUsage(used);
    console.log(count, now() - start, (user + system) / 1e6);
  };

  const messages = async (size) => {
    const child = fork(__filename, ['answer', '0']);
    const text = 'x'.repeat(size);
    let heard;
    child.on('message', () => heard());
    const one = () => new Promise((resolve) => {
      heard = resolve;
      child.send({ text });
    });
    await one();
    await measure(one, 1);
    child.disconnect();
  };

  if (mode === 'messages') messages(100);
  else if (mode === 'large messages') messages(100000);
  else measure(modes[mode.split(' ')[0]], +(mode.split(' ')[1] ?? 1));
}
