'use strict';
// A program on standard input runs when that has ended, in poll: its immediates come before its timers.
const { spawnSync } = require('child_process');
const run = (program, ...args) => {
  const { status, stdout } = spawnSync(process.execPath, [...args, '-'], { input: program, encoding: 'utf8' });
  console.log(status, stdout);
};
run(`
  setTimeout(() => console.log('timer'), 0);
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  console.log(process.stdin.readableEnded, process.stdin.destroyed);
  for (const event of ['data', 'end', 'close']) process.stdin.on(event, () => console.log(event));
  process.on('exit', (code) => console.log('exit', code));
`);
run(`
  process.on('uncaughtException', (error) => console.log('uncaughtException', error.message));
  setImmediate(() => console.log('immediate'));
  throw new Error('thrown');
`);
run('process.exitCode = 3; console.log(await 1);', '--input-type=module');
