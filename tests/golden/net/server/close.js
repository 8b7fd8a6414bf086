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
    // The kernel may take a moment to let go of the port.
    (function tryLate() {
      const late = net.connect(port, '127.0.0.1');
      late.on('connect', () => late.destroy());
      late.on('error', (error) => {
        if (error.code !== 'ECONNREFUSED') return;
        log.push(`late ${error.code}`);
        client.end();
      });
      late.on('close', () => { if (!log.includes('late ECONNREFUSED')) setTimeout(tryLate, 5); });
    })();
  });
  const over = [new Promise((resolve) => client.on('close', resolve)), new Promise((resolve) => server.on('close', resolve))];
  Promise.all(over).then(() => setImmediate(() => {
    console.log(log);
    // A server can listen again.
    server.listen(0, () => {
      console.log('listening again', server.listening);
      server.close();
    });
  }));
});
const never = net.createServer().listen(0, () => console.log('never'));
never.close();
