// captureRejections: a promise that a listener leaves rejected ends the socket, or is an 'error' of the server.
const net = require('node:net');

require('node:events').captureRejections = true;

let onServed;
const served = new Promise((resolve) => { onServed = resolve; });
const server = net.createServer(async (socket) => {
  socket.on('error', (error) => console.log('socket', error.message));
  socket.on('close', (hadError) => onServed(console.log('close', hadError)));
  throw new Error('by the listener');
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.resume();
  client.on('error', () => {});
  const ends = [new Promise((resolve) => client.on('close', resolve)), served];
  Promise.all(ends).then(() => setImmediate(() => {
    server.on('error', (error) => {
      console.log('server', error.message);
      server.close();
    });
    server.on('something', async () => { throw new Error('by another'); });
    server.emit('something');
  }));
});
