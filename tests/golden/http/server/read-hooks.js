'use strict';
// Requests that native code reads from the connection, in a program that uses async_hooks: the values of stores, the
// contexts of callbacks, an upgrade after a body, and the order of read-order.js.
const http = require('http');
const { AsyncLocalStorage, createHook, executionAsyncId } = require('async_hooks');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const store = new AsyncLocalStorage();
const types = new Map();
const hook = createHook({ init: (id, type) => types.set(id, type) });

function answer(response, text) {
  response.sendDate = false;
  response.end(text);
}

async function context() {
  hook.enable();
  const server = http.createServer((request, response) => {
    log(request.url, store.getStore(), types.get(executionAsyncId()));
    store.run(request.url, () => {
      request.on('data', (data) => log('data', `${data}`, store.getStore()));
      request.on('end', () => {
        log('end', store.getStore());
        setImmediate(() => answer(response, store.getStore()));
      });
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  store.enterWith('main');
  show(await exchange(server.address().port, ['POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', '/1',
    'GET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n']));
  await new Promise((resolve) => server.close(resolve));
  hook.disable();
}

async function upgrade() {
  const server = http.createServer();
  server.on('upgrade', (request, stream, head) => {
    let size = 0;
    request.on('data', (data) => size += data.length);
    request.on('end', () => {
      stream.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      log('body', size, `${head}`);
      stream.on('data', (data) => log('data', `${data}`));
      stream.on('end', () => stream.end());
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  show(await exchange(server.address().port, ['POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n' +
    'Transfer-Encoding: chunked\r\n\r\nC\r\nrequest body\r\n0\r\n\r\nhead', '101', 'more'], { isHalfClosed: true }));
  await new Promise((resolve) => server.close(resolve));
}

context().then(upgrade).then(() => require('./read-order'));
