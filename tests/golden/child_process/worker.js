'use strict';
// Children of a worker thread.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const { spawn, spawnSync, exec, fork } = require('child_process');

if (process.argv[2] === 'child') {
  process.send('from a child');
} else if (isMainThread) {
  const worker = new Worker(__filename);
  worker.on('message', (message) => console.log(message));
  let main;
  spawn('sh', ['-c', 'exit 9']).on('exit', (code) => { main = code; });
  worker.on('exit', (code) => console.log('worker', code, main));
} else {
  const say = (...values) => parentPort.postMessage(values);
  say(spawnSync('echo', ['sync']).stdout.toString());
  exec('echo exec; exit 2', (error, stdout) => {
    say(error.code, stdout);
    const child = fork(__filename, ['child']);
    child.on('message', (message) => say(message));
    child.on('exit', (code) => {
      say('forked', code);
      const cat = spawn('cat');
      cat.stdout.on('data', (chunk) => say(chunk.toString()));
      cat.on('close', (status) => say('closed', status));
      cat.stdin.end('through a pipe');
    });
  });
}
