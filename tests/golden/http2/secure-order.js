'use strict';
// Frames that arrive together over TLS: each is a callback with its own ticks, so that 'response' comes before 'data'. A
// request that is reset while a write is in flight ends in the same turn, before immediates.
const http2 = require('http2');
const { ca, pair } = require('../tls/fixtures/keys');

const server = http2.createSecureServer(pair('server'));
let client;
server.on('stream', (stream, headers) => {
  console.log(`stream ${headers[':path']}`);
  stream.on('error', () => {});
  if (headers[':path'] === '/reset') return;
  stream.respond();
  stream.end('text');
  setImmediate(() => console.log('immediate'));
  const reset = client.request({ ':path': '/reset' });
  for (const event of ['response', 'end', 'error', 'close']) reset.on(event, () => console.log(`reset ${event}`));
  reset.close(http2.constants.NGHTTP2_CANCEL);
});
server.listen(0, '127.0.0.1', () => {
  client = http2.connect(`https://127.0.0.1:${server.address().port}`, { ca, checkServerIdentity() {} });
  client.on('remoteSettings', () => {
    const request = client.request({ ':path': '/', ':method': 'POST' });
    for (const event of ['response', 'data', 'end', 'error', 'close']) request.on(event, () => console.log(event));
    request.on('close', () => setImmediate(() => {
      client.close();
      server.close();
    }));
    request.end();
  });
});
