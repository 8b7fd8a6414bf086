// Standard output and error of any kind: a terminal, a socket, a pipe or a file.
'use strict';
const { begin } = require('./account.js');

for (const name of ['stdout', 'stderr']) {
  const stream = process[name];
  for (let i = 0; i < 3; i++) {
    const done = begin(`${name} ${i}`);
    stream.write(`${'.'.repeat(5000)}\n`, (error) => done(error));
  }
  stream.on('error', () => {});  // The callback gets it.
}
const timer = begin('timer');
setTimeout(() => timer(), 2);
