'use strict';
// An agent keeps connections, gives them to waiting requests, and limits their number.
const http = require('http');

let connections = 0;
const server = http.createServer((request, response) => response.end(request.url));
server.on('connection', () => connections++);

function get(agent, path) {
  return new Promise((resolve, reject) => {
    const request = http.get({ agent, path, port: server.address().port, host: '127.0.0.1' }, (response) => {
      response.resume();
      response.on('end', () => resolve(`${path} reused ${request.reusedSocket} ${response.headers.connection}`));
    });
    request.on('error', reject);
  });
}

server.listen(0, '127.0.0.1', async () => {
  const name = `127.0.0.1:${server.address().port}:`;
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  console.log(await get(agent, '/1'));
  console.log(await get(agent, '/2'));
  console.log(Object.keys(agent.freeSockets).length, agent.totalSocketCount, connections);
  const all = ['/3', '/4', '/5', '/6'].map((path) => get(agent, path));
  console.log(agent.sockets[name].length, agent.requests[name].length);
  console.log((await Promise.all(all)).join('\n'));
  console.log(agent.totalSocketCount, connections);
  agent.destroy();
  console.log(await get(false, '/7'));
  console.log(await get(new http.Agent({ keepAlive: false }), '/8'));
  for (const wrong of [{ scheduling: 'x' }, { maxTotalSockets: 0 }, { maxTotalSockets: 'x' }]) {
    try {
      new http.Agent(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  server.close(() => console.log('closed'));
});
