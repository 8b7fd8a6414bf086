// Two responses to one request: the server answers 503 after 100 ms, and the result that comes later is sent, too.
const fs = require('node:fs');
const http = require('node:http');

const server = http.createServer((request, response) => {
  const timer = setTimeout(() => response.writeHead(503).end('too late'), 100);
  fs.readFile(__filename, (error, bytes) => {
    clearTimeout(timer);
    response.writeHead(200, { 'Content-Length': bytes.length });
    response.end(bytes);
  });
});
server.listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    response.resume().on('end', () => server.close());
  });
});
