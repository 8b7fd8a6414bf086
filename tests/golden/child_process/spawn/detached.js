'use strict';
// detached, unref() and ref(): waiting for children.
const { spawn, spawnSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

if (process.argv[2] === 'leaves') {
  // Ends at once, though its child runs on.
  const child = spawn('sh', ['-c', `sleep 0.2; echo ran on > ${process.argv[3]}`], { detached: true, stdio: 'ignore' });
  child.on('exit', () => console.log('never'));
  child.unref();
  process.exit(0);
} else if (process.argv[2] === 'unrefs') {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  child.unref();
  process.on('exit', () => child.kill('SIGKILL'));
} else if (process.argv[2] === 'pipes') {
  // The pipes count, too, as long as they are read.
  const child = spawn('sleep', ['60']);
  child.unref();
  for (const stream of child.stdio) stream.unref();
  process.on('exit', () => child.kill('SIGKILL'));
} else if (process.argv[2] === 'refs') {
  const child = spawn('sh', ['-c', 'sleep 0.1'], { stdio: 'ignore' });
  child.unref();
  child.ref();
  child.on('exit', () => console.log('waited'));
} else {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-'));
  const file = path.join(folder, 'out');
  for (const mode of ['leaves', 'unrefs', 'pipes', 'refs']) {
    const { status, stdout } = spawnSync(process.execPath, [__filename, mode, file], { encoding: 'utf8' });
    console.log(mode, status, stdout);
  }
  while (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') === '') spawnSync('sleep', ['0.05']);
  console.log(fs.readFileSync(file, 'utf8'));
  fs.rmSync(folder, { recursive: true });
  // Its own group and session.
  const group = (detached) => {
    const { stdout } = spawnSync('sh', ['-c', 'echo $$; ps -o pgid=,sid= -p $$'], { detached, encoding: 'utf8' });
    const [pid, pgid, sid] = stdout.trim().split(/\s+/);
    return [pid === pgid, pid === sid];
  };
  console.log(group(false), group(true));
}
