'use strict';
// A server and its clients in one process.
const net = require('net');
const order = [];
const server = net.createServer((socket) => {
  order.push('accepted');
  socket.on('data', (text) => {
    order.push(`server ${text}`);
    socket.write(`${text}!`);
  });
  socket.on('end', () => order.push('server end'));
  socket.on('close', () => order.push('server close'));
});
server.listen(0, '127.0.0.1', () => {
  let left = 4;
  for (const name of ['a', 'b', 'c', 'd']) {
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      order.push(`connected ${name}`);
      client.write(name);
    });
    let rounds = 3;
    client.on('data', (text) => {
      order.push(`client ${name} ${text}`);
      if (--rounds > 0) setTimeout(() => client.write(`${name}${rounds}`), rounds % 2);
      else client.end();
    });
    client.on('close', () => {
      order.push(`close ${name}`);
      if (--left === 0) server.close();
    });
  }
});
process.on('exit', () => console.log(order.join(', ')));
