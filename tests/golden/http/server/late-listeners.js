'use strict';
// Native code reads from the connections of a server until the program uses them itself: listeners that are added late to
// the socket, pause() and resume(), setEncoding(), and connections that have data already.
const http = require('http');
const net = require('net');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const get = (path, extra = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${extra}\r\n`;
const last = (path) => get(path, 'Connection: close\r\n');

function answer(response, text) {
  response.sendDate = false;
  response.end(text);
}

async function withServer(listener, parts, options = {}) {
  const server = http.createServer(options.server ?? {}, listener);
  server.keepAliveTimeout = 0;
  options.prepare?.(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  show(await exchange(server.address().port, parts, options.client));
  await new Promise((resolve) => server.close(resolve));
}

async function main() {
  log('data of later requests');
  for (const method of ['on', 'addListener', 'prependListener', 'once', 'prependOnceListener']) {
    await withServer((request, response) => {
      const { socket } = request;
      if (request.url === '/1') {
        const result = socket[method]('data', (data) => log(method, 'data', data.length));
        log(result === socket, socket.listenerCount('data'));
      }
      answer(response, request.url);
    }, [get('/1'), '/1', get('/2'), '/2', last('/3')]);
  }

  log('a listener for readable');
  await withServer((request, response) => {
    const { socket } = request;
    if (request.url === '/1') {
      socket.on('readable', () => log('readable'));
      log(socket.listenerCount('readable'), socket.readableFlowing);
    }
    answer(response, request.url);
  }, [last('/1')]);

  log('other listeners change nothing');
  await withServer((request, response) => {
    const { socket } = request;
    log(request.url, socket.listenerCount('data'), socket.listenerCount('end'), socket.listenerCount('error'),
      socket.listenerCount('close'), socket.readableFlowing, socket.readableLength);
    socket.once('end', () => log('end'));
    socket.once('close', () => log('close'));
    answer(response, request.url);
  }, [get('/1') + last('/2')]);

  log('pause and resume');
  await withServer((request, response) => {
    const { socket } = request;
    socket.pause();
    log(request.url, socket.isPaused());
    setImmediate(() => {
      socket.resume();
      answer(response, request.url);
    });
  }, [get('/1'), '/1', get('/2'), '/2', last('/3')]);

  log('setEncoding');
  await withServer((request, response) => {
    try {
      request.socket.setEncoding('utf8');
    } catch (error) {
      log(error.code);
    }
    answer(response, 'ok');
  }, [last('/')]);

  log('a removed listener');
  await withServer((request, response) => {
    const { socket } = request;
    const seen = (data) => log('data', data.length);
    if (request.url === '/1') {
      socket.on('data', seen);
    } else if (request.url === '/2') {
      socket.removeListener('data', seen);
      socket.removeAllListeners('data');
      setImmediate(() => socket.destroy());
    }
    answer(response, request.url);
  }, [get('/1'), '/1', get('/2'), '/2', last('/3')]);

  log('bytes and state');
  await withServer((request, response) => {
    const { socket } = request;
    log(socket.bytesRead, socket.readableDidRead, socket.readableEnded, socket.writableCorked, socket._handle.reading);
    answer(response, request.url);
  }, [get('/1'), '/1', last('/2')]);

  log('a connection that already has data');
  await new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      log(request.url);
      answer(response, request.url);
    });
    const front = net.createServer((socket) => {
      socket.once('readable', () => {
        const first = socket.read();
        socket.unshift(first);
        server.emit('connection', socket);
      });
    });
    front.listen(0, '127.0.0.1', async () => {
      show(await exchange(front.address().port, [get('/1'), '/1', last('/2')]));
      front.close(resolve);
    });
  });
}

main();
