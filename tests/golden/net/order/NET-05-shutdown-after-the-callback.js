// end() shuts a socket down after the callback that called it: what that callback writes to other sockets is there first.
// Then 'finish' comes before immediates.
const net = require('node:net');
const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const accepted = [];
const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  const id = accepted.push(socket) - 1;
  socket.on('data', (data) => console.log('server', id, String(data)));
  socket.on('end', () => {
    console.log('server', id, 'end');
    socket.end();
  });
  if (accepted.length < 3) connect();
  else accepted[0].write('go');
});
const clients = [];
function connect() {
  const client = net.connect(server.address().port, '127.0.0.1');
  const id = clients.push(client) - 1;
  client.on('finish', () => console.log('client', id, 'finish'));
  client.on('data', () => {
    clients[0].end();
    clients[1].end('last');
    clients[2].write('more');
    setImmediate(() => {
      console.log('immediate');
      clients[2].end();
    });
    block(20);
  });
}
server.listen(0, '127.0.0.1', () => {
  connect();
  let left = 3;
  server.on('connection', (socket) => socket.on('close', () => {
    if (--left === 0) server.close(() => console.log('server closed'));
  }));
});
