// Sockets that have data already when they start to read are served in the order in which they started.
const net = require('node:net');
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const sockets = [];
const clients = [];
const server = net.createServer({ pauseOnConnect: true }, (socket) => {
  const id = sockets.push(socket) - 1;
  socket.on('data', (data) => console.log(id, String(data)));
  if (sockets.length < 5) {
    connect();
    return;
  }
  for (const client of clients) client.end('text');
  server.close();
  setImmediate(() => {
    for (const start of [3, 1, 4, 0, 2]) sockets[start].resume();
    process.nextTick(block, 20);
  });
});
function connect() {
  clients.push(net.connect(server.address().port, '127.0.0.1').resume());
}
server.listen(0, '127.0.0.1', connect);
