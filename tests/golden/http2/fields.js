'use strict';
// Checks of header fields that a program sends, and how fields are received.
const http2 = require('http2');

function failure(fn) {
  try {
    fn()?.on?.('error', (error) => console.log('later', error.code)).close();
    return 'no error';
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
}

const server = http2.createServer();
server.on('stream', (stream, headers, flags, raw) => {
  console.log(JSON.stringify(raw.filter((text, i) => raw[i - i % 2] !== ':authority')));
  console.log(headers[http2.sensitiveHeaders], headers.cookie, headers['x-many'], headers['content-type']);
  if (headers[':path'] === '/responses') {
    for (const fields of [
      { 'connection': 'x' }, { 'upgrade': 'x' }, { 'te': 'gzip' }, { ':path': '/' }, { 'a b': '1' }, { ':status': 100 },
      { ':status': 600 }, { 'content-length': ['1', '2'] }, { [http2.sensitiveHeaders]: 'x' }, 1, 'x', null, [':status'],
    ]) {
      console.log('respond', failure(() => stream.respond(fields)));
      if (stream.headersSent) break;
    }
    for (const fields of [{ ':status': 101 }, { ':status': 200 }, { ':path': '1' }, 'x']) {
      console.log('info', failure(() => stream.additionalHeaders(fields)));
    }
  }
  if (!stream.headersSent) {
    stream.respond([':status', '200', 'set-cookie', 'a', 'set-cookie', 'b', 'x-raw', '1', 'x-raw', '2'],
      { sendDate: false });
  }
  console.log('sent', { ...stream.sentHeaders, date: undefined });
  console.log(failure(() => stream.respond({})), failure(() => stream.additionalHeaders({})));
  stream.end();
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const fields of [
    { 'connection': 'close' }, { 'te': 'gzip' }, { ':made-up': '1' }, { ':status': 1 }, { 'a b': '1' }, { 'é': '1' },
    { 'content-type': ['a', 'b'] }, { ':method': 'CONNECT' }, { ':method': 'CONNECT', ':authority': 'a', ':path': '/' },
    { ':method': 'CONNECT', ':authority': 'a', ':scheme': 'http' }, 1, 'x', null,
    [':method', 'GET', 'host', 'a', 'Host', 'b'],
  ]) {
    console.log(failure(() => client.request(fields)));
  }
  const options = [{ endStream: 1 }, { parent: 'x' }, { parent: -1 }, { exclusive: 1 }, { silent: 'x' }, 1, 'x'];
  for (const option of options) {
    console.log(failure(() => client.request({}, option)));
  }
  const ask = (fields, next) => {
    const request = client.request(fields);
    console.log('client sent', request.sentHeaders[':path'], request.sentHeaders[http2.sensitiveHeaders]);
    request.on('response', (headers, flags, raw) => console.log(JSON.stringify(headers), JSON.stringify(raw)));
    request.on('error', (error) => console.log(error.code, error.message));
    request.on('close', next);
    request.resume();
  };
  ask({
    ':path': '/one', 'cookie': ['a=1', 'b=2'], 'x-many': ['1', '2', 3], 'X-Case': 'Y', 'empty': [], 'none': undefined,
    'te': 'trailers', 'content-type': ['only'], 'secret': 's', [http2.sensitiveHeaders]: ['secret'],
  }, () => {
    ask([':path', '/two', 'X-Raw', '1', 'x-raw', '2', 'date', 'today'], () => {
      ask({ ':path': '/responses' }, () => {
        client.close();
        server.close();
      });
    });
  });
});
