// close(): no new connections; 'close' when the old ones are gone.
const net = require('node:net');

const log = [];
const server = net.createServer((socket) => {
  log.push('connection');
  socket.on('data', () => {});
  socket.on('close', () => log.push('socket close'));
  if (log.length > 1) return;
});
server.on('close', () => log.push('server close'));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  server.once('connection', () => {
    log.push(server.close((error) => log.push(`callback ${error}`)) === server);
    log.push(server.listening, server.address());
    server.close((error) => log.push(`again ${error?.code}`));
    setTimeout(() => {
      const late = net.connect(port, '127.0.0.1');
      late.on('error', (error) => {
        log.push(`late ${error.code}`);
        client.end();
      });
    }, 20);
  });
  client.on('close', () => setTimeout(() => {
    console.log(log);
    // A server can listen again.
    server.listen(0, () => {
      console.log('listening again', server.listening);
      server.close();
    });
  }, 20));
});
const never = net.createServer().listen(0, () => console.log('never'));
never.close();
