'use strict';
// Streams that are reset, destroyed or refused.
const http2 = require('http2');

const { constants } = http2;
const describe = (error) => (error ? `${error.name} ${error.code} ${error.message}` : error);
const server = http2.createServer();
server.on('stream', (stream, headers) => {
  const path = headers[':path'];
  const events = [];
  for (const event of ['aborted', 'end', 'finish']) stream.on(event, () => events.push(event));
  stream.on('error', (error) => events.push(describe(error)));
  stream.on('close', () => console.log('server', path, stream.rstCode, stream.aborted, events));
  switch (path) {
    case '/close': stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM); break;
    case '/close-ok': stream.close(); break;
    case '/refuse': stream.close(constants.NGHTTP2_REFUSED_STREAM, () => events.push('callback')); break;
    case '/destroy': stream.destroy(); break;
    case '/destroy-error': stream.destroy(new Error('server error')); break;
    case '/respond-destroy':
      stream.respond({ ':status': 200 });
      stream.write('data');
      stream.destroy(new Error('later'));
      break;
    case '/respond-close':
      stream.respond({ ':status': 200 });
      stream.write('data');
      stream.close(constants.NGHTTP2_CANCEL);
      break;
    case '/client-close':
    case '/client-destroy':
    case '/client-error':
    case '/abort':
      stream.respond({ ':status': 200 });
      stream.write('data');
      stream.resume();
      break;
    default:
      stream.respond({ ':status': 200 });
      stream.end('data');
  }
});
const paths = ['/close', '/close-ok', '/refuse', '/destroy', '/destroy-error', '/respond-destroy', '/respond-close',
               '/client-close', '/client-destroy', '/client-error', '/abort', '/early-close', '/early-destroy', '/normal'];
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  const next = () => {
    const path = paths.shift();
    if (path === undefined) {
      client.close();
      server.close();
      return;
    }
    const events = [];
    const abort = new AbortController();
    const request = client.request({ ':path': path, ':method': 'POST' }, { signal: abort.signal });
    for (const event of ['response', 'aborted', 'end', 'finish']) request.on(event, () => events.push(event));
    request.on('error', (error) => events.push(describe(error)));
    request.on('data', (data) => {
      events.push(`${data}`);
      if (path === '/client-close') request.close(constants.NGHTTP2_INTERNAL_ERROR);
      if (path === '/client-destroy') request.destroy();
      if (path === '/client-error') request.destroy(new Error('client error'));
      if (path === '/abort') abort.abort();
    });
    request.on('close', () => {
      console.log('client', path, request.rstCode, request.aborted, request.destroyed, request.session, request.state, events);
      // The server's stream closes first in any case.
      setTimeout(next, 20);
    });
    if (path === '/early-close') request.close(constants.NGHTTP2_CANCEL);
    if (path === '/early-destroy') request.destroy();
    if (path === '/normal') request.end('x');
  };
  next();
  for (const code of [-1, 2 ** 32, 'x', 1.5]) {
    const request = client.request({ ':path': '/normal' });
    try {
      request.close(code);
    } catch (error) {
      console.log(describe(error));
    }
    request.close();
  }
});
