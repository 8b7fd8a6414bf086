'use strict';
// process.binding(), which old packages use, and --abort-on-uncaught-exception beside a function that catches all.
const util = require('util');
const { spawnSync } = require('child_process');

const types = process.binding('util');
console.log(Object.keys(types).sort().join(' '), Object.keys(types).every((name) => types[name] === util.types[name]));
console.log(process.binding('config').hasOpenSSL);
console.log(process.binding('uv').errname(-2), process.binding('uv').UV_ENOENT);
console.log(process.binding('constants').os.signals.SIGINT, process.binding('constants').fs.O_RDONLY);
console.log('fs' in process.binding('natives'), 'nonesuch' in process.binding('natives'));
for (const name of ['nonesuch', undefined, '__proto__', 'toString']) {
  try {
    process.binding(name);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

function run(...args) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  const warnings = stderr.split('\n').filter((line) => line.startsWith('(node:')).map((line) => line.replace(/\d+/, 'PID'));
  console.log(status, signal !== null, JSON.stringify(stdout), warnings);
}
run('-e', 'process.binding("util")');
run('--pending-deprecation', '-e', 'process.binding("util"); process.binding("uv")');
const capture = 'process.setUncaughtExceptionCaptureCallback((error) => console.log(error.message));';
run('--abort-on-uncaught-exception', '-e', `${capture} setImmediate(() => console.log('on')); throw new Error('x')`);
run('-e', `${capture} require('v8').setFlagsFromString('--abort-on-uncaught-exception'); throw new Error('x')`);
run('--abort-on-uncaught-exception', '-e', 'console.log("before"); process.exit(42)');
run('--abort-on-uncaught-exception', '-e', `
  const worker = new (require('worker_threads').Worker)('for (;;);', { eval: true });
  worker.on('online', () => worker.terminate().then(() => console.log('terminated')));`);
run('--abort-on-uncaught-exception', '-e', 'throw new Error("x")');
run('--abort-on-uncaught-exception', '-e', `${capture} process.setUncaughtExceptionCaptureCallback(null); throw new Error("x")`);
const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(process), 'constructor');
console.log(writable, enumerable, configurable);

process.env.CLONED = 'yes';
const copy = structuredClone(process.env);
console.log(copy.CLONED, util.isDeepStrictEqual(copy, { ...process.env }));
process.env.CLONED = 'no';
console.log(copy.CLONED);
