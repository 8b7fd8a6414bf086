// Exceptions of createServer() and listen().
const net = require('node:net');

function attempt(name, fn) {
  try {
    fn();
    console.log(name, 'was accepted');
  } catch (error) {
    console.log(name, '|', error.name, error.code, error.message);
  }
}
attempt('createServer(5)', () => net.createServer(5));
attempt("createServer('x')", () => net.createServer('x'));
attempt('createServer(null)', () => net.createServer(null));
attempt('keepAliveInitialDelay', () => net.createServer({ keepAliveInitialDelay: 'a' }));
attempt('highWaterMark', () => net.createServer({ highWaterMark: 'a' }));
attempt('listen({})', () => net.createServer().listen({}));
attempt('listen(-1)', () => net.createServer().listen(-1));
attempt('listen(65536)', () => net.createServer().listen(65536));
attempt('listen(1.5)', () => net.createServer().listen(1.5));
attempt('listen(NaN)', () => net.createServer().listen(NaN));
attempt('listen(Infinity)', () => net.createServer().listen(Infinity));
attempt('listen(true)', () => net.createServer().listen(true));
attempt("port 'x'", () => net.createServer().listen({ port: 'x' }));
attempt('port {}', () => net.createServer().listen({ port: {} }));
attempt('port []', () => net.createServer().listen({ port: [] }));
attempt('path 5', () => net.createServer().listen({ path: 5 }));
attempt('fd -3', () => net.createServer().listen({ fd: -3 }));
attempt('signal', () => net.createServer().listen({ port: 0, signal: 5 }));
attempt('getConnections()', () => net.createServer().getConnections());
attempt("getConnections('x')", () => net.createServer().getConnections('x'));
const server = net.createServer();
console.log(server.listening, server.address(), server.close() === server, server.ref() === server,
            server.unref() === server, server.maxConnections);
server.listen(0, () => {
  attempt('listen() twice', () => server.listen(0));
  server.close((error) => {
    console.log('closed', error);
    server.close((again) => console.log(again.code, again.message));
  });
});
net.createServer().close((error) => console.log('never opened:', error.code, error.message));
