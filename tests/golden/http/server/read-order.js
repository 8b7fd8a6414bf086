'use strict';
// The order of callbacks, ticks and promises for requests that native code reads from the connection: complete ones,
// those in several parts, bodies, errors in the middle, and handlers that destroy, throw or time out. read-hooks.js runs
// this with async_hooks.
const http = require('http');
const { channel } = require('diagnostics_channel');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const get = (path, extra = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${extra}\r\n`;
const last = (path) => get(path, 'Connection: close\r\n');
const post = (path, body, extra = '') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${extra}Content-Length: ${body.length}\r\n\r\n${body}`;

function watch(emitter, name, events) {
  for (const event of events) emitter.on(event, () => log(name, event));
}

function later(name) {
  process.nextTick(() => log(name, 'tick'));
  Promise.resolve().then(() => log(name, 'promise'));
}

function answer(response, text) {
  response.sendDate = false;
  response.end(text);
}

async function withServer(listener, parts, { options = {}, prepare, client } = {}) {
  const server = http.createServer(options, listener);
  server.keepAliveTimeout = 0;
  prepare?.(server);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  show(await exchange(server.address().port, parts, client));
  await new Promise((resolve) => server.close(resolve));
}

async function main() {
  log('events of a request without a body');
  await withServer((request, response) => {
    later(request.url);
    watch(request, request.url, ['end', 'close', 'readable']);
    watch(response, request.url, ['prefinish', 'finish', 'close']);
    log(request.complete, request.readableEnded, request.readable, request._readableState.ended);
    answer(response, request.url);
    later(`${request.url} after`);
    log(response.writableEnded, response.writableFinished, response.socket === request.socket);
  }, [get('/1') + last('/2')]);

  log('states without listeners');
  await withServer((request, response) => {
    const state = (name) => log(name, request.complete, request.readableEnded, request.destroyed, request.closed,
      request.aborted, response.writableFinished, response.destroyed, response.closed, response.socket !== null);
    state('called');
    answer(response, 'ok');
    state('ended');
    process.nextTick(() => {
      state('tick');
      process.nextTick(() => {
        state('second tick');
        process.nextTick(state, 'third tick');
      });
    });
    Promise.resolve().then(() => state('promise'));
    setImmediate(() => state('immediate'));
  }, [last('/')]);

  log('states seen by the listeners of a response');
  await withServer((request, response) => {
    const state = (name) => log(name, request.readableEnded, request.destroyed, request.closed, response.destroyed,
      response.closed, response.socket !== null);
    response.on('finish', () => state('finish'));
    response.on('close', () => state('close'));
    answer(response, 'ok');
  }, [last('/')]);

  log('listeners that come after the end');
  await withServer((request, response) => {
    answer(response, 'ok');
    process.nextTick(() => {
      watch(request, 'tick', ['end', 'close']);
      process.nextTick(() => watch(request, 'second tick', ['end', 'close']));
    });
    Promise.resolve().then(() => watch(request, 'promise', ['end', 'close']));
    response.on('finish', () => watch(request, 'finish', ['end', 'close']));
  }, [last('/')]);

  log('reading a request without a body');
  await withServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    log('read', text.length, request.readableEnded, request.destroyed);
    answer(response, 'ok');
  }, [get('/1'), 'ok', last('/2')]);
  await withServer((request, response) => {
    answer(response, 'ok');
    request.on('data', () => log('data')).on('end', () => log('end'));
  }, [get('/1'), 'ok', last('/2')]);
  await withServer((request, response) => {
    request.resume();
    request.on('end', () => {
      log('end');
      answer(response, 'ok');
    });
  }, [get('/1'), 'ok', last('/2')]);

  log('a body, whole and in parts');
  await withServer((request, response) => {
    later(request.url);
    request.on('data', (data) => {
      log(request.url, 'data', `${data}`);
      later(`${request.url} data`);
    });
    request.on('end', () => {
      log(request.url, 'end');
      answer(response, request.url);
    });
  }, [post('/1', 'body'), '/1', `${post('/2', 'ab')}${post('/3', 'cd', 'Connection: close\r\n')}`]);
  await withServer((request, response) => {
    request.on('data', (data) => {
      log('data', `${data}`);
      later('data');
    });
    request.on('end', () => answer(response, 'chunked'));
  }, ['POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n' +
    '3\r\nabc\r\n2\r\nde\r\n0\r\nX: y\r\n\r\n']);

  log('a body that nobody reads');
  await withServer((request, response) => {
    watch(request, request.url, ['end', 'close']);
    answer(response, request.url);
  }, [post('/1', 'x'.repeat(2000)), '/1', last('/2')]);

  log('a head in parts');
  await withServer((request, response) => answer(response, JSON.stringify(request.rawHeaders)),
    ['GET / HT', '', 'TP/1.1\r\nHo', '', 'st: a\r\nConnection: clo', '', 'se\r\n\r\n']);

  log('an error after a request');
  await withServer((request, response) => {
    later(request.url);
    watch(request, request.url, ['aborted', 'error', 'end', 'close']);
    watch(response, request.url, ['finish', 'close']);
    answer(response, request.url);
  }, [`${get('/1')}BAD\r\n\r\n`]);
  await withServer((request, response) => answer(response, request.url), [`${get('/1')}BAD\r\n\r\n`], {
    prepare: (server) => server.on('clientError', (error, socket) => {
      log(error.code, error.bytesParsed, `${error.rawPacket}`.length, Buffer.isBuffer(error.rawPacket));
      socket.end('HTTP/1.1 400 X\r\n\r\n');
    }),
  });

  log('a body that is cut off');
  await withServer((request, response) => {
    watch(request, 'request', ['aborted', 'error', 'end', 'close']);
    watch(response, 'response', ['finish', 'close']);
    request.resume();
  }, ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc'], { client: { isHalfClosed: true } });

  log('destroy in the handler');
  for (const what of ['request', 'response', 'socket']) {
    await withServer((request, response) => {
      watch(request, 'request', ['aborted', 'end', 'close']);
      watch(response, 'response', ['finish', 'close']);
      later(what);
      ({ request, response, socket: request.socket })[what].destroy();
      answer(response, 'never');
    }, [get('/1') + get('/2')]);
  }

  log('an exception in the handler');
  process.once('uncaughtException', (error) => log('uncaught', error.message));
  await withServer((request, response) => {
    later(request.url);
    answer(response, request.url);
    setImmediate(() => request.socket.destroy());
    throw new Error('in the handler');
  }, [get('/1') + last('/2')]);

  log('methods and statuses without bodies');
  await withServer((request, response) => {
    if (request.url === '/204') response.statusCode = 204;
    if (request.url === '/304') response.writeHead(304, { ETag: 'x' });
    response.on('finish', () => log(request.method, request.url, 'finish'));
    answer(response, 'body');
  }, [`HEAD / HTTP/1.1\r\nHost: a\r\n\r\n${get('/204')}${get('/304')}${last('/5')}`]);

  log('without a host');
  await withServer((request, response) => answer(response, request.url), ['GET / HTTP/1.1\r\n\r\n']);
  await withServer((request, response) => answer(response, request.url),
    ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n'], { options: { requireHostHeader: false } });
  await withServer((request, response) => answer(response, request.url), ['GET / HTTP/1.1\r\nhOsT:\r\nA: b\r\n' +
    'Connection: close\r\n\r\n']);
  await withServer((request, response) => answer(response, Object.keys(request.headers).join()),
    ['GET / HTTP/1.1\r\nA: b\r\nHost: a\r\nExpect: x\r\n\r\n'], { prepare: (server) => server.maxHeadersCount = 1 });

  log('channels');
  const onStart = ({ request }) => log('start', request.url);
  const onFinish = ({ request }) => log('finish', request.url);
  channel('http.server.request.start').subscribe(onStart);
  channel('http.server.response.finish').subscribe(onFinish);
  await withServer((request, response) => {
    log(request.url);
    request.on('end', () => log('end'));
    request.resume();
    setImmediate(() => answer(response, request.url));
  }, [get('/1') + last('/2')]);
  channel('http.server.request.start').unsubscribe(onStart);
  channel('http.server.response.finish').unsubscribe(onFinish);

  log('closing while connections are kept alive');
  await new Promise((resolve) => {
    const server = http.createServer((request, response) => {
      answer(response, request.url);
      if (request.url === '/2') server.close(resolve);
    });
    server.listen(0, '127.0.0.1', async () => show(await exchange(server.address().port, [get('/1'), '/1', get('/2')])));
  });

  log('a time-out of the socket');
  await withServer((request, response) => {
    request.socket.setTimeout(1, (socket) => {
      log('timeout', request.url);
      answer(response, 'late');
      request.socket.setTimeout(0);
    });
  }, [last('/1')]);
}

main();
