// util.setTraceSigInt() and --trace-sigint: SIGINT prints where JavaScript is, then does what it would have done.
'use strict';
const { spawnSync } = require('child_process');
const { setTraceSigInt } = require('util');
const { Worker } = require('worker_threads');

const busy = "function busy() { process.kill(process.pid, 'SIGINT'); for (;;); }";
for (const [args, code] of [
  [[], `util.setTraceSigInt(true); ${busy} busy();`],
  [['--trace-sigint'], `${busy} busy();`],
  [['--trace-sigint'], `util.setTraceSigInt(false); ${busy} busy();`],
  [[], `util.setTraceSigInt(true); util.setTraceSigInt(true); util.setTraceSigInt(false); ${busy} busy();`],
  [['--trace-sigint'], "process.stdin.resume(); setTimeout(() => process.kill(process.pid, 'SIGINT'), 1); setInterval(() => {}, 1000);"],
]) {
  const { signal, status, stderr } = spawnSync(process.execPath, [...args, '-e', code], { encoding: 'utf8', input: '' });
  console.log(signal, status, stderr.split('\n')[0], /^ {4}at busy \(\[eval\]/m.test(stderr));
}
console.log(setTraceSigInt(false));
new Worker(`
  try {
    require('util').setTraceSigInt(true);
  } catch (error) {
    console.log(error.code, error.message);
  }`, { eval: true });
