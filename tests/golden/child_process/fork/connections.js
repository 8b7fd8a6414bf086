'use strict';
// A server whose connections are at its children counts them, and is closed when they are.
const { fork } = require('child_process');
const net = require('net');

if (process.argv[2] === 'child') {
  const sockets = [];
  process.on('message', (message, socket) => {
    if (socket) {
      sockets.push(socket);
      socket.resume();
      process.send(`has ${sockets.length}`);
    } else if (message === 'drop') {
      sockets.shift().end();
    }
  });
} else {
  const child = fork(__filename, ['child']);
  const next = () => new Promise((resolve) => child.once('message', resolve));
  const server = net.createServer({ pauseOnConnect: true }, (socket) => child.send('socket', socket));
  const count = () => new Promise((resolve) => server.getConnections((error, number) => resolve(error ? error.code : number)));
  const connect = () => net.connect(server.address().port, '127.0.0.1');
  server.listen(0, '127.0.0.1', async () => {
    console.log(await count());
    const clients = [];
    for (let i = 0; i < 3; i++) {
      const told = next();
      clients.push(connect());
      clients[i].resume();
      console.log(await told, server._connections, await count());
    }
    const dropped = new Promise((resolve) => clients[0].on('close', resolve));
    child.send('drop');
    await dropped;
    while (await count() !== 2);
    let isClosed = false;
    server.close(() => { isClosed = true; });
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log('closed', isClosed);
    const end = new Promise((resolve) => server.on('close', resolve));
    child.send('drop');
    child.send('drop');
    await end;
    console.log('closed', isClosed);
    child.disconnect();
    console.log(await new Promise((resolve) => child.on('exit', (code) => resolve(code))));
  });
}
