'use strict';
// The order of events of a request and its response on both sides, with ticks, promises and immediates between them.
const http = require('http');

const log = (text) => console.log(text);
const server = http.createServer((request, response) => {
  log('server request');
  process.nextTick(log, 'server tick');
  Promise.resolve().then(() => log('server promise'));
  for (const event of ['data', 'end', 'close']) request.on(event, () => log(`server request ${event}`));
  for (const event of ['prefinish', 'finish', 'close']) response.on(event, () => log(`server response ${event}`));
  request.on('end', () => {
    response.write('one');
    response.end('two', () => log('server end callback'));
    log('server ended');
  });
});
server.on('connection', (socket) => {
  log('server connection');
  socket.on('close', () => log('server socket close'));
});
server.listen(0, '127.0.0.1', () => {
  const request = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', agent: false });
  for (const event of ['socket', 'prefinish', 'finish', 'close']) request.on(event, () => log(`client request ${event}`));
  request.on('response', (response) => {
    log(`client response ${response.statusCode} ${response.headers['transfer-encoding']}`);
    process.nextTick(log, 'client tick');
    response.on('data', (data) => log(`client data ${data}`));
    response.on('end', () => {
      log('client end');
      setImmediate(log, 'client immediate');
      server.close(() => log('server closed'));
    });
    response.on('close', () => log('client response close'));
  });
  request.end('body', () => log('client end callback'));
});
