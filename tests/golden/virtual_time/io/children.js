'use strict';
// A child lives in real time, and so does who waits for it.
const { execFile, spawn } = require('child_process');
const start = Date.now();
const later = setTimeout(() => console.log('an hour later', Date.now() - start), 3600000);
const run = (code, options) => new Promise((resolve) => {
  execFile(process.execPath, ['-e', code], options, (error, stdout) => resolve([error?.killed ?? false, stdout.trim()]));
});

(async () => {
  console.log(await run('setTimeout(() => console.log("done"), 100)'), later.hasRef());
  // Its time limit is in the same time.
  console.log(await run('setTimeout(() => {}, 1e8)', { timeout: 100 }));
  // An unref'd one does not stop the clock.
  const forgotten = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 1e8)'], { stdio: 'ignore' });
  forgotten.unref();
  await new Promise((resolve) => { setTimeout(resolve, 7200000); });
  console.log('more than two hours:', Date.now() - start >= 7200000);
  forgotten.ref();
  forgotten.kill();
  forgotten.on('exit', (code, signal) => console.log(signal));
})();
