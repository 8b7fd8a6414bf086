'use strict';
// CONNECT, extended CONNECT, Expect, and the events of the compatibility API for them.
const http2 = require('http2');

const server = http2.createServer({ settings: { enableConnectProtocol: true } });
server.on('stream', (stream, headers) => {
  if (headers[':path'] !== '/chat') return;
  console.log('extended', headers[':method'], headers[':protocol'], headers[':scheme']);
  stream.respond({ ':status': 200 });
  stream.on('data', (data) => stream.write(`echo ${data}`));
  stream.on('end', () => stream.end());
});
server.on('connect', (request, response) => {
  if (request.url === '/chat') return;
  console.log('connect', request.method, request.authority, request.url, request.scheme);
  response.writeHead(200);
  request.on('data', (data) => response.write(`through ${data}`));
  request.on('end', () => response.end());
});
server.on('checkContinue', (request, response) => {
  console.log('checkContinue', request.headers.expect);
  response.writeContinue();
  request.resume();
  request.on('end', () => response.end('continued'));
});
server.on('checkExpectation', (request, response) => {
  console.log('checkExpectation', request.headers.expect);
  response.statusCode = 417;
  response.end();
});
server.on('request', (request, response) => response.end('plain'));

function ask(client, headers, body) {
  return new Promise((resolve) => {
    const request = client.request(headers, { endStream: false });
    let text = '';
    request.on('continue', () => console.log('client continue'));
    request.on('headers', (fields) => console.log('client headers', fields[':status']));
    request.on('response', (fields) => console.log('client response', fields[':status']));
    request.on('data', (data) => {
      text += data;
      if (body !== undefined) request.end();
    });
    request.on('close', () => {
      console.log('client close', text, request.rstCode);
      resolve();
    });
    if (body !== undefined) {
      request.write(body);
    } else {
      request.end();
    }
  });
}
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.once('remoteSettings', async (settings) => {
    console.log(settings.enableConnectProtocol);
    await ask(client, { ':method': 'CONNECT', ':authority': 'example.org:443' }, 'hello');
    await ask(client, { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/chat' }, 'hello');
    await ask(client, { ':method': 'POST', 'expect': '100-continue' });
    await ask(client, { ':method': 'POST', 'expect': 'something' });
    await ask(client, { ':method': 'POST' });
    server.removeAllListeners('connect').removeAllListeners('checkContinue').removeAllListeners('checkExpectation');
    await ask(client, { ':method': 'CONNECT', ':authority': 'example.org:443' });
    await ask(client, { ':method': 'POST', 'expect': '100-continue' });
    await ask(client, { ':method': 'POST', 'expect': 'something' });
    client.close();
    server.close();
  });
});
