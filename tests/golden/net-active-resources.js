// process.getActiveResourcesInfo() names sockets and servers that keep the program alive.
const net = require('node:net');

const show = (when) => {
  const names = process.getActiveResourcesInfo().filter((name) => /^TCP/.test(name));
  console.log(when, names.sort());
};
show('before');
const server = net.createServer((socket) => {
  socket.resume();
  socket.on('end', () => socket.end());
});
server.listen(0, () => {
  show('listening');
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.resume();
    setTimeout(() => {
      show('connected');
      client.unref();
      show('client without a ref');
      client.ref().end();
    }, 20);
  });
  client.on('close', () => setTimeout(() => {
    show('client closed');
    server.close(() => setTimeout(show, 20, 'server closed'));
  }, 20));
});
