// Retries that make it worse: a client that has no response after 100 ms sends the request again, and does not cancel
// the first one. The slower the server is, the more it has to do.
const fs = require('node:fs');
const http = require('node:http');

let running = 0;
let most = 0;
const server = http.createServer((request, response) => {
  most = Math.max(most, ++running);
  fs.readFile(__filename, () => {
    running--;
    response.end('ok');
  });
});

let open = 0;
function attempt(port) {
  open++;
  const timer = setTimeout(attempt, 100, port);
  const request = http.get({ port, host: '127.0.0.1', agent: false }, (response) => {
    clearTimeout(timer);
    response.resume();
  });
  request.on('close', () => {
    if (--open === 0) server.close();
  });
}
server.listen(0, '127.0.0.1', () => attempt(server.address().port));
server.on('close', () => {
  if (most > 1) throw new Error(`${most} requests of one client at once`);
});
