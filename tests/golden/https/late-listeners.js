'use strict';
// Native code passes decrypted data of a server's connections to the parser until the program uses the socket itself:
// listeners that are added late, bodies of several records, errors, and the state of the socket.
const https = require('https');
const tls = require('tls');
const { once } = require('events');
const { ca, pair } = require('../tls/fixtures/keys');

const log = console.log;
const get = (path, extra = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${extra}\r\n`;
const last = (path) => get(path, 'Connection: close\r\n');

function answer(response, text) {
  response.sendDate = false;
  response.end(text);
}

// Sends each part after the response to the previous one.
async function withServer(listener, parts, prepare) {
  const server = https.createServer(pair('server'), listener);
  server.keepAliveTimeout = 0;
  prepare?.(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, checkServerIdentity() {} });
  client.on('error', (error) => log('client', error.code));
  await once(client, 'secureConnect');
  let received = '';
  client.setEncoding('latin1').on('data', (data) => { received += data; });
  for (let i = 0; i < parts.length; i++) {
    client.write(parts[i]);
    const before = received.length;
    while (i < parts.length - 1 && received.length === before) await once(client, 'data');
  }
  await once(client, 'close');
  log(received.replaceAll('\r\n', '\n').trim());
  server.close();
  await once(server, 'close');
}

async function main() {
  log('state');
  await withServer((request, response) => {
    const { socket } = request;
    log(request.url, socket.readableDidRead, socket.readableFlowing, socket.readableLength, socket.readableEnded,
      socket.listenerCount('data'), socket._handle.reading, socket.bytesRead > 0);
    answer(response, request.url);
  }, [get('/1'), get('/2') + last('/3')]);

  log('data of later requests');
  await withServer((request, response) => {
    const { socket } = request;
    if (request.url === '/1') socket.on('data', (data) => log('data', data.length));
    answer(response, request.url);
  }, [get('/1'), get('/2'), last('/3')]);

  log('a large body');
  const size = 200_000;
  await withServer((request, response) => {
    let sum = 0;
    let most = 0;
    const chunks = [];
    request.on('data', (chunk) => {
      sum += chunk.length;
      most = Math.max(most, chunk.length);
      chunks.push(chunk);
    });
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      log(sum, most <= 16_384, body.every((byte, i) => byte === i % 251));
      answer(response, 'thanks');
    });
  }, [Buffer.concat([
    Buffer.from(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`),
    Buffer.from(Array.from({ length: size }, (_, i) => i % 251)),
  ])]);

  log('an error');
  await withServer(() => log('never'), ['NO HTTP\r\n\r\n'], (server) => {
    server.on('clientError', (error, socket) => {
      log(error.code, error.bytesParsed, error.rawPacket.length);
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    });
  });

  log('an upgrade');
  await withServer(() => log('never'), ['GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhead', 'more'],
    (server) => {
      server.on('upgrade', (request, socket, head) => {
        log(head.toString(), socket.listenerCount('data'), socket === request.socket);
        socket.write('HTTP/1.1 101 Switching\r\n\r\n');
        socket.on('data', (data) => socket.end(`got ${data}`));
      });
    });

  log('a handler that throws');
  process.once('uncaughtException', (error) => log('uncaught', error.message));
  await withServer((request, response) => {
    response.once('finish', () => request.socket.end());
    answer(response, 'before');
    throw new Error('thrown');
  }, [get('/')]);
}

main();
