'use strict';
// The small HTTP server with malicious clients.
const net = require('net');
const { LoopbackServer } = require('internal/trace/http');

const kShort = { headTime: 150, idleTime: 400 };
const big = 'x'.repeat(3_000_000);
const server = new LoopbackServer((target) => {
  if (target === '/throws') throw new Error('no');
  if (target === '/big') return { body: big };
  if (target === '/none') return { status: 404 };
  return { body: `you asked for ${target}` };
}, kShort);

let port = 0;

// Sends pieces, one after the other, and returns everything received until the other side closes.
function talk(...pieces) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    let got = '';
    socket.setEncoding('latin1');
    socket.on('data', (text) => { got += text; });
    socket.on('error', () => {});
    socket.on('close', () => resolve(got));
    for (const piece of pieces) socket.write(piece, 'latin1');
  });
}

function statuses(text) {
  return (text.match(/HTTP\/1\.1 \d+ [A-Za-z ]+/g) ?? []).map((line) => line.slice(9)).join(', ') || 'nothing';
}

async function say(name, ...pieces) {
  const got = await talk(...pieces);
  console.log(`${name}: ${statuses(got)}`);
  return got;
}

async function main() {
  const host = `Host: 127.0.0.1:${port}\r\n`;
  const last = `${host}Connection: close\r\n\r\n`;
  const get = (target = '/a') => `GET ${target} HTTP/1.1\r\n`;

  const plain = await say('plain', `${get()}${last}`);
  console.log(plain.split('\r\n').slice(1).join('\n'));
  console.log((await say('localhost',
    `${get()}Host: LocalHost:${port}\r\nConnection: close\r\n\r\n`)).split('\r\n\r\n')[1]);
  console.log(JSON.stringify((await say('HEAD', `HEAD /a HTTP/1.1\r\n${last}`)).split('\r\n\r\n')[1]));
  await say('throws', `${get('/throws')}${last}`);
  await say('not found', `${get('/none')}${last}`);

  await say('pipelined', `${get('/1')}${host}\r\n${get('/2')}${host}\r\n${get('/3')}${last}`);
  await say('after the last', `${get('/1')}${last}${get('/2')}${last}`);
  await say('one byte at a time', ...`${get()}${last}`.split(''));
  const large = await say('large, twice', `${get('/big')}${host}\r\n${get('/big')}${last}`);
  console.log(large.length > 2 * big.length);

  await say('no Host', `${get()}\r\n`);
  await say('two Hosts', `${get()}${host}${host}\r\n`);
  await say('wrong Host', `${get()}Host: evil.example:${port}\r\n\r\n`);
  await say('Host without port', `${get()}Host: 127.0.0.1\r\n\r\n`);
  await say('from another site', `${get()}${host}Sec-Fetch-Site: cross-site\r\n\r\n`);
  await say('POST', `POST /a HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\nhi`);
  await say('body', `${get()}${host}Content-Length: 40\r\n\r\nGET /b HTTP/1.1\r\n${last}`);
  await say('chunked', `${get()}${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`);
  await say('upgrade', `${get()}${host}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`);
  await say('HTTP/1.0', `GET /a HTTP/1.0\r\n${last}`);
  await say('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
  await say('absolute', `GET http://127.0.0.1:${port}/a HTTP/1.1\r\n${last}`);
  await say('lower case', `get /a HTTP/1.1\r\n${last}`);
  await say('two spaces', `GET  /a HTTP/1.1\r\n${last}`);
  await say('space before colon', `${get()}Host : 127.0.0.1:${port}\r\n\r\n`);
  await say('folded', `${get()}${host}X: a\r\n b\r\n\r\n`);
  await say('bare line feeds', `GET /a HTTP/1.1\nHost: 127.0.0.1:${port}\n\n`);
  await say('bare return', `${get()}X: a\rb\r\n${last}`);
  await say('NUL', `${get()}X: a\0b\r\n${last}`);
  await say('TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n');
  await say('long target', `${get(`/${'a'.repeat(5000)}`)}${last}`);
  await say('long line', `${get()}X: ${'a'.repeat(20000)}\r\n${last}`);
  await say('no end', 'GET /a HTTP/1.1\r\n', `X: ${'a'.repeat(40000)}`);
  await say('many headers', `${get()}${'X: 1\r\n'.repeat(100)}${last}`);
  await say('empty', '\r\n\r\n');
  await say('slow head', get());
  await say('idle');
  await say('idle after an answer', `${get()}${host}\r\n`);

  // A client that does not read the answer is disconnected.
  const lazy = net.connect(port, '127.0.0.1');
  lazy.on('error', () => {});
  lazy.pause();
  lazy.write(`${get('/big')}${host}\r\n`.repeat(50));
  await new Promise((resolve) => setTimeout(resolve, 1200));
  console.log('connections left:', server.sockets.size);
  lazy.destroy();
  server.close();
}

server.listen((error, listening) => {
  port = listening;
  main();
});
