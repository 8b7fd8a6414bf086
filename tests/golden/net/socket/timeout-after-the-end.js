'use strict';
// The end of the other side counts as activity: a socket that has timed out before times out again.
const net = require('net');

const server = net.createServer({ allowHalfOpen: true }, (socket) => {
  server.close();
  socket.resume().setTimeout(10);
  let count = 0;
  socket.on('timeout', () => {
    console.log('timeout', ++count);
    if (count === 1) client.end();
    else socket.destroy();
  });
  socket.on('end', () => console.log('end'));
});
const client = net.connect({ port: server.listen(0).address().port, allowHalfOpen: true }).resume();
client.on('close', () => console.log('close'));
const guard = setTimeout(() => { console.log('no second timeout'); process.exit(); }, 5000);
client.on('end', () => { clearTimeout(guard); client.destroy(); });
