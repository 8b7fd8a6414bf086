// The ways to call listen().
const net = require('node:net');

const forms = {
  'nothing': (server, done) => server.listen(done),
  'port': (server, done) => server.listen(0, done),
  'port as text': (server, done) => server.listen('0', done),
  'port, host': (server, done) => server.listen(0, '127.0.0.1', done),
  'port, host, backlog': (server, done) => server.listen(0, '127.0.0.1', 5, done),
  'port, backlog': (server, done) => server.listen(0, 5, done),
  'options': (server, done) => server.listen({ port: 0, host: '127.0.0.1', backlog: 5, exclusive: true }, done),
  'options without a host': (server, done) => server.listen({ port: 0 }, done),
  'null': (server, done) => server.listen(null, done),
  'undefined port': (server, done) => server.listen({ port: undefined }, done),
  'name': (server, done) => server.listen(0, 'localhost', done),
  'ipv6Only': (server, done) => server.listen({ port: 0, host: '::1', ipv6Only: true }, done),
};
(async () => {
  for (const [name, start] of Object.entries(forms)) {
    await new Promise((resolve) => {
      const server = net.createServer((socket) => socket.end('x'));
      console.log(name, server.listening, server.address());
      server.on('error', (error) => {
        console.log('  error', error.code);
        resolve();
      });
      start(server, function () {
        const { address, family, port } = server.address();
        console.log(' ', this === server, server.listening, address, family, port > 0);
        const client = net.connect(port, address === '::' ? '127.0.0.1' : address);
        client.on('data', (chunk) => console.log('  client got', `${chunk}`));
        client.on('close', () => server.close(resolve));
      });
    });
  }
})();
