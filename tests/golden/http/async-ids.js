'use strict';
// Async ids in callbacks on the data of a request: those of the parser, as in its handler.
const http = require('http');
const net = require('net');
const { executionAsyncId, executionAsyncResource, triggerAsyncId } = require('async_hooks');

const log = console.log;
const post = (body, extra = '') =>
  `POST / HTTP/1.1\r\nHost: a\r\n${extra}Content-Length: 6\r\n\r\n${body}`;

const server = http.createServer((request, response) => {
  const id = executionAsyncId();
  const resource = executionAsyncResource();
  log('request', id > 0, triggerAsyncId() > 0, resource === executionAsyncResource());
  request.on('data', (part) => {
    // Data that arrived with the header fields is emitted by a tick.
    if (part.toString() === 'abcdef') return;
    log('data', part.toString(), executionAsyncId() === id);
    process.nextTick(() => log('tick of data', triggerAsyncId() === id));
  });
  request.on('end', () => {
    log('end', triggerAsyncId() === id);
    response.sendDate = false;
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  const steps = [
    () => client.write(post('abcdef')),
    () => {
      client.write(post(''));
      server.once('request', (request) => {
        setImmediate(() => client.write('uvw'));
        request.once('data', () => client.write('xyz'));
      });
    },
    () => client.end(post('abcdef', 'Connection: close\r\n')),
  ];
  client.on('data', () => steps.shift()?.());
  client.on('close', () => server.close());
  steps.shift()();
});
