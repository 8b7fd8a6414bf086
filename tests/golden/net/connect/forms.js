// The ways to call connect().
const net = require('node:net');

const server = net.createServer((socket) => socket.end(`${++count}`));
let count = 0;
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const forms = {
    'port, host': (done) => net.connect(port, '127.0.0.1', done),
    'port as text, host': (done) => net.connect(`${port}`, '127.0.0.1', done),
    'options': (done) => net.connect({ port, host: '127.0.0.1' }, done),
    'createConnection': (done) => net.createConnection({ port, host: '127.0.0.1' }, done),
    'socket.connect': (done) => new net.Socket().connect(port, '127.0.0.1', done),
    'socket.connect, options': (done) => new net.Socket().connect({ port, host: '127.0.0.1' }, done),
    'without new': (done) => net.Socket().connect({ port, host: '127.0.0.1' }, done),
    'family and lookup': (done) => net.connect({
      port, host: 'somewhere', family: 4, lookup(host, options, callback) {
        console.log('  lookup', host, options);
        callback(null, '127.0.0.1', 4);
      },
    }, done),
    'local address': (done) => net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' }, done),
    'no delay, keep alive': (done) => net.connect({ port, host: '127.0.0.1', noDelay: true, keepAlive: true }, done),
    'timeout': (done) => net.connect({ port, host: '127.0.0.1', timeout: 100000 }, done),
  };
  for (const [name, start] of Object.entries(forms)) {
    await new Promise((resolve) => {
      const socket = start(function () {
        console.log(name, this === socket, socket.remoteAddress, socket.remotePort === port, socket.remoteFamily);
      });
      socket.setEncoding('latin1');
      socket.on('data', (text) => console.log('  got', text));
      socket.on('close', resolve);
    });
  }
  server.close();
});
