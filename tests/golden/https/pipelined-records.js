'use strict';
// Requests that arrive together over TLS: their responses leave in order, each in a record of its own, while the
// connection is kept alive.
const https = require('https');
const tls = require('tls');
const { ca, pair } = require('../tls/fixtures/keys');

const server = https.createServer(pair('server'), (request, response) => {
  console.log(`request ${request.url}`);
  response.on('finish', () => console.log(`finish ${request.url}`));
  response.sendDate = false;
  response.end(`answer to ${request.url}`);
});
server.listen(0, '127.0.0.1', () => {
  const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n`;
  const client = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, checkServerIdentity() {} }, () => {
    client.write(get('/1') + get('/2') + get('/3'));
  });
  let count = 0;
  client.on('data', (data) => {
    const texts = data.toString().match(/answer to .*/g);
    console.log(`data: ${texts}`);
    count += texts.length;
    if (count === 3) client.end();
  });
  client.on('close', () => server.close());
});
