'use strict';
// Responses that are unusual, wrong or cut short.
const http = require('http');
const { rawServer } = require('../fixtures/raw');

const log = console.log;
function receive(name, answer, options = {}) {
  return new Promise((resolve) => {
    log(name);
    rawServer([answer], (server, port) => {
      const request = http.request({ port, host: '127.0.0.1', agent: false, ...options });
      request.on('information', ({ statusCode, statusMessage }) => log('  information', statusCode, statusMessage));
      request.on('response', (response) => {
        log('  response', response.statusCode, JSON.stringify(response.statusMessage), response.httpVersion,
          JSON.stringify(response.headers));
        let body = '';
        response.on('data', (data) => body += data);
        response.on('aborted', () => log('  aborted'));
        response.on('error', (error) => log('  response error', error.code, error.message));
        response.on('end', () => log('  end', body.length > 50 ? body.length : body, response.complete, response.trailers));
        response.on('close', () => log('  response close', response.complete));
      });
      request.on('error', (error) => {
        log('  error', error.code, error.message, error.reason, error.bytesParsed, error.rawPacket?.length);
      });
      request.on('close', () => {
        log('  close');
        server.close(resolve);
      });
      request.end();
    });
  });
}

const ok = 'HTTP/1.1 200 OK\r\n';
const programs = {
  'length': `${ok}Content-Length: 3\r\n\r\nabc`,
  'too much': `${ok}Content-Length: 3\r\n\r\nabcdef`,
  'too little': `${ok}Content-Length: 3\r\n\r\nab`,
  'until the end': `${ok}\r\nabc`,
  'version 1.0': 'HTTP/1.0 200 OK\r\n\r\nabc',
  'no reason': 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',
  'empty reason': 'HTTP/1.1 299 \r\nContent-Length: 0\r\n\r\n',
  'long reason': `HTTP/1.1 200 ${'x'.repeat(300)}\r\nContent-Length: 0\r\n\r\n`,
  'chunks': `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x="y"\r\nde\r\n0\r\nT: u\r\n\r\n`,
  'chunks cut short': `${ok}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
  'chunk of wrong size': `${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n`,
  'chunk size too large': `${ok}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc`,
  'chunk size in words': `${ok}Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc`,
  'chunk extensions': `${ok}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
  'length and chunks': `${ok}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'two lengths': `${ok}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
  'different lengths': `${ok}Content-Length: 3, 4\r\n\r\nabc`,
  'overflowing length': `${ok}Content-Length: 99999999999999999999\r\n\r\nabc`,
  'encoding that is not chunked': `${ok}Transfer-Encoding: gzip\r\n\r\nabc`,
  'no content': 'HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\nabc',
  'not modified': 'HTTP/1.1 304 Not Modified\r\nContent-Length: 3\r\n\r\n',
  'interim responses': `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 199 Z\r\n\r\n${ok}Content-Length: 1\r\n\r\na`,
  'only an interim response': 'HTTP/1.1 100 Continue\r\n\r\n',
  'switching protocols': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  'two responses': `${ok}Content-Length: 1\r\n\r\na${ok}Content-Length: 1\r\n\r\nb`,
  'two responses with keep-alive': `${ok}Connection: keep-alive\r\nContent-Length: 1\r\n\r\na${ok}Content-Length: 1\r\n\r\nb`,
  'nothing': '',
  'not HTTP': 'SSH-2.0-x\r\n',
  'another protocol': 'HTPT/1.1 200 OK\r\n\r\n',
  'wrong version': 'HTTP/2.0 200 OK\r\n\r\n',
  'status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'head cut short': `${ok}Content-`,
  'status line cut short': 'HTTP/1.1 2',
  'long head': `${ok}X: ${'a'.repeat(20_000)}\r\n\r\n`,
  'endless head': `${ok}${'X: a\r\n'.repeat(20_000)}`,
  'many fields': `${ok}${'X: a\r\n'.repeat(1200)}Content-Length: 0\r\n\r\n`,
  'space before colon': `${ok}X : a\r\nContent-Length: 0\r\n\r\n`,
  'folded line': `${ok}X: a\r\n b\r\nContent-Length: 0\r\n\r\n`,
  'bare LF': 'HTTP/1.1 200 OK\nContent-Length: 1\n\na',
  'bare CR': `${ok}X: a\rb\r\nContent-Length: 0\r\n\r\n`,
  'NUL': `${ok}X: a\0b\r\nContent-Length: 0\r\n\r\n`,
  'upper half of Latin-1': `${ok}X: \xe4\xff\r\nContent-Length: 0\r\n\r\n`,
  'cookies': `${ok}Set-Cookie: a\r\nSet-Cookie: b\r\nX: c\r\nX: d\r\nContent-Length: 0\r\n\r\n`,
};

(async () => {
  for (const [name, text] of Object.entries(programs)) await receive(name, text);
  await receive('HEAD', `${ok}Content-Length: 3\r\n\r\n`, { method: 'HEAD' });
  await receive('HEAD with a body', `${ok}Content-Length: 3\r\n\r\nabc`, { method: 'HEAD' });
  await receive('larger limit', programs['long head'].replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n'), { maxHeaderSize: 30_000 });
  await receive('smaller limit', `${ok}X: ${'a'.repeat(200)}\r\n\r\n`, { maxHeaderSize: 100 });
  await receive('insecure', programs['space before colon'], { insecureHTTPParser: true });
  await receive('relaxed', `${ok}X: a\x01\r\nContent-Length: 0\r\n\r\n`, { httpValidation: 'relaxed' });
  await receive('joined', `${ok}Age: 1\r\nAge: 2\r\nContent-Length: 0\r\n\r\n`, { joinDuplicateHeaders: true });
  await receive('reset', (socket) => {
    socket.write(`${ok}Content-Length: 3\r\n\r\n`);
    setTimeout(() => socket.resetAndDestroy(), 50);
  });
})();
