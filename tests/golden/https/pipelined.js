'use strict';
// Pipelined requests on one encrypted connection: responses that wait for an earlier one, complete or not.
const https = require('https');
const tls = require('tls');
const { ca, pair } = require('../tls/fixtures/keys');

const waiting = [];
const server = https.createServer(pair('server'), (request, response) => {
  response.sendDate = false;
  if (request.url === '/late') {
    waiting.push(response);
  } else if (request.url === '/parts') {
    response.write('first ');
    setImmediate(() => response.end('second\n'));
  } else {
    response.end(`${request.url}\n`);
  }
});

function exchange(paths) {
  return new Promise((resolve) => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca }, () => {
      const fields = (i) => (i === paths.length - 1 ? 'Connection: close\r\n' : '');
      client.write(paths.map((path, i) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${fields(i)}\r\n`).join(''));
    });
    let text = '';
    client.setEncoding('latin1').on('data', (data) => { text += data; }).on('close', () => resolve(text));
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const paths of [['/1', '/2'], ['/late', '/1', '/2'], ['/late', '/parts', '/3'], ['/late', '/late', '/parts'], ['/parts', '/late']]) {
    const answered = exchange(paths);
    const wanted = paths.filter((path) => path === '/late').length;
    while (waiting.length < wanted) await new Promise((resolve) => setTimeout(resolve, 1));
    // The last first: the responses still come in order.
    while (waiting.length > 0) {
      waiting.pop().end('late\n');
      await new Promise(setImmediate);
    }
    console.log(paths.join(' '));
    console.log((await answered).split('\r\n').map((line) => `  | ${line}`).join('\n'));
  }
  server.close();
});
