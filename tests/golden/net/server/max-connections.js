// maxConnections: more connections are dropped and reported.
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
  const until = async (isSo) => { while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 5)); };
  const pause = () => new Promise((resolve) => setTimeout(resolve, 30)); // For what must not come.
  console.log(await count());
  const sockets = [await open(), await open()];
  await until(async () => await count() === 2);
  sockets.push(await open());
  await until(() => dropped.length === 1);
  console.log(await count(), dropped.length, dropped[0] === sockets[2]);
  sockets[0].destroy();
  await until(async () => await count() === 1 && dropped.length === 2);
  sockets.push(await open());
  await until(async () => await count() === 2);
  await pause();
  console.log(await count(), dropped.length);
  server.close(() => console.log('closed'));
  console.log(server.listening);
  for (const socket of sockets) socket.destroy();
});
