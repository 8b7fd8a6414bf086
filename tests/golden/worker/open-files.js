'use strict';
// Files that a worker leaves open are closed with it, as the process goes on: opened with fs.open, as a FileHandle, by a
// stream, or under way when the worker is terminated. Those that were moved elsewhere, or closed, are left alone.
const fs = require('node:fs');
const { Worker } = require('node:worker_threads');

// By what they refer to: other descriptors come and go with the threads of the runtime.
function openCount() {
  let count = 0;
  for (const fd of fs.readdirSync('/proc/self/fd')) {
    try {
      if (fs.readlinkSync(`/proc/self/fd/${fd}`) === __filename) count++;
    } catch {
      // It was that of the directory itself.
    }
  }
  return count;
}

function run(name, source, { stop = false, options = {} } = {}) {
  return new Promise((resolve) => {
    const setUp = "const fs = require('fs'); const { parentPort, workerData: file } = require('worker_threads');\n";
    const worker = new Worker(setUp + source, { eval: true, workerData: __filename, ...options });
    const kept = [];
    worker.on('message', (message) => {
      if (message?.handle !== undefined) kept.push(message.handle);
      if (message?.fd !== undefined) kept.push({ close: () => fs.closeSync(message.fd) });
      if (stop) worker.terminate();
    });
    worker.on('exit', async (code) => {
      console.log(`${name}: exit ${code}, ${openCount()} open`);
      for (const handle of kept) await handle.close();
      resolve();
    });
  });
}

(async () => {
  await run('openSync', 'for (let i = 0; i < 5; i++) fs.openSync(file)');
  await run('open', "for (let i = 0; i < 5; i++) fs.open(file, 'r', () => {})");
  await run('FileHandle', 'for (let i = 0; i < 5; i++) globalThis[i] = fs.promises.open(file)');
  await run('stream', "globalThis.stream = fs.createReadStream(file).on('open', () => process.exit(3))");
  await run('terminated', 'fs.openSync(file); parentPort.postMessage(1); for (;;);', { stop: true });
  await run('terminated while opening', `
    parentPort.postMessage(1);
    let left = 100;
    (function open() { fs.open(file, () => { if (left-- > 0) open(); else setInterval(() => {}, 1000); }); })();
    for (let i = 0; i < 50; i++) fs.open(file, () => {});`, { stop: true });
  await run('closed', 'fs.closeSync(fs.openSync(file)); fs.close(fs.openSync(file), () => {})');
  await run('moved', "fs.promises.open(file).then((handle) => parentPort.postMessage({ handle }, [handle]))");
  console.log(`at last: ${openCount()} open`);
  await run('not tracked', 'parentPort.postMessage({ fd: fs.openSync(file) })', { options: { trackUnmanagedFds: false } });
})();
