// process.getActiveResourcesInfo() names sockets and servers that keep the program alive.
const net = require('node:net');

const show = (when) => {
  const names = process.getActiveResourcesInfo().filter((name) => /^TCP/.test(name));
  console.log(when, names.sort());
};
show('before');
// Both sides have to be there, and gone, before it makes sense to look.
let opened = 0;
let closed = 0;
const server = net.createServer((socket) => {
  socket.resume();
  socket.on('end', () => socket.end());
  socket.on('close', onClosed);
  onOpened();
});
let client;
function onOpened() {
  if (++opened < 2) return;
  show('connected');
  client.unref();
  show('client without a ref');
  client.ref().end();
}
function onClosed() {
  if (++closed < 2) return;
  setImmediate(() => {
    show('both closed');
    server.close(() => setImmediate(show, 'server closed'));
  });
}
server.listen(0, () => {
  show('listening');
  client = net.connect(server.address().port, '127.0.0.1', () => {
    client.resume();
    onOpened();
  });
  client.on('close', onClosed);
});
