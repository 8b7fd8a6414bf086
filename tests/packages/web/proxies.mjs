// http-proxy in front of a server, with WebSockets, and got as the client.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import got from 'got';
import httpProxy from 'http-proxy';
import { WebSocket, WebSocketServer } from 'ws';

process.noDeprecation = true; // http-proxy uses util._extend().
let failuresLeft = 2;
const origin = createServer(async (request, response) => {
  if (request.url === '/redirect') return response.writeHead(302, { location: '/json' }).end();
  if (request.url === '/unstable' && failuresLeft-- > 0) return response.writeHead(503, { 'retry-after': '0' }).end();
  if (request.url === '/gzip') {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const gzip = createGzip();
    gzip.pipe(response);
    return gzip.end('zipped '.repeat(1000));
  }
  if (request.url === '/slow') return;
  if (request.url === '/missing') {
    return response.writeHead(404, { 'content-type': 'application/json' }).end('{"why":"missing"}');
  }
  let length = 0;
  for await (const part of request) length += part.length;
  const seen = request.headers['x-forwarded-for'] ?? 'direct';
  response.writeHead(200, { 'content-type': 'application/json', 'x-seen': seen });
  response.end(JSON.stringify({ method: request.method, url: request.url, length, via: request.headers['x-via'] }));
});
const echo = new WebSocketServer({ server: origin });
echo.on('connection', (socket, request) =>
  socket.on('message', (data) => socket.send(`${request.headers['x-via']} ${data}`)));
origin.listen(0, '127.0.0.1');
await once(origin, 'listening');

const proxy = httpProxy.createProxyServer({ target: `http://127.0.0.1:${origin.address().port}`, xfwd: true, ws: true });
proxy.on('proxyReq', (request) => request.setHeader('x-via', 'proxy'));
proxy.on('proxyReqWs', (request) => request.setHeader('x-via', 'proxy of sockets'));
proxy.on('error', (error, request, response) => {
  console.log('proxy error', error.code);
  if (response.writeHead && !response.headersSent) response.writeHead(502).end('no origin');
});
const front = createServer((request, response) => proxy.web(request, response));
front.on('upgrade', (request, socket, head) => proxy.ws(request, socket, head));
front.listen(0, '127.0.0.1');
await once(front, 'listening');
const base = `http://127.0.0.1:${front.address().port}`;

console.log(await got(`${base}/json?a=1`).json());
console.log(await got.post(`${base}/post`, { json: { a: [1, 2] } }).json());
console.log((await got(`${base}/redirect`)).redirectUrls.map(({ pathname }) => pathname));
console.log((await got(`${base}/gzip`)).body.length);
const retry = { calculateDelay: ({ computedValue }) => computedValue && 1 };
const unstable = await got(`${base}/unstable`, { retry });
console.log(unstable.retryCount, unstable.headers['x-seen']);
for (const [path, options] of [['/missing', {}], ['/slow', { timeout: { response: 100 }, retry: { limit: 0 } }]]) {
  await got(base + path, { responseType: 'json', ...options }).catch((error) =>
    console.log(error.name, error.code, error.response?.statusCode, error.response?.body));
}
const addField = (options) => { options.headers['x-hook'] = '1'; };
const extended = got.extend({ prefixUrl: base, hooks: { beforeRequest: [addField] } });
console.log(await extended('hooked').json());
const upload = got.stream.post(`${base}/stream`);
let answer = '';
await pipeline(async function* () {
  for (let i = 0; i < 50; i++) yield Buffer.alloc(10_000, i);
}, upload, async (source) => { for await (const part of source) answer += part; });
console.log(answer);
console.log((await Promise.all(Array.from({ length: 20 }, (_, i) => got(`${base}/${i}`).json())))
  .map(({ url }) => url).join());
const socket = new WebSocket(base.replace('http', 'ws'));
await once(socket, 'open');
socket.send('hello');
console.log(String((await once(socket, 'message'))[0]));
socket.close();
await once(socket, 'close');

origin.closeAllConnections();
await new Promise((resolve) => origin.close(resolve));
console.log((await got(base, { throwHttpErrors: false, retry: { limit: 0 } })).body);
echo.close();
front.closeAllConnections();
await new Promise((resolve) => front.close(resolve));
console.log('closed');
