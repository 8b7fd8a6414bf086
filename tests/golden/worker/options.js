// Options of workers: NODE_OPTIONS in their environment, --input-type, --trace-exit, channels, directories.
'use strict';
const { Worker } = require('worker_threads');
const { spawnSync } = require('child_process');
const path = require('path');

function run(text, options) {
  return new Promise((resolve) => {
    const worker = new Worker(text, { eval: true, ...options });
    worker.on('message', (message) => console.log(message));
    worker.on('error', (error) => console.log(error.name, error.message));
    worker.on('exit', resolve);
  });
}

async function main() {
  for (const NODE_OPTIONS of ['--nonexistent', '--title=x', '--require', '"--x', '--trace-exit --nope', '-e 1', '--version']) {
    try {
      await run('0', { env: { NODE_OPTIONS } });
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }
  const flags = "require('worker_threads').parentPort.postMessage([process.execArgv, process.noDeprecation, process.env.NODE_OPTIONS])";
  await run(flags, { env: { NODE_OPTIONS: '--no-deprecation' } });
  await run(flags, { env: { NODE_OPTIONS: '--no-deprecation' }, execArgv: ['--no-warnings'] });
  await run(flags, { env: {}, execArgv: ['--no-deprecation'] });

  const module = "import worker from 'worker_threads'; worker.parentPort.postMessage(typeof import.meta.url);";
  const script = "require('worker_threads').parentPort.postMessage(typeof require);";
  for (const type of ['module', 'commonjs', 'module-typescript', 'commonjs-typescript']) {
    for (const text of [module, script]) await run(text, { execArgv: [`--input-type=${type}`, '--no-warnings'] });
  }

  await run(`
    const { parentPort } = require('worker_threads');
    for (const name of ['send', 'disconnect', 'channel', 'connected']) {
      try {
        const value = process[name];
        parentPort.postMessage([name, value.disabled]);
        value();
      } catch (error) {
        parentPort.postMessage([error.code, error.message]);
      }
    }`, { env: { NODE_CHANNEL_FD: 'x' } });

  const before = process.cwd();
  const worker = new Worker("const { parentPort } = require('worker_threads');" +
    'parentPort.on("message", () => parentPort.postMessage(process.cwd())); parentPort.postMessage(process.cwd());', { eval: true });
  const next = () => new Promise((resolve) => worker.once('message', resolve));
  console.log(await next() === before);
  process.chdir(path.dirname(__dirname));
  worker.postMessage('');
  console.log(await next() === path.dirname(__dirname));
  process.chdir(before);
  worker.postMessage('');
  console.log(await next() === before);
  await worker.terminate();

  const text = "new (require('worker_threads').Worker)('function f() { process.exit(4); } f();', { eval: true, execArgv: ['--trace-exit'] })";
  const { stderr } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  console.log(stderr.split('\n')[0].replace(/\d{2,}/, 'PID'), stderr.includes('    at f ([worker eval]:1:'));
  const main = spawnSync(process.execPath, ['--trace-exit', '-e', 'process.exit(3)'], { encoding: 'utf8' });
  console.log(main.status, main.stderr.split('\n')[0].replace(/\d{2,}/, 'PID'), main.stderr.includes('    at [eval]:1:9'));
}
main();
