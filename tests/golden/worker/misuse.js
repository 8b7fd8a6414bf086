'use strict';
const { Worker, MessagePort } = require('worker_threads');

function attempt(name, f) {
  try {
    const result = f();
    console.log(name, 'made', result.constructor.name);
    if (result instanceof Worker) result.on('error', () => {}).terminate();
  } catch (e) {
    console.log(name, e.name, e.code, e.message);
  }
}

attempt('no new', () => Worker('./x'));
for (const filename of [undefined, null, 1, {}, [], Symbol('s'), true, () => {}]) attempt('filename', () => new Worker(filename));
for (const filename of ['foo', 'foo.js', 'http://x/', 'file:///a/b', '', 'C:\\x']) attempt('path', () => new Worker(filename));
attempt('url', () => new Worker(new URL('http://a/')));
attempt('eval of a URL', () => new Worker(new URL('data:text/javascript,1'), { eval: true }));
attempt('eval of nothing', () => new Worker(undefined, { eval: true }));
for (const argv of [1, 'x', {}, true]) attempt('argv', () => new Worker('', { eval: true, argv }));
for (const execArgv of [1, 'x', {}]) attempt('execArgv', () => new Worker('', { eval: true, execArgv }));
attempt('execArgv', () => new Worker('', { eval: true, execArgv: ['--no-such-flag'] }));
attempt('execArgv', () => new Worker('', { eval: true, execArgv: ['--no-such-flag', '--no-warnings', 'plain'] }));
attempt('execArgv', () => new Worker('', { eval: true, execArgv: ['--max-old-space-size=10'] }));
for (const env of [1, 'x', true, Symbol('s')]) attempt('env', () => new Worker('', { eval: true, env }));
for (const name of [1, {}, true]) attempt('name', () => new Worker('', { eval: true, name }));
attempt('workerData', () => new Worker('', { eval: true, workerData: () => {} }));
attempt('workerData', () => new Worker('', { eval: true, workerData: { get x() { throw new Error('getter') } } }));
attempt('transferList', () => new Worker('', { eval: true, transferList: [1] }));
attempt('null options', () => new Worker('', { eval: true, workerData: null, env: null, argv: null, execArgv: null, stdin: null }));
attempt('resourceLimits', () => new Worker('', { eval: true, resourceLimits: { maxOldGenerationSizeMb: 'x' } }));
attempt('throwing getter', () => new Worker('', { get eval() { throw new RangeError('from the getter'); } }));
attempt('MessagePort', () => new MessagePort());
attempt('MessagePort', () => MessagePort());
