'use strict';
// Messages without a socket, and connections that are other streams.
const http = require('http');
const { Duplex, PassThrough, Writable } = require('stream');

const log = console.log;

// Two streams, each of which reads what is written to the other.
function pair() {
  const make = () => new Duplex({
    read() {},
    write(chunk, encoding, callback) {
      setImmediate(() => {
        this.other.push(chunk);
        callback();
      });
    },
    final(callback) {
      this.other.push(null);
      callback();
    },
  });
  const ends = [make(), make()];
  ends[0].other = ends[1];
  ends[1].other = ends[0];
  return ends;
}

function standalone() {
  const response = new http.ServerResponse({ method: 'GET', httpVersionMajor: 1, httpVersionMinor: 1 });
  const parts = [];
  const sink = new Writable({
    write(chunk, encoding, callback) {
      parts.push(`${chunk}`);
      setImmediate(callback);
    },
  });
  response.sendDate = false;
  for (const event of ['socket', 'finish', 'close']) response.on(event, () => log('standalone', event));
  log(response.write('before '), response.outputSize > 0, response.socket);
  response.assignSocket(sink);
  try {
    response.assignSocket(sink);
  } catch (error) {
    log(error.code);
  }
  return new Promise((resolve) => response.end('after', () => {
    log(parts.join('').split('\r\n'));
    response.detachSocket(sink);
    log(response.socket, sink._httpMessage);
    resolve();
  }));
}

function outgoing() {
  const message = new http.OutgoingMessage();
  log(Object.keys(message).filter((key) => typeof key === 'string').join());
  log(message.writable, message.writableEnded, message.writableFinished, message.writableLength, message.headersSent,
    message.connection, message.socket, message.errored, message.closed, message.writableCorked);
  message.on('error', (error) => log('error', error.code));
  message.pipe();
  message.destroy(new Error('x'));
  log(message.destroyed, message.errored.message);
  message.on('close', () => log('outgoing close'));
  const incoming = new http.IncomingMessage(null);
  incoming._addHeaderLines(['A', 'b', 'a', 'c'], 4);
  log(incoming.headers, incoming.headersDistinct, incoming.rawHeaders, incoming.trailers, incoming.connection);
}

function exchange() {
  return new Promise((resolve) => {
    const [near, far] = pair();
    const server = http.createServer((request, response) => {
      log('request', request.url, request.socket === far, response.shouldKeepAlive);
      response.sendDate = false;
      request.pipe(new PassThrough()).pipe(response);
    });
    server.emit('connection', far);
    let count = 0;
    const ask = () => {
      const request = http.request({ createConnection: () => near, method: 'POST', path: `/${++count}` }, (response) => {
        response.setEncoding('utf8');
        response.on('data', (data) => log('data', data));
        response.on('end', () => log('end', response.headers));
      });
      request.on('close', () => {
        log('close', near.destroyed);
        resolve();
      });
      request.write('a');
      request.end('b');
    };
    ask();
  });
}

(async () => {
  await standalone();
  outgoing();
  await exchange();
})();
