'use strict';
// The worker option trackUnmanagedFds: warnings for descriptors that other code has closed or opened.
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const fs = require('fs');
const { once } = require('events');

if (isMainThread) {
  (async () => {
    for (const trackUnmanagedFds of [true, false, undefined]) {
      for (const kind of ['twice', 'closed', 'asynchronous', 'balanced']) {
        const fd = kind === 'closed' ? fs.openSync(__filename) : undefined;
        const worker = new Worker(__filename, { trackUnmanagedFds, workerData: { kind, fd } });
        worker.on('message', async (message) => {
          if (message.fd === undefined) return console.log(trackUnmanagedFds, kind, message);
          fs.closeSync(message.fd);
          worker.postMessage('closed');
        });
        await once(worker, 'exit');
        if (kind === 'asynchronous' && trackUnmanagedFds === false) continue;
      }
    }
  })();
} else {
  const { kind, fd } = workerData;
  process.on('warning', ({ name, message }) => parentPort.postMessage({ name, message: message.replace(/\d+/, 'N') }));
  if (kind === 'closed') {
    fs.closeSync(fd);
  } else if (kind === 'balanced') {
    fs.closeSync(fs.openSync(__filename));
    fs.open(__filename, (error, opened) => fs.close(opened, () => {}));
    fs.promises.open(__filename).then((handle) => handle.close());
    fs.createReadStream(__filename).resume();
  } else {
    parentPort.postMessage({ fd: fs.openSync(__filename) });
    parentPort.once('message', () => {
      if (kind === 'twice') fs.closeSync(fs.openSync(__filename));
      else fs.open(__filename, (error, opened) => fs.close(opened, () => {}));
    });
  }
}
