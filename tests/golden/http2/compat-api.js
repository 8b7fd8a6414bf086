'use strict';
// Requests and responses of the compatibility API.
const http2 = require('http2');
const assert = require('assert');

function failure(fn) {
  try {
    return fn();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
}

const server = http2.createServer((request, response) => {
  console.log(request.method, request.url, request.httpVersion, request.authority !== undefined, request.scheme);
  console.log(request.headers['x-twice'], request.headers.cookie, request.rawHeaders.length % 2);
  console.log(request.complete, request.aborted, response.headersSent, response.statusCode, response.finished);
  console.log(request.socket === request.connection, request.socket.remoteFamily, response.req === request);
  console.log(failure(() => request.socket.write('x')));
  console.log(failure(() => { request.method = ' '; }));
  console.log(failure(() => { request.method = 1; }));
  request.url = '/other';
  console.log(request.url);
  response.setHeader('X-One', 'a');
  response.setHeader('x-list', ['b', 'c']);
  response.appendHeader('x-list', 'd');
  response.appendHeader('x-new', ['e', 'f']);
  console.log(response.getHeaderNames(), response.hasHeader('x-one'), response.getHeader('x-ONE'));
  response.removeHeader('x-one');
  console.log(response.getHeaders());
  for (const [name, value] of [['', 'x'], ['a b', 'x'], [':status', '200'], ['x', undefined], [1, 'x'], [':made-up', '1']]) {
    console.log(failure(() => response.setHeader(name, value)));
  }
  for (const code of [100, 99, 600, 1000, 'abc']) console.log(failure(() => { response.statusCode = code; }));
  console.log(response.writeInformation(102, { 'x-info': 'yes' }));
  console.log(failure(() => response.writeInformation(101)));
  console.log(response.writeEarlyHints({ 'link': '</style.css>; rel=preload', 'x-hint': '1' }));
  console.log(failure(() => response.writeEarlyHints({ link: 'bad' })));
  request.on('data', (data) => console.log('server data', `${data}`));
  request.on('end', () => {
    console.log(request.trailers, request.rawTrailers.length, request.complete);
    response.setTrailer('x-trailer', 'end');
    response.addTrailers({ 'x-more': 'all' });
    response.writeHead(202, { 'X-Head': 'yes' });
    console.log(response.headersSent, failure(() => response.setHeader('a', 'b')));
    console.log(failure(() => response.writeHead(200)), failure(() => response.removeHeader('a')));
    console.log(response.write('text'), response.writableEnded);
    response.end('last', () => console.log('server end callback', response.writableEnded));
    console.log(response.end() === response, response.write('late'));
  });
  response.on('finish', () => console.log('server finish', response.socket === undefined, response.writableFinished));
  response.on('close', () => {
    console.log('server close', failure(() => response.createPushResponse({}, 1)));
    response.createPushResponse({}, (error) => console.log(error.code));
  });
  response.on('error', (error) => console.log('response error', error.code));
});
server.on('stream', (stream) => stream.on('error', (error) => console.log('stream error', error.code)));
// Printed at the end: both sides run in one process, and either may come first.
const lines = [];
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const request = client.request(
    { ':method': 'PUT', ':path': '/a?b', 'x-twice': ['1', '2'], 'cookie': ['a=b', 'c=d'] }, { waitForTrailers: true });
  request.on('wantTrailers', () => request.sendTrailers({ 'x-client': 'trailer' }));
  request.on('headers', (headers) => {
    delete headers.date;
    lines.push(`client headers ${JSON.stringify(headers)}`);
  });
  request.on('response', (headers) => {
    assert.ok(headers.date);
    delete headers.date;
    lines.push(`client response ${JSON.stringify(headers)}`);
  });
  request.on('trailers', (headers) => lines.push(`client trailers ${JSON.stringify(headers)}`));
  request.on('error', (error) => lines.push(`client error ${error.code} ${error.message}`));
  request.on('data', (data) => lines.push(`client data ${data}`));
  request.on('close', () => {
    lines.push(`client close ${request.rstCode}`);
    console.log(lines.join('\n'));
    client.close();
    server.close();
  });
  request.end('body');
});
