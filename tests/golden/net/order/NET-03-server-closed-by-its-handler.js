// A server that is closed by the handler of a connection accepts no more: those that wait behind it are reset.
const net = require('node:net');

let count = 0;
const server = net.createServer((socket) => {
  console.log('connection', count++);
  socket.resume();
  socket.end();
  if (count === 2) server.close(() => console.log('server closed'));
});
server.listen(0, '127.0.0.1', () => {
  let left = 5;
  const ends = [];
  for (let i = 0; i < 5; i++) {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('end', () => { ends[i] = 'end'; });
    client.on('error', (error) => { ends[i] = error.code; });
    client.on('close', () => {
      if (--left === 0) console.log(...ends);
    });
    client.resume();
  }
});
