'use strict';
// Either side gives up, at each stage of an exchange.
const http = require('http');
const net = require('net');

const log = console.log;
let onRequest;
const server = http.createServer((request, response) => {
  log('  server request', request.url);
  for (const event of ['aborted', 'error', 'end', 'close']) {
    request.on(event, (error) => log(`  server request ${event}`, error?.code, error?.message, request.complete));
  }
  for (const event of ['error', 'finish', 'close']) {
    response.on(event, (error) => log(`  server response ${event}`, error?.code, response.destroyed));
  }
  response.sendDate = false;
  onRequest(request, response);
});
server.on('clientError', (error, socket) => {
  log('  clientError', error.code);
  socket.destroy();
});

function attempt(name, { options, body, server: serverSide, client = () => {} }) {
  log(name);
  onRequest = serverSide;
  const closed = new Promise((resolve) => {
    server.once('connection', (socket) => socket.on('close', (hadError) => {
      log('  server socket close', hadError);
      resolve();
    }));
  });
  const done = new Promise((resolve) => {
    const request = http.request({ port: server.address().port, host: '127.0.0.1', agent: false, path: '/x', ...options });
    for (const event of ['socket', 'abort', 'finish', 'timeout', 'error', 'close']) {
      request.on(event, (error) => log(`  client ${event}`, error?.code, error?.message, request.destroyed, request.aborted));
    }
    request.on('close', resolve);
    request.on('response', (response) => {
      log('  client response', response.statusCode);
      for (const event of ['aborted', 'error', 'end', 'close']) {
        response.on(event, (error) => log(`  client response ${event}`, error?.code, response.complete, response.aborted));
      }
      client({ request, response });
    });
    if (body !== undefined) request.write(body);
    if (body === undefined) request.end();
    client({ request });
  });
  // The server sees the end of the connection later than the client, or earlier.
  return Promise.all([closed, done]);
}

const never = () => {};
server.listen(0, '127.0.0.1', async () => {
  await attempt('destroyed with the request', {
    server: (request) => setImmediate(() => request.destroy()),
  });
  await attempt('destroyed with an error', {
    server: (request, response) => setImmediate(() => response.destroy(new Error('server gives up'))),
  });
  await attempt('socket destroyed', {
    server: (request) => setImmediate(() => request.socket.destroy()),
  });
  await attempt('response cut short', {
    server: (request, response) => {
      response.writeHead(200, { 'Content-Length': 10 });
      response.write('abc');
      setImmediate(() => response.destroy());
    },
    client: ({ response }) => response?.resume(),
  });
  await attempt('chunks cut short', {
    server: (request, response) => {
      response.write('abc');
      setImmediate(() => response.destroy());
    },
    client: ({ response }) => response?.on('data', (data) => log(`  data ${data}`)),
  });
  await attempt('client destroys in response', {
    server: (request, response) => response.write('abc'),
    client: ({ response }) => response?.destroy(),
  });
  await attempt('client destroys with error in response', {
    server: (request, response) => response.write('abc'),
    client: ({ response }) => response?.destroy(new Error('enough')),
  });
  await attempt('client destroys the request when the response begins', {
    server: (request, response) => response.write('abc'),
    client: ({ request, response }) => response && request.destroy(),
  });
  await attempt('client aborts in response', {
    server: (request, response) => response.write('abc'),
    client: ({ request, response }) => response && request.abort(),
  });
  const controller = new AbortController();
  await attempt('signal', {
    options: { signal: controller.signal },
    server: (request, response) => response.write('abc'),
    client: ({ response }) => response && controller.abort(),
  });
  await attempt('body cut short', {
    options: { method: 'POST', headers: { 'Content-Length': 10 } },
    body: 'abc',
    server: (request) => request.resume(),
    client: ({ request, response }) => !response && request.on('finish', never) &&
      request.once('socket', (socket) => socket.once('connect', () => setTimeout(() => request.destroy(), 20))),
  });
  await attempt('server ends without an answer', {
    server: (request) => request.socket.end(),
  });
  // Before a connection exists.
  for (const [name, act] of Object.entries({
    'destroy at once': (request) => request.destroy(),
    'destroy at once with an error': (request) => request.destroy(new Error('at once')),
    'abort at once': (request) => request.abort(),
    'destroy twice': (request) => request.destroy().destroy(new Error('second')),
    'destroy and write': (request) => request.destroy().write('x', (error) => log('  write', error.code)),
    'destroy and end': (request) => request.destroy().end((error) => log('  end', error?.code)),
  })) {
    log(name);
    await new Promise((resolve) => {
      const request = http.request({ port: server.address().port, host: '127.0.0.1', agent: false, method: 'POST' });
      for (const event of ['abort', 'error', 'close']) {
        request.on(event, (error) => log(`  client ${event}`, error?.code, error?.message));
      }
      request.on('close', resolve);
      act(request);
    });
  }
  for (const reason of [undefined, new Error('reason')]) {
    await new Promise((resolve) => {
      http.get({ port: server.address().port, host: '127.0.0.1', agent: false, signal: AbortSignal.abort(reason) })
        .on('error', (error) => log('aborted signal', error.name, error.code, error.cause?.message))
        .on('close', resolve);
    });
  }
  // No server.
  const gone = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = gone.address();
    gone.close(() => {
      const request = http.get({ port, host: '127.0.0.1', agent: false });
      for (const event of ['error', 'close']) request.on(event, (error) => log(`refused ${event}`, error?.code, error?.syscall));
    });
  });
  server.close();
});
