'use strict';
// workerData, transferList, environment data, shared memory.
const { Worker, MessageChannel, setEnvironmentData, getEnvironmentData } = require('worker_threads');
const { once } = require('events');

async function run(name, code, options) {
  const worker = new Worker(`const { parentPort, workerData, getEnvironmentData, setEnvironmentData } = require('worker_threads'); const p = (...v) => parentPort.postMessage(v); ${code}`, { eval: true, ...options });
  worker.on('message', (m) => console.log(name, ...m));
  worker.on('error', (e) => console.log(name, 'error', e.message));
  await once(worker, 'exit');
}

(async () => {
  await run('undefined', 'p(workerData)');
  await run('null', 'p(workerData)', { workerData: null });
  await run('kinds', 'p(workerData, workerData.map.get("k"), workerData.date instanceof Date, workerData.re.flags, workerData.self === workerData)',
    { workerData: (() => { const o = { map: new Map([['k', new Set([1])]]), date: new Date(0), re: /x/gi, big: 10n, nan: NaN, hole: [, 1] }; o.self = o; return o; })() });
  const buffer = new ArrayBuffer(8);
  await run('moved', 'p(workerData.byteLength)', { workerData: buffer, transferList: [buffer] });
  console.log(buffer.byteLength);
  const shared = new SharedArrayBuffer(4);
  const view = new Int32Array(shared);
  await run('shared', 'const v = new Int32Array(workerData); Atomics.store(v, 0, 42); p(workerData instanceof SharedArrayBuffer)', { workerData: shared });
  console.log(Atomics.load(view, 0));

  const { port1, port2 } = new MessageChannel();
  port1.on('message', (m) => console.log('port1', m));
  const closed = new Promise((resolve) => port1.on('close', resolve));
  await run('port', 'workerData.port.postMessage("through the port"); workerData.port.close()', { workerData: { port: port2 }, transferList: [port2] });
  await closed;

  setEnvironmentData('key', { a: 1 });
  setEnvironmentData('gone', 1);
  setEnvironmentData('gone', undefined);
  setEnvironmentData({}.x, 'under undefined');
  await run('environment data', 'p(getEnvironmentData("key"), getEnvironmentData("gone"), getEnvironmentData(undefined)); setEnvironmentData("key", 2)');
  console.log(getEnvironmentData('key'), getEnvironmentData('none'));
  await run('inherited', `
    setEnvironmentData('more', 5);
    const { Worker } = require('worker_threads');
    new Worker('const w = require("worker_threads"); w.parentPort.postMessage([w.getEnvironmentData("key"), w.getEnvironmentData("more")])', { eval: true }).on('message', (m) => p(m));`);
  console.log(getEnvironmentData('more'));
})();
