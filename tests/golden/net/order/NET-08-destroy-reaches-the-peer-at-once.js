// destroy() closes the descriptor inside the call: the peers notice in that order, and in the next poll.
const net = require('node:net');
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const peers = [];
const server = net.createServer((socket) => {
  const id = peers.push(socket) - 1;
  socket.on('end', () => {
    console.log('end', id);
    setImmediate(() => console.log('immediate', id));
  });
  if (peers.length < 4) connect();
  else peers[0].write('go');
});
const clients = [];
function connect() {
  const client = net.connect(server.address().port, '127.0.0.1');
  clients.push(client);
  client.on('data', () => {
    for (const id of [2, 0, 3, 1]) clients[id].destroy();
    block(20);
    setImmediate(() => console.log('immediate'));
    server.close();
  });
}
server.listen(0, '127.0.0.1', connect);
