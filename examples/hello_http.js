// An HTTP server, and a client that sends two requests over one connection.
//   ./dev run examples/hello_http.js
'use strict';
const http = require('node:http');

const server = http.createServer((request, response) => {
  response.setHeader('Content-Type', 'text/plain');
  response.end(`hello from ${request.url}\n`);
});

async function get(agent, path) {
  const { port } = server.address();
  const { promise, resolve, reject } = Promise.withResolvers();
  http.get({ agent, path, port, host: '127.0.0.1' }, resolve).on('error', reject);
  const response = await promise;
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  return `${response.statusCode} ${text}`;
}

server.listen(0, '127.0.0.1', async () => {
  const agent = new http.Agent({ keepAlive: true });
  process.stdout.write(await get(agent, '/one'));
  process.stdout.write(await get(agent, '/two'));
  agent.destroy();
  server.close();
});
