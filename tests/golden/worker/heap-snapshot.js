// worker.getHeapSnapshot(), and the options that v8's own functions share with it.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const v8 = require('v8');
const { Readable } = require('stream');
const { Worker } = require('worker_threads');

async function read(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  const snapshot = JSON.parse(text);
  return `${Object.keys(snapshot).slice(0, 3)} ${snapshot.strings.includes('NameThatOnlyTheWorkerHas')}`;
}

const bad = [1, null, 'a', { exposeInternals: 1 }, { exposeNumericValues: 'yes' }];
async function refuse(label, action) {
  for (const options of bad) {
    try {
      await action(options);
      console.log('taken');
    } catch (error) {
      console.log(label, error.code, error.message);
    }
  }
}

const worker = new Worker(`
  class NameThatOnlyTheWorkerHas {}
  globalThis.kept = new NameThatOnlyTheWorkerHas();
  const { parentPort } = require('worker_threads');
  parentPort.once('message', () => {});
  parentPort.postMessage('ready');`, { eval: true });
worker.once('message', async () => {
  const stream = await worker.getHeapSnapshot();
  console.log(stream instanceof Readable, stream.constructor.name);
  console.log(await read(stream));
  const [one, two] = await Promise.all([
    worker.getHeapSnapshot({ exposeNumericValues: true }), worker.getHeapSnapshot({ exposeInternals: true }),
  ]);
  console.log(await read(one), await read(two));
  await refuse('worker', (options) => worker.getHeapSnapshot(options));
  await worker.terminate();
  await worker.getHeapSnapshot().catch((error) => console.log(error.code, error.message));
  await refuse('v8', (options) => v8.getHeapSnapshot(options));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'snapshot-'));
  const file = path.join(folder, 'heap');
  await refuse('write', (options) => v8.writeHeapSnapshot(file, options));
  console.log(fs.readdirSync(folder));
  console.log(v8.writeHeapSnapshot(file, { exposeNumericValues: true }) === file, fs.statSync(file).size > 1000);
  fs.rmSync(folder, { recursive: true });
  console.log(await read(v8.getHeapSnapshot()));
});
