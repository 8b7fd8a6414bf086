// A connection that both ends give up at the same time: the client sends a request on the connection of its last one,
// and the server has just closed that connection, because it was idle for two seconds.
const http = require('node:http');

const server = http.createServer((request, response) => response.end('ok'));
server.keepAliveTimeout = 2000;
server.keepAliveTimeoutBuffer = 0;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function send(callback) {
  const { port } = server.address();
  const request = http.get({ port, host: '127.0.0.1', agent }, (response) => response.resume().on('end', callback));
  request.on('error', (error) => {
    throw new Error(`${error.code}, on a ${request.reusedSocket ? 'used' : 'new'} connection`);
  });
}
server.listen(0, '127.0.0.1', () => {
  send(() => setTimeout(send, 1900, () => {
    agent.destroy();
    server.close();
  }));
});
