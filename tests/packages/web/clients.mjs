// HTTP clients against one server: axios, node-fetch and the undici of npm, beside the global fetch().
import axios from 'axios';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import nodeFetch from 'node-fetch';
import { Agent, fetch as undiciFetch, request, setGlobalDispatcher } from 'undici';

const server = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  if (req.url === '/redirect') return res.writeHead(302, { location: '/json' }).end();
  if (req.url === '/gzip') return res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped'));
  if (req.url === '/slow') return undefined;
  if (req.url === '/missing') return res.writeHead(404).end('nothing here');
  return res.setHeader('content-type', 'application/json').end(JSON.stringify({ method: req.method, body }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${server.address().port}`;

for (const [name, get] of Object.entries({ fetch, nodeFetch, undiciFetch })) {
  console.log(name, await (await get(`${base}/json`, { method: 'POST', body: 'text' })).json());
  const redirected = await get(`${base}/redirect`);
  console.log(name, redirected.status, redirected.redirected, await redirected.text());
  console.log(name, await (await get(`${base}/gzip`)).text());
  const missing = await get(`${base}/missing`);
  console.log(name, missing.status, missing.ok, await missing.text());
  await get(`${base}/slow`, { signal: AbortSignal.timeout(20) }).catch((error) => console.log(name, error.name));
}

console.log('axios', (await axios.post(`${base}/json`, { a: 1 })).data);
console.log('axios', (await axios.get(`${base}/gzip`)).data);
console.log('axios', await axios.get(`${base}/missing`).catch((error) => `${error.response.status} ${error.code}`));
console.log('axios', await axios.get(`${base}/slow`, { timeout: 20 }).catch((error) => error.code));

const { statusCode, body } = await request(`${base}/json`, { method: 'PUT', body: 'x' });
console.log('undici', statusCode, await body.json());
const agent = new Agent({ keepAliveTimeout: 10 });
setGlobalDispatcher(agent);
console.log('with a dispatcher', await (await fetch(`${base}/json`)).json());
await agent.close();
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log('axios', await axios.get(base).catch((error) => error.code));
console.log('closed');
