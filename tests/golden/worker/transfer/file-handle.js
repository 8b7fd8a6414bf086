// A FileHandle goes to another thread, or through a port, if it is in the transfer list; the old one is closed from then on.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const { MessageChannel, Worker, isMainThread, parentPort, receiveMessageOnPort, workerData } = require('worker_threads');

if (!isMainThread) {
  (async () => {
    console.log('worker', workerData.constructor.name, String(await workerData.readFile()));
    await workerData.close();
    parentPort.once('message', async ({ list: [handle] }) => {
      await handle.write('written by a worker');
      parentPort.postMessage(handle, [handle]);
      console.log('given away', handle.fd);
    });
    parentPort.postMessage('ready');
  })();
  return;
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'transfer-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'hello');

function attempt(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

function post(value, list) {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(value, list);
    return receiveMessageOnPort(port2).message;
  } finally {
    port1.close();
  }
}

const countDescriptors = () => fs.readdirSync('/proc/self/fd').length;

async function here() {
  const first = await fs.promises.open(file);
  attempt('not listed', () => post(first));
  attempt('not listed, inside', () => post({ a: [first] }));
  attempt('twice', () => post(first, [first, first]));
  const stat = first.stat();
  attempt('in use', () => post(first, [first]));
  await stat;
  const second = post({ a: [first] }, [first]).a[0];
  console.log(second.constructor.name, second !== first, second instanceof first.constructor, first.fd, second.fd >= 0);
  console.log(String((await second.read(Buffer.alloc(5), 0, 5, 0)).buffer));
  await first.read(Buffer.alloc(1), 0, 1, 0).catch((error) => console.log(error.code, error.message));
  await first.close();
  const third = structuredClone(second, { transfer: [second] });
  console.log(third.constructor.name, second.fd, third.fd >= 0);
  const stream = third.createReadStream();
  attempt('with a stream', () => post(third, [third]));
  await new Promise((resolve) => stream.on('close', resolve).destroy());
  const closing = await fs.promises.open(file);
  const closed = closing.close();
  attempt('closing', () => post(closing, [closing]));
  await closed;
}

// A handle that is never received is closed.
async function lost() {
  const before = countDescriptors();
  for (let i = 0; i < 20; i++) {
    const handle = await fs.promises.open(file);
    const { port1, port2 } = new MessageChannel();
    port1.postMessage({ handle }, [handle]);
    await new Promise((resolve) => {
      port2.on('close', resolve);
      port2.close();
    });
  }
  console.log('lost', countDescriptors() - before);
}

async function toWorker() {
  const handle = await fs.promises.open(file);
  const worker = new Worker(__filename, { workerData: handle, transferList: [handle] });
  console.log('main', handle.fd);
  await new Promise((resolve) => worker.once('message', resolve));
  const output = await fs.promises.open(path.join(folder, 'output'), 'w+');
  worker.postMessage({ list: [output] }, [output]);
  const [back] = await Promise.all([
    new Promise((resolve) => worker.once('message', resolve)),
    new Promise((resolve) => worker.on('exit', resolve)),
  ]);
  console.log('back', String((await back.read(Buffer.alloc(40), 0, 40, 0)).buffer).replace(/\0/g, ''));
  await back.close();
}

(async () => {
  await here();
  await lost();
  await toWorker();
  fs.rmSync(folder, { recursive: true });
})();
