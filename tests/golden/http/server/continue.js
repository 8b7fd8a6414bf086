'use strict';
// Expect: 100-continue and other interim responses, on both sides.
const http = require('http');
const { exchange, show } = require('../fixtures/raw');

const log = console.log;
const mode = { checkContinue: false, checkExpectation: false };
const server = http.createServer((request, response) => {
  log('request', request.url, request.headers.expect);
  response.sendDate = false;
  if (request.url === '/hints') {
    response.writeEarlyHints({ 'link': '</a.css>; rel=preload', 'x-b': 'c' }, () => log('hints sent'));
    response.writeEarlyHints({ link: ['</a.css>; rel=preload', '</b.js>; rel=preload; as=script'] });
    response.writeEarlyHints({ link: [] });
    response.writeProcessing(() => log('processing sent'));
    response.writeContinue();
    response.writeInformation(110, { 'X-I': 'j' });
    response.writeInformation(111, ['X-K', 'l', 'X-K', 'm']);
    response.writeInformation(112, [['X-N', 'o']]);
  }
  let body = '';
  request.on('data', (data) => body += data);
  request.on('end', () => response.end(`got ${body}`));
});
const check = (event) => (request, response) => {
  log(event, request.headers.expect, request.url);
  response.sendDate = false;
  if (request.url === '/refuse') {
    response.writeHead(413);
    response.end('no');
    return;
  }
  response.writeContinue(() => log('continue sent'));
  server.emit('request', request, response);
};

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const head = (path, expect) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\nExpect: ${expect}\r\n\r\n`;
  show(await exchange(port, [head('/', '100-continue'), '100 Continue', 'body']));
  show(await exchange(port, [head('/', '100-CONTINUE'), '100 Continue', 'body']));
  show(await exchange(port, head('/', 'nothing')));
  show(await exchange(port, [head('/hints', '100-continue'), '102', 'body']));
  server.on('checkContinue', check('checkContinue'));
  server.on('checkExpectation', check('checkExpectation'));
  show(await exchange(port, [head('/', '100-continue'), '100 Continue', 'body']));
  show(await exchange(port, head('/refuse', '100-continue')));
  show(await exchange(port, [head('/', 'other'), '100 Continue', 'body']));
  await client(port);
  server.close();
});

function client(port) {
  return new Promise((resolve) => {
    const request = http.request({
      port, host: '127.0.0.1', path: '/hints', method: 'POST', agent: false, headers: { Expect: '100-continue' },
    });
    for (const event of ['continue', 'finish', 'close']) request.on(event, () => log(`client ${event}`));
    request.on('information', (information) => log('information', JSON.stringify(information)));
    request.once('continue', () => request.end('from client'));
    request.on('response', (response) => {
      log('response', response.statusCode);
      response.setEncoding('utf8');
      response.on('data', (data) => log('data', data));
      response.on('end', () => log('end'));
      response.on('close', resolve);
    });
  });
}
