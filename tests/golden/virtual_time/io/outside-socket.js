'use strict';
// Another process takes real time: the clock neither jumps over it nor waits for it forever.
const { fork } = require('child_process');
const net = require('net');

if (process.argv[2] === 'server') {
  const server = net.createServer((socket) => {
    socket.on('data', (text) => {
      if (String(text) === 'answer') setTimeout(() => socket.write('here'), 200);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  process.on('disconnect', () => process.exit());
} else {
  const child = fork(__filename, ['server'], { execArgv: [] });
  child.once('message', async (port) => {
    const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
    const start = Date.now();
    const socket = net.connect(port, '127.0.0.1', () => socket.write('answer'));
    let slept = 0;
    const sleeping = (async () => {
      for (; slept < 10; slept++) await sleep(3600000);
    })();
    await new Promise((resolve) => { socket.once('data', (text) => resolve(console.log(String(text)))); });
    const took = Date.now() - start;
    console.log('before the first hour is over:', slept === 0 && took < 3600000, 'but not in no time:', took >= 150);
    // It does not answer this; but the program's own limit holds.
    socket.write('no answer');
    const from = Date.now();
    await new Promise((resolve) => { socket.setTimeout(100, () => resolve(socket.destroy())); });
    console.log('gave up after', Date.now() - from);
    child.disconnect();
    await new Promise((resolve) => { child.once('exit', resolve); });
    await sleeping;
    console.log('slept', slept, 'hours:', Date.now() - start);
  });
}
