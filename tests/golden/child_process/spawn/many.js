'use strict';
// Many children at once: none is lost, no zombie and no descriptor is left behind.
const { spawn, spawnSync, exec } = require('child_process');
const fs = require('fs');

const descriptors = () => fs.readdirSync('/proc/self/fd').length;
function zombies() {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line.startsWith('Z')).length;
}
const closed = (child) => new Promise((resolve) => child.on('close', (code, signal) => resolve([code, signal])));

(async () => {
  await closed(spawn('true'));
  spawnSync('true');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const before = descriptors();
  const left = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return [zombies(), descriptors() - before];
  };

  const hundred = [];
  for (let i = 0; i < 100; i++) {
    const child = spawn('sh', ['-c', `read line; echo "$line"; exit ${i}`]);
    let text = '';
    child.stdout.on('data', (chunk) => { text += chunk; });
    child.stdin.end(`line ${i}\n`);
    hundred.push(closed(child).then(([code]) => code === i && text === `line ${i}\n`));
  }
  console.log((await Promise.all(hundred)).every(Boolean), await left());

  // Killed in all states: at once, when it runs, while it writes, when it is over.
  const killed = [];
  for (let i = 0; i < 20; i++) {
    const child = spawn('cat', ['/dev/zero']);
    child.stdin.on('error', () => {});
    if (i % 4 === 0) child.kill('SIGKILL');
    else if (i % 4 === 1) child.on('spawn', () => child.kill('SIGKILL'));
    else if (i % 4 === 2) child.stdout.once('data', () => child.kill('SIGKILL'));
    else setTimeout(() => child.kill('SIGKILL'), i);
    killed.push(closed(child));
  }
  const ends = await Promise.all(killed);
  console.log(ends.every(([code, signal]) => code === null && signal === 'SIGKILL'), await left());

  // Those that cannot be run leave nothing, either.
  const failed = [];
  for (let i = 0; i < 20; i++) {
    const child = spawn('no-such-program-here');
    child.on('error', () => {});
    failed.push(closed(child));
  }
  await Promise.all(failed);
  for (let i = 0; i < 5; i++) {
    try {
      spawn('true', ['x'.repeat(1 << 20)]);
    } catch (error) {
      if (error.code !== 'E2BIG') throw error;
    }
  }
  console.log(await left());
  let done = 0;
  for (let i = 0; i < 20; i++) exec('exit 1', () => { done++; });
  while (done < 20) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log(done, await left());
})();
