// A shutdown that loses a request: the server stops after 100 ms, and closes connections on which nothing seems to
// happen. The request may be on its way.
const http = require('node:http');

const server = http.createServer((request, response) => response.end('ok'));
function shutDown() {
  server.close();
  server.closeAllConnections();
}
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const request = http.get({ port, host: '127.0.0.1', agent: false }, (response) => response.resume());
  request.on('error', (error) => { throw new Error(`the request was lost: ${error.code}`); });
  setTimeout(shutDown, 100);
});
