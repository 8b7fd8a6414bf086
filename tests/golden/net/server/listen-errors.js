// Addresses that cannot be bound.
const net = require('node:net');

const first = net.createServer().listen(0, '127.0.0.1', async () => {
  const { port } = first.address();
  const places = {
    'in use': [port, '127.0.0.1'],
    'in use, all addresses': [port],
    'of another machine': [0, '8.8.8.8'],
    'no name': [0, 'nonexistent.invalid'],
    'no folder': ['/nonexistent/folder/socket'],
    'no descriptor': [{ fd: 123456 }],
  };
  for (const [name, args] of Object.entries(places)) {
    await new Promise((resolve) => {
      const server = net.createServer();
      server.on('listening', () => console.log('listening'));
      server.on('error', (error) => {
        console.log(name, '|', error.message.replace(port, 'PORT'), '|', error.code, error.errno, error.syscall,
                    error.address, error.port === port ? 'PORT' : error.port);
        console.log(server.listening, server.address());
        resolve();
      });
      server.listen(...args);
    });
  }
  first.close();
});
