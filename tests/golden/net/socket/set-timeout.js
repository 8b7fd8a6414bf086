// setTimeout(): silence, and what breaks it.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('data', (chunk) => socket.write(chunk));
  socket.on('error', () => {});
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let beats = 0;
  const start = Date.now();
  client.setTimeout(200, () => {
    console.log('timeout', client.timeout, beats, Date.now() - start >= 395, client.destroyed);
    client.setTimeout(0);
    console.log(client.timeout);
    client.end();
  });
  console.log(client.listenerCount('timeout'));
  const timer = setInterval(() => {
    if (++beats === 4) clearInterval(timer);
    client.write('beat');
  }, 50);
  client.on('data', () => {});
  client.on('close', () => {
    const fn = () => console.log('never');
    console.log(client.setTimeout(10, fn) === client);
    const idle = net.connect(server.address().port, '127.0.0.1');
    idle.setTimeout(5, fn);
    console.log(idle.listenerCount('timeout'));
    idle.setTimeout(0, fn);
    console.log(idle.listenerCount('timeout'), idle.timeout);
    setTimeout(() => {
      idle.destroy();
      server.close(() => console.log('closed'));
    }, 30);
  });
});
