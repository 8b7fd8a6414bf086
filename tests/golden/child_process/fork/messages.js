'use strict';
// Messages between a program and its child, as JSON.
const { fork } = require('child_process');

if (process.argv[2] === 'child') {
  console.log(typeof process.send, process.connected, typeof process.channel, process.argv.slice(3), process.env.NODE_CHANNEL_FD,
              process.env.NODE_CHANNEL_SERIALIZATION_MODE, process.env.GIVEN, process.execArgv);
  process.on('message', (message, handle) => {
    if (message === 'end') {
      process.disconnect();
      console.log('child', process.connected, process.channel);
    } else {
      process.send({ message, handle: handle === undefined });
    }
  });
  process.on('disconnect', () => console.log('child disconnect'));
  process.on('exit', (code) => console.log('child exit', code));
} else {
  const child = fork(__filename, ['child', 'a', 'b c'], { env: { ...process.env, GIVEN: 'yes' }, execArgv: ['--no-warnings'] });
  console.log(child.connected, child.stdin, child.stdout, child.stdio, child.spawnargs.slice(1).map((arg) => arg.split('/').pop()));
  const messages = [
    'text', 'line\nfeeds\r\n', 'é€😀\u2028', '', 0, -1.5, true, false, null, [], [1, [2]], {}, { a: { b: undefined, c: null } },
    new Date(0), { toJSON() { return 'by toJSON'; } }, new Map([[1, 2]]), NaN, { cmd: 'other' }, { cmd: 'NODE' }, 'x'.repeat(300000),
    Buffer.from('hi'),
  ];
  let count = 0;
  child.on('message', ({ message, handle }) => {
    console.log(count, typeof message === 'string' && message.length > 100 ? message.length : message, handle);
    if (++count === messages.length) child.send('end');
  });
  let written = 0;
  for (const message of messages) child.send(message, (error) => { if (error === null) written++; });
  let disconnected;
  child.on('disconnect', () => { disconnected = [child.connected, child.channel]; });
  child.on('exit', (...args) => console.log('exit', args));
  child.on('close', (...args) => console.log('close', args, written, disconnected));
}
