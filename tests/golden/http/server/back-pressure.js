'use strict';
// Large bodies both ways: write() returns false, 'drain' follows, and every byte arrives.
const http = require('http');
const crypto = require('crypto');
const { Readable, pipeline } = require('stream');

const log = console.log;
const size = 3 * 1024 * 1024;
const data = Buffer.alloc(size, 'abcdefghijk');
const digest = (bytes) => crypto.createHash('sha1').update(bytes).digest('hex').slice(0, 8);

// Writes everything, and waits for 'drain' where necessary.
function writeAll(message, step, done) {
  let at = 0;
  let waits = 0;
  (function next() {
    while (at < size) {
      const part = data.subarray(at, at += step);
      if (!message.write(part)) {
        waits++;
        message.once('drain', next);
        return;
      }
    }
    message.end(() => done(waits));
  })();
}

function collect(message, callback) {
  const hash = crypto.createHash('sha1');
  let count = 0;
  message.on('data', (part) => {
    hash.update(part);
    count += part.length;
  });
  message.on('end', () => callback(count, hash.digest('hex').slice(0, 8)));
}

const modes = {
  '/chunked': (request, response) => writeAll(response, 10_000, (waits) => log('  chunked', waits > 0)),
  '/length': (request, response) => {
    response.setHeader('Content-Length', size);
    writeAll(response, 100_000, (waits) => log('  length', waits > 0));
  },
  '/whole': (request, response) => response.end(data),
  '/text': (request, response) => response.end(data.toString('latin1'), 'latin1'),
  '/pipe': (request, response) => Readable.from((function* () {
    for (let at = 0; at < size; at += 65_536) yield data.subarray(at, at + 65_536);
  })()).pipe(response),
  '/pipeline': (request, response) => pipeline(Readable.from([data]), response, (error) => log('  pipeline', error)),
  '/echo': (request, response) => request.pipe(response),
  '/count': (request, response) => collect(request, (count, sum) => response.end(`${count} ${sum}`)),
  '/slow': (request, response) => {
    request.pause();
    setTimeout(() => {
      collect(request, (count, sum) => response.end(`${count} ${sum}`));
      request.resume();
    }, 50);
  },
};

const server = http.createServer((request, response) => modes[request.url](request, response));
server.listen(0, '127.0.0.1', async () => {
  log(digest(data));
  for (const path of Object.keys(modes)) {
    const sends = ['/echo', '/count', '/slow'].includes(path);
    await new Promise((resolve) => {
      const request = http.request({
        port: server.address().port, host: '127.0.0.1', path, method: sends ? 'POST' : 'GET', agent: false,
      }, (response) => collect(response, (count, sum) => {
        log(path, count === size ? 'all' : count, sum, Object.keys(response.headers).join());
        resolve();
      }));
      if (sends) {
        writeAll(request, 50_000, () => {});
      } else {
        request.end();
      }
    });
  }
  states();
});

// The properties while a response waits.
function states() {
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const show = (name) => log(name, response.writableLength, response.writableNeedDrain, response.writableCorked,
      response.writableHighWaterMark, response.writable, response.writableObjectMode);
    show('before');
    response.cork();
    log(response.write('abc'), response.write(''), response.write(Buffer.from('def')), response.write('ö', 'latin1'));
    show('corked');
    response.uncork();
    show('uncorked');
    log(response.write('x'.repeat(100_000)));
    show('written');
    response.on('drain', () => {
      show('drain');
      response.end('end');
      show('ended');
    });
    response.on('close', () => show('close'));
  });
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    collect(response, (count) => {
      log(count);
      server.close();
    });
  });
}
