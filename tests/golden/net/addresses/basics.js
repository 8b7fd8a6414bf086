// Addresses of both ends before, during and after a connection.
const net = require('node:net');

const server = net.createServer((socket) => {
  const { port } = server.address();
  console.log(socket.localAddress, socket.localPort === port, socket.localFamily, socket.remoteAddress,
              socket.remotePort > 0, socket.remoteFamily, Object.keys(socket.address()), socket.address().port === port);
  socket.end();
});
server.listen(0, () => {
  const { port } = server.address();
  const client = net.connect({ port, host: '127.0.0.1' });
  const show = () => console.log(client.localAddress, typeof client.localPort, client.localFamily, client.remoteAddress,
                                 client.remotePort === port, client.remoteFamily, Object.keys(client.address()));
  show();
  client.resume();
  client.once('connect', show);
  client.on('close', () => {
    show();
    server.close();
  });
});
