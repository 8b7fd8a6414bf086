'use strict';
// Pushed streams and trailers.
const http2 = require('http2');

function failure(fn) {
  try {
    fn();
    return 'no error';
  } catch (error) {
    return `${error.name} ${error.code} ${error.message}`;
  }
}
const clean = ({ ':authority': authority, ...headers }) => JSON.stringify(headers);

const server = http2.createServer();
server.on('stream', (stream, headers) => {
  console.log('allowed', stream.pushAllowed, headers[':path']);
  console.log(failure(() => stream.pushStream({}, 1)), failure(() => stream.pushStream({}, {}, 1)));
  console.log(failure(() => stream.pushStream(1, () => {})), failure(() => stream.pushStream({ ':status': 1, 'a b': 1 }, () => {})));
  console.log(failure(() => stream.sendTrailers({})));
  stream.pushStream({ ':path': '/pushed', 'x-push': '1' }, (error, push, fields) => {
    console.log('pushing', error, push.id % 2, clean(fields), push.sentHeaders === fields);
    console.log(failure(() => push.pushStream({}, () => {})));
    push.respond({ ':status': 200, 'x-a': 'b' }, { sendDate: false, waitForTrailers: true });
    push.on('wantTrailers', () => {
      console.log('push wantTrailers');
      push.sendTrailers({ 'x-push-trailer': 'c' });
      console.log(push.sentTrailers, failure(() => push.sendTrailers({})));
    });
    push.on('close', () => console.log('push closed', push.rstCode));
    push.end('pushed data');
  });
  stream.pushStream({ ':path': '/head', ':method': 'HEAD' }, (error, push) => {
    console.log('head', push.headRequest, push.writableEnded);
    push.respond({ ':status': 204 }, { sendDate: false });
  });
  stream.on('wantTrailers', () => {
    console.log('wantTrailers', failure(() => stream.sendTrailers({ ':status': '1' })), failure(() => stream.sendTrailers(1)));
    setImmediate(() => stream.sendTrailers({ 'x-trailer': ['d', 'e'] }));
  });
  stream.respond({}, { waitForTrailers: true, sendDate: false });
  stream.end('data');
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  let open = 3;
  const done = () => {
    if (--open > 0) return;
    client.close();
    server.close();
  };
  client.on('stream', (push, headers) => {
    console.log('client stream', clean(headers), push.writableEnded);
    push.on('push', (fields) => console.log('client push', headers[':path'], clean(fields)));
    push.on('trailers', (fields) => console.log('client push trailers', clean(fields)));
    push.on('data', (data) => console.log('client push data', `${data}`));
    push.on('close', () => {
      console.log('client push close', headers[':path'], push.rstCode);
      done();
    });
    push.resume();
  });
  const request = client.request({ ':path': '/main' });
  request.on('response', (headers) => console.log('client response', clean(headers)));
  request.on('trailers', (headers, flags) => console.log('client trailers', clean(headers), flags));
  request.on('data', (data) => console.log('client data', `${data}`));
  request.on('end', () => console.log('client end'));
  request.on('close', done);
});
