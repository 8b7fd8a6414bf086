'use strict';
// A request that is destroyed when its response is complete, but not read: the connection goes to the next request. A request that
// ends in the middle of its head is an error of the client.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const server = http.createServer((request, response) => {
  response.sendDate = false;
  response.end(request.url === '/empty' ? '' : 'body');
});
server.on('clientError', (error, socket) => {
  console.log(error.code, error.message, error.reason, error.rawPacket);
  socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
});

function get(agent, path, onResponse) {
  return new Promise((resolve) => {
    const request = http.get({ port: server.address().port, host: '127.0.0.1', agent, path }, (response) => {
      response.on('end', () => console.log(path, 'end'));
      response.on('close', () => console.log(path, 'close of the response'));
      onResponse(request, response);
    });
    request.on('error', (error) => console.log(path, error.code));
    request.on('close', () => {
      console.log(path, 'close', request.reusedSocket);
      resolve();
    });
  });
}

// The response has been parsed to its end when a few turns have passed; `complete` says so.
function destroyWhenComplete(request, response) {
  if (response.complete) request.destroy();
  else setImmediate(destroyWhenComplete, request, response);
}

server.listen(0, '127.0.0.1', async () => {
  for (const keepAlive of [true, false]) {
    const agent = new http.Agent({ keepAlive, maxSockets: 1 });
    await get(agent, '/body', destroyWhenComplete);
    await get(agent, '/empty', destroyWhenComplete);
    await get(agent, '/read', (request, response) => response.resume());
    agent.destroy();
  }
  show(await exchange(server.address().port, 'GET / HTTP/1.1\r\nHost:', { isHalfClosed: true }));
  server.close();
});
