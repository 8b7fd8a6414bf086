// AsyncLocalStorage: callbacks of a socket run in the context of its creation, or of the call that they belong to.
const net = require('node:net');
const { AsyncLocalStorage } = require('node:async_hooks');

const storage = new AsyncLocalStorage();
const log = [];
const note = (name) => log.push(`${name}: ${storage.getStore()}`);
const server = storage.run('server', () => net.createServer((socket) => {
  note('connection');
  socket.on('data', () => note('server data'));
  socket.on('end', () => note('server end'));
  socket.on('close', () => note('server close'));
}));
storage.run('listen', () => server.listen(0, '127.0.0.1', () => {
  note('listening');
  storage.run('client', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      note('connect');
      storage.run('write', () => client.write('x', () => note('written')));
      storage.run('listener', () => client.on('end', () => note('end')));
      setTimeout(() => client.end(() => note('finished')), 20);
    });
    client.resume();
    client.on('close', () => {
      note('close');
      server.close(() => {
        note('server closed');
        console.log(log.sort());
      });
    });
  });
}));
