// ES modules as workers: a file, a data: URL, a URL object; with top-level await.
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';

if (isMainThread) {
  const run = async (name, program, options) => {
    const worker = new Worker(program, options);
    const seen = [];
    worker.on('message', (m) => seen.push(m));
    worker.on('error', (e) => seen.push(`${e.name} ${e.code}: ${e.message.split('\n')[0].replace(/file:.*\//, '')}`));
    const code = await new Promise((resolve) => worker.on('exit', resolve));
    console.log(name, code, seen);
  };
  await run('file', new URL(import.meta.url), { workerData: 'd' });
  await run('data URL', new URL('data:text/javascript,import { parentPort } from "worker_threads"; parentPort.postMessage(typeof require)'));
  await run('data URL that throws', new URL('data:text/javascript,throw new RangeError("no")'));
  await run('eval', 'import { parentPort } from "worker_threads"; parentPort.postMessage(typeof import.meta.url)', { eval: true });
  await run('never settles', new URL('data:text/javascript,await new Promise(() => {})'));
} else {
  parentPort.postMessage(['isMain', isMainThread, workerData, process.argv.length, typeof require]);
  await new Promise((resolve) => setTimeout(resolve, 1));
  parentPort.postMessage('awaited');
}
