'use strict';
// terminate() ends whatever a worker is doing.
const { Worker } = require('worker_threads');

async function stop(name, code) {
  const worker = new Worker(code, { eval: true });
  let exits = 0;
  worker.on('exit', () => exits++);
  worker.on('message', (m) => console.log('message', m));
  await new Promise((resolve) => worker.once('online', resolve));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const code1 = await worker.terminate();
  console.log(name, code1, exits, worker.threadId, await worker.terminate());
}

(async () => {
  await stop('endless loop', 'for (;;);');
  await stop('endless microtasks', '(async () => { for (;;) await null; })()');
  await stop('endless ticks', 'process.emitWarning = () => {}; (function f() { process.nextTick(f); })()');
  await stop('endless immediates', '(function f() { setImmediate(f); })()');
  await stop('interval', 'setInterval(() => {}, 1000)');
  await stop('Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
  await stop('waiting for messages', 'require("worker_threads").parentPort.on("message", () => {})');
  await stop('catch and finally', 'for (;;) { try { for (;;); } catch { } finally { for (;;); } }');
  await stop('exit listeners do not run', 'process.on("exit", () => require("worker_threads").parentPort.postMessage("never")); for (;;);');
  await stop('regular expression', '/^(a+)+$/.exec("a".repeat(40) + "b")');
  await stop('nested', 'const { Worker } = require("worker_threads"); new Worker("for (;;);", { eval: true }); for (;;);');

  // Before it has begun.
  const early = new Worker('setInterval(() => {}, 1000)', { eval: true });
  console.log('early', typeof await early.terminate());
  // Twice.
  const twice = new Worker('for (;;);', { eval: true });
  const codes = await Promise.all([twice.terminate(), twice.terminate()]);
  console.log('twice', codes[0] === codes[1]);
  // After its end.
  const over = new Worker('', { eval: true });
  over.on('exit', async (code) => {
    console.log('over', code, await over.terminate());
    over.postMessage('nobody');
    over.ref();
    over.unref();
  });
})();
