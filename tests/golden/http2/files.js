'use strict';
// Responses from files and descriptors.
const fs = require('fs');
const http2 = require('http2');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'http2-'));
const file = path.join(folder, 'file');
const big = path.join(folder, 'big');
fs.writeFileSync(file, '0123456789');
fs.writeFileSync(big, Buffer.alloc(300_000, 'abcdef'));
const fd = fs.openSync(file, 'r');

function failure(fn) {
  try {
    fn();
    return 'no error';
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
}
const describe = (error) => `${error.name} ${error.code} ${error.message.replaceAll(folder, 'FOLDER')}`;
const answers = {
  '/file': (stream) => stream.respondWithFile(file),
  '/range': (stream) => stream.respondWithFile(file, { 'x-a': 'b' }, { offset: 2, length: 5 }),
  '/past-end': (stream) => stream.respondWithFile(file, {}, { offset: 8, length: 100 }),
  '/fd': (stream) => stream.respondWithFD(fd, { 'x-a': 'fd' }),
  '/fd-range': (stream) => stream.respondWithFD(fd, {}, { offset: 3, length: 4 }),
  '/fd-stat': (stream) => stream.respondWithFD(fd, {}, {
    statCheck(stat, headers, range) {
      headers['x-size'] = stat.size;
      range.offset = 5;
      range.length = 2;
    },
  }),
  '/bad-fd': (stream) => stream.respondWithFD(9999),
  '/big': (stream) => stream.respondWithFile(big),
  '/trailers': (stream) => {
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-trailer': 'yes' }));
    stream.respondWithFile(file, {}, { waitForTrailers: true });
  },
  '/missing': (stream) => stream.respondWithFile(path.join(folder, 'none')),
  '/missing-handled': (stream) => stream.respondWithFile(path.join(folder, 'none'), {}, {
    onError(error) {
      console.log('onError', describe(error));
      stream.respond({ ':status': 404 });
      stream.end();
    },
  }),
  '/folder': (stream) => stream.respondWithFile(folder, {}, { offset: 0 }),
  '/cancelled': (stream) => stream.respondWithFile(file, {}, {
    statCheck(stat, headers) {
      stream.respond({ ':status': 304 });
      return false;
    },
  }),
  '/204': (stream) => {
    console.log(failure(() => stream.respondWithFile(file, { ':status': 204 })));
    console.log(failure(() => stream.respondWithFD(fd, { ':status': 304 })));
    console.log(failure(() => stream.respondWithFile(file, {}, { offset: 'x' })));
    console.log(failure(() => stream.respondWithFile(file, {}, { length: 'x' })));
    console.log(failure(() => stream.respondWithFile(file, {}, { statCheck: 'x' })));
    console.log(failure(() => stream.respondWithFD('x')), failure(() => stream.respondWithFile(1n)));
    console.log(failure(() => stream.respondWithFile(file, 1)), failure(() => stream.respondWithFile(file, {}, 1)));
    stream.respondWithFile(file, { 'content-length': 5, 'last-modified': 'x' });
    console.log(stream.headersSent);
    stream.on('close', () => console.log(failure(() => stream.respondWithFile(file))));
  },
};
const server = http2.createServer();
server.on('stream', (stream, headers) => {
  stream.on('error', (error) => console.log('stream error', describe(error)));
  answers[headers[':path']](stream);
});
server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const name of Object.keys(answers)) {
    await new Promise((resolve) => {
      const request = client.request({ ':path': name });
      let size = 0;
      let text = '';
      request.on('response', ({ date, ...headers }) => console.log(name, JSON.stringify(headers)));
      request.on('trailers', (headers) => console.log(name, 'trailers', JSON.stringify(headers)));
      request.on('data', (data) => {
        size += data.length;
        if (text.length < 20) text += data.toString('latin1', 0, 20);
      });
      request.on('error', (error) => console.log(name, describe(error)));
      request.on('close', () => {
        console.log(name, 'close', request.rstCode, size, text.slice(0, 20));
        resolve();
      });
    });
  }
  client.close();
  server.close(() => {
    fs.closeSync(fd);
    fs.rmSync(folder, { recursive: true });
  });
});
