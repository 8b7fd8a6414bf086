'use strict';
const { Worker, postMessageToThread, threadId } = require('worker_threads');
const { once } = require('events');
async function attempt(name, ...args) {
  try {
    console.log(name, await postMessageToThread(...args));
  } catch (e) {
    console.log(name, e.name, e.code, e.message);
  }
}
(async () => {
  await attempt('nobody', 9999, 1);
  await attempt('self', threadId, 1);
  const worker = new Worker(`
    const { parentPort, postMessageToThread, threadId } = require('worker_threads');
    parentPort.on('message', (m) => {
      if (m === 'listen') process.on('workerMessage', (value, source) => { if (value === 'throw') throw new Error('x'); parentPort.postMessage(['got', value, source]); });
      else if (m === 'send') postMessageToThread(0, { from: 'worker' }).then(() => parentPort.postMessage('delivered'), (e) => parentPort.postMessage(e.code));
      else if (m === 'end') parentPort.close();
      parentPort.postMessage(m);
    });`, { eval: true });
  const ask = async (m) => { worker.postMessage(m); await once(worker, 'message'); };
  await once(worker, 'online');
  await ask('hello');
  await attempt('no listeners', worker.threadId, 1);
  await ask('listen');
  const messages = [];
  worker.on('message', (m) => messages.push(m));
  await attempt('delivered', worker.threadId, { a: 1 });
  await attempt('throws', worker.threadId, 'throw');
  const buffer = new ArrayBuffer(4);
  await attempt('transfer', worker.threadId, buffer, [buffer]);
  console.log(buffer.byteLength);
  await attempt('timeout', worker.threadId, 5, 100000);
  await attempt('bad timeout', worker.threadId, 1, [], 'x');
  await attempt('bad timeout', worker.threadId, 1, -1);
  await attempt('function', worker.threadId, () => {});
  process.once('workerMessage', (value, source) => console.log('main got', value, source === worker.threadId));
  worker.postMessage('send');
  await once(process, 'workerMessage');
  while (!messages.includes('delivered')) await once(worker, 'message');
  worker.postMessage('end');
  const id = worker.threadId;
  await once(worker, 'exit');
  await attempt('ended', id, 1);
  console.log(messages.filter((m) => m !== 'end'));
})();
