// A listener on 'connection' that is added in the same script as listen() sees every connection, however early.
const net = require('node:net');

const server = net.createServer();
server.listen(0, () => {
  const { port } = server.address();
  let left = 20;
  for (let i = 0; i < 20; i++) {
    const client = net.connect(port, '127.0.0.1', () => client.end());
    client.on('close', () => {
      if (--left === 0) server.close(() => console.log('connections:', seen));
    });
    client.resume();
  }
});
let seen = 0;
server.on('connection', (socket) => {
  seen++;
  socket.end();
  socket.resume();
});
