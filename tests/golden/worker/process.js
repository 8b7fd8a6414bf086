'use strict';
// Differences of process in a worker.
const { Worker } = require('worker_threads');
const { once } = require('events');

async function run(code, options) {
  const worker = new Worker(`const { parentPort } = require('worker_threads'); const p = (...v) => parentPort.postMessage(v); ${code}`, { eval: true, ...options });
  worker.on('message', (m) => console.log(...m));
  worker.on('error', (e) => console.log('error', e.message));
  await once(worker, 'exit');
}

(async () => {
  for (const name of ['abort', 'chdir', 'initgroups', 'setgroups', 'setegid', 'seteuid', 'setgid', 'setuid']) {
    await run(`try { process.${name}('/') } catch (e) { p(e.name, e.code, e.message, process.${name}.disabled) }`);
  }
  await run('p(process.umask() >= 0); try { process.umask(0) } catch (e) { p(e.code, e.message) }');
  await run('p(process.argv.slice(1), process.execArgv)', { argv: ['a', 1, null, { toString: () => 'o' }] });
  await run('p(process.argv.slice(1), process.execArgv)', { execArgv: ['--no-warnings'] });
  await run('process.emitWarning("not shown"); p(process.execArgv)', { execArgv: ['--no-warnings'] });
  await run('p(typeof process.pid, process.pid === ' + process.pid + ', process.cwd() === ' + JSON.stringify(process.cwd()) + ')');
  await run('process.on("SIGINT", () => {}); p(process.listenerCount("SIGINT"))');
  await run('p(__filename, __dirname, typeof module, typeof exports, require.main === module)');
  await run('p(typeof process.exit, typeof process.reallyExit, process.connected, process.send, process.channel)');
  await run('p(process.version === ' + JSON.stringify(process.version) + ', process.platform, process.title.length > 0)');
  await run('p(typeof performance.now(), typeof structuredClone, typeof fetch === typeof globalThis.fetch, typeof queueMicrotask)');
  await run('process.title = "mine"; p(process.title === "mine")');
})();
