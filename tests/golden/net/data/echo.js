// Both ends of a connection, each with its own list of events.
const net = require('node:net');

const kinds = ['connect', 'ready', 'data', 'end', 'finish', 'close', 'error', 'drain', 'prefinish'];
function watch(socket, log) {
  for (const kind of kinds) {
    socket.on(kind, (...args) => log.push(`${kind} ${args.map(String)}`.trim()));
  }
}
const ofServer = [];
const ofClient = [];
const server = net.createServer((socket) => {
  ofServer.push(`open ${socket.readyState} ${socket.pending} ${socket.connecting}`);
  watch(socket, ofServer);
  socket.on('data', (chunk) => socket.write(chunk));
});
server.listen(0, '127.0.0.1', () => {
  const client = net.createConnection({ port: server.address().port, host: '127.0.0.1' });
  console.log(client.readyState, client.pending, client.connecting, client._connecting);
  watch(client, ofClient);
  client.on('connect', () => {
    console.log(client.readyState, client.pending, client.connecting);
    console.log(client.write('hello'));
  });
  client.once('data', () => {
    client.end('bye');
    console.log(client.readyState);
  });
  client.on('close', () => {
    console.log(client.readyState, client.pending, client.destroyed, client.bytesRead, client.bytesWritten);
    server.close();
  });
});
server.on('close', () => {
  console.log('server:', ofServer);
  console.log('client:', ofClient);
});
