// maxConnections: what is too much is dropped, and told.
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.resume();
});
server.maxConnections = 2;
const dropped = [];
server.on('drop', (data) => {
  const keys = Object.keys(data);
  console.log('drop', keys.join(), data.localAddress, data.localFamily, data.remoteAddress, data.remoteFamily,
              data.localPort === server.address().port, data.remotePort > 0);
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const count = () => new Promise((resolve) => server.getConnections((error, number) => resolve(number)));
  const open = () => new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => resolve(socket));
    socket.resume();
    socket.on('close', () => dropped.push(socket));
  });
  const wait = () => new Promise((resolve) => setTimeout(resolve, 30));
  console.log(await count());
  const sockets = [await open(), await open()];
  await wait();
  console.log(await count());
  sockets.push(await open());
  await wait();
  console.log(await count(), dropped.length, dropped[0] === sockets[2]);
  sockets[0].destroy();
  await wait();
  console.log(await count());
  sockets.push(await open());
  await wait();
  console.log(await count(), dropped.length);
  server.close(() => console.log('closed'));
  console.log(server.listening);
  for (const socket of sockets) socket.destroy();
});
