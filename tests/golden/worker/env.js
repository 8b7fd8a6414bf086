'use strict';
const { Worker, SHARE_ENV } = require('worker_threads');
const { once } = require('events');

async function run(name, code, options) {
  const worker = new Worker(`const { parentPort } = require('worker_threads'); const p = (...v) => parentPort.postMessage(v); ${code}`, { eval: true, ...options });
  worker.on('message', (m) => console.log(name, ...m));
  await once(worker, 'exit');
}

(async () => {
  process.env.RONDO_TEST_A = 'one';
  await run('copy', 'p(process.env.RONDO_TEST_A); process.env.RONDO_TEST_A = "two"; process.env.RONDO_TEST_B = 3; p(process.env.RONDO_TEST_A, process.env.RONDO_TEST_B); delete process.env.RONDO_TEST_A; p("RONDO_TEST_A" in process.env)');
  console.log(process.env.RONDO_TEST_A, process.env.RONDO_TEST_B);
  await run('object', 'p(Object.keys(process.env).sort(), process.env.n, typeof process.env.n, process.env.u, process.env.toString === Object.prototype.toString)', { env: { n: 1, s: 'x', u: undefined } });
  await run('empty', 'p(Object.keys(process.env)); process.env.x = true; p(Object.keys(process.env), JSON.stringify(process.env), { ...process.env })', { env: {} });
  await run('null', 'p(process.env.RONDO_TEST_A)', { env: null });
  await run('share', 'p(process.env.RONDO_TEST_A); process.env.RONDO_TEST_A = "shared"; delete process.env.RONDO_TEST_B', { env: SHARE_ENV });
  console.log(process.env.RONDO_TEST_A);
  await run('share of a share', `
    const { Worker, SHARE_ENV } = require('worker_threads');
    new Worker('process.env.RONDO_TEST_C = "deep"', { eval: true, env: SHARE_ENV }).on('exit', () => p(process.env.RONDO_TEST_C));`, { env: SHARE_ENV });
  console.log(process.env.RONDO_TEST_C);
  await run('copy of a copy', `
    const { Worker } = require('worker_threads');
    process.env.ONLY = 'here';
    new Worker('require("worker_threads").parentPort.postMessage(process.env.ONLY)', { eval: true }).on('message', (m) => p(m));`, { env: {} });
  await run('symbols', 'try { process.env.x = Symbol("s") } catch (e) { p(e.name, e.message) } try { process.env[Symbol("s")] = 1 } catch (e) { p(e.name, e.message) } p(process.env[Symbol("q")])');
})();
