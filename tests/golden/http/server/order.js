'use strict';
// The order of events, ticks and promises on a server, for one connection with several requests and every way to answer.
const http = require('http');
const { Readable } = require('stream');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const answers = {
  '/end': (request, response) => response.end('text'),
  '/buffer': (request, response) => response.end(Buffer.from('bytes')),
  '/empty': (request, response) => response.end(),
  '/write': (request, response) => {
    log(response.write('one', () => log('  callback of one')), response.write('two', () => log('  callback of two')));
    process.nextTick(() => {
      log('  in a tick');
      response.end('three', () => log('  callback of end'));
    });
  },
  '/head': (request, response) => {
    response.writeHead(201, 'Made', { 'X-A': '1', 'Content-Length': 3 });
    log('  headers sent', response.headersSent, response.finished);
    response.write('a');
    setImmediate(() => response.end('bc'));
  },
  '/flush': (request, response) => {
    response.flushHeaders();
    setImmediate(() => {
      log('  flushed');
      response.end('x');
    });
  },
  '/pipe': (request, response) => Readable.from(['p', 'i', 'p', 'e']).pipe(response),
  '/echo': (request, response) => request.pipe(response),
  '/promise': async (request, response) => {
    await null;
    log('  in a promise');
    response.end('later');
  },
  '/304': (request, response) => {
    response.statusCode = 304;
    response.end('ignored');
  },
  '/unread': (request, response) => response.end('did not read'),
};

const server = http.createServer((request, response) => {
  log(`request ${request.method} ${request.url}`);
  process.nextTick(log, '  tick');
  Promise.resolve().then(() => log('  promise'));
  setImmediate(log, '  immediate');
  for (const event of ['end', 'close', 'error']) request.on(event, () => log(`  request ${event}`));
  for (const event of ['prefinish', 'finish', 'close', 'socket', 'drain']) {
    response.on(event, () => {
      log(`  response ${event}`, response.writableFinished, response.writableEnded, response.destroyed);
      process.nextTick(log, `  tick after ${event}`);
    });
  }
  answers[request.url](request, response);
  log('  returned', response.writableLength > 0, response.headersSent);
});
server.on('connection', (socket) => {
  log('connection');
  for (const event of ['end', 'finish', 'close']) socket.on(event, () => log(`socket ${event}`));
});
server.on('close', () => log('server close'));

server.listen(0, '127.0.0.1', async () => {
  for (const path of Object.keys(answers)) {
    const hasBody = path === '/echo' || path === '/unread';
    const framing = hasBody ? 'Content-Length: 4\r\n' : '';
    show(await exchange(server.address().port, [
      `${hasBody ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: a\r\n${framing}\r\n${hasBody ? 'body' : ''}`,
      'Keep-Alive',
      'GET /end HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    ]));
  }
  server.close(() => log('closed'));
});
