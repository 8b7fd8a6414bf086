'use strict';
// util.promisify of exec and execFile.
const { promisify } = require('util');
const { exec, execFile, ChildProcess, spawn } = require('child_process');

(async () => {
  const promise = promisify(exec)('echo out; echo err >&2');
  console.log(promise instanceof Promise, promise.child instanceof ChildProcess);
  console.log(await promise);
  console.log(await promisify(execFile)('echo', ['a'], { encoding: 'buffer' }));
  for (const start of [
    () => promisify(exec)('echo out; echo err >&2; exit 2'),
    () => promisify(execFile)('sh', ['-c', 'echo out; kill -15 $$']),
    () => promisify(execFile)('no-such-program-here'),
    () => promisify(exec)('echo 12345', { maxBuffer: 2 }),
  ]) {
    try {
      await start();
    } catch (error) {
      console.log(error.message, error.code, error.killed, error.signal, error.cmd, error.stdout, error.stderr);
      console.log(Object.keys(error));
    }
  }
  for (const wrong of [() => promisify(exec)(), () => promisify(execFile)(1), () => promisify(execFile)('true', 'x')]) {
    try {
      await wrong();
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  console.log(typeof exec[promisify.custom], Object.keys(exec), promisify(exec) === exec[promisify.custom]);
  console.log(spawn[promisify.custom]);
})();
