'use strict';
// client.js URL: gets it with https and fetch. --websocket URL: sends two messages and closes. --origin URL: uses a
// file of a server in the ways that servers of files know.
const http = require('node:http');
const https = require('node:https');

function get(url, options = {}) {
  const { request } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    request(url, options, async (response) => {
      const parts = [];
      for await (const data of response) parts.push(data);
      resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(parts) });
    }).on('error', reject).end();
  });
}

async function page(url) {
  const { status, body } = await get(url);
  console.log('https', status, body.includes('s_server'));
  const response = await fetch(url);
  console.log('fetch', response.status, (await response.text()).includes('s_server'));
}

function websocket(url) {
  const socket = new WebSocket(url);
  const found = [];
  socket.binaryType = 'arraybuffer';
  socket.onopen = () => {
    socket.send('hello');
    socket.send(new Uint8Array(50_000));
  };
  socket.onmessage = ({ data }) => {
    found.push(typeof data === 'string' ? data : data.byteLength);
    if (found.length === 2) socket.close(1000);
  };
  socket.onerror = (event) => console.log('error', event.message);
  socket.onclose = ({ code }) => console.log('websocket', ...found, code);
}

async function origin(url) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const whole = await get(url, { agent });
  console.log('whole', whole.body.length);
  const compressed = await fetch(url);
  console.log('compressed', compressed.headers.get('content-encoding') === 'gzip', (await compressed.text()).length);
  const part = await get(url, { agent, headers: { Range: 'bytes=5-8' } });
  console.log('part', part.status, String(part.body));
  const same = await get(url, { agent, headers: { 'If-None-Match': whole.headers.etag } });
  console.log('conditional', same.status);
  console.log('missing', (await get(`${url}.none`, { agent })).status);
  console.log('unavailable', (await get(new URL('/', url).href, { agent })).status);
  const all = await Promise.all(Array.from({ length: 50 }, () => get(url, { agent })));
  console.log('in parallel', all.filter(({ body }) => body.equals(whole.body)).length);
  agent.destroy();
}

const [first, second] = process.argv.slice(2);
if (first === '--websocket') websocket(second);
else if (first === '--origin') origin(second);
else page(first);
