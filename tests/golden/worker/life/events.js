'use strict';
// The events of a worker, in order. 'online' is counted apart: if the worker has ended before the main thread polls,
// its messages come first (ASY-03).
const { Worker, isMainThread, threadId } = require('worker_threads');
console.log(isMainThread, threadId);

function run(name, code, options) {
  return new Promise((resolve) => {
    const seen = [];
    let online = 0;
    const worker = new Worker(code, { eval: true, ...options });
    worker.on('online', () => { online++; });
    worker.on('message', (m) => seen.push(['message', m]));
    worker.on('messageerror', (e) => seen.push(['messageerror', e]));
    worker.on('error', (e) => seen.push(['error', e instanceof Error ? `${e.name}: ${e.message.split('\n')[0]} ${e.code}` : e]));
    worker.on('exit', (c) => {
      seen.push(['exit', c]);
      console.log(name, online, JSON.stringify(seen), worker.threadId, JSON.stringify(worker.resourceLimits));
      resolve();
    });
  });
}

(async () => {
  const post = 'const { parentPort, workerData, threadId, isMainThread } = require("worker_threads");';
  await run('nothing', '');
  await run('message', `${post} parentPort.postMessage(1); parentPort.postMessage([2, { a: 3 }]);`);
  await run('data', `${post} parentPort.postMessage([workerData, isMainThread, threadId > 0]);`, { workerData: { x: [1n] + '' } });
  await run('exit code', 'process.exit(5)');
  await run('exitCode', 'process.exitCode = 6;');
  await run('exit event', `${post} process.on('exit', (c) => { parentPort.postMessage(['exit', c]); process.exitCode = 9; }); process.exit(5)`);
  await run('natural exit event', `${post} process.on('exit', (c) => parentPort.postMessage(['exit', c])); process.exitCode = 4;`);
  await run('beforeExit', `${post} let n = 0; process.on('beforeExit', (c) => { parentPort.postMessage(['beforeExit', c]); if (n++ < 2) setTimeout(() => {}, 1); });`);
  await run('no finally after exit', `${post} try { process.exit(2) } finally { parentPort.postMessage('finally') }`);
  await run('throws', 'throw new TypeError("x")');
  await run('throws later', 'setTimeout(() => { throw new RangeError("later") }, 1)');
  await run('throws with exit event', `${post} process.on('exit', (c) => parentPort.postMessage(['exit', c])); throw new Error('y')`);
  await run('number', 'throw 5');
  await run('undefined', 'throw undefined');
  await run('object', 'throw { a: 1 }');
  await run('function', 'throw () => {}');
  await run('with function', 'throw { a: () => {} }');
  await run('rejection', 'Promise.reject(new Error("rej"))');
  await run('rejection of a number', 'Promise.reject(7)');
  await run('handled', `${post} process.on('uncaughtException', (e, o) => parentPort.postMessage([e.message, o])); setTimeout(() => parentPort.postMessage('goes on'), 1); throw new Error('q')`);
  await run('handler throws', 'process.on("uncaughtException", () => { throw new Error("second") }); throw new Error("first")');
  await run('handled rejection', `${post} process.on('unhandledRejection', (r) => parentPort.postMessage(['unhandled', r])); Promise.reject(1)`);
  await run('syntax', '1 +');
  await run('missing module', 'require("./nope")');
  await run('await', `const { parentPort } = await import('worker_threads'); await 1; parentPort.postMessage('awaited');`);
  console.log(isMainThread, threadId);
})();
