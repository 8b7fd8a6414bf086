'use strict';
// The data that http2.client.stream.bodyChunkSent publishes for one chunk, for several, and for several that are not all bytes.
const { subscribe } = require('diagnostics_channel');
const http2 = require('http2');

subscribe('http2.client.stream.bodyChunkSent', ({ writev, data, encoding }) => {
  const shown = (chunk) => (Buffer.isBuffer(chunk) ? `bytes ${chunk}` : JSON.stringify(chunk));
  console.log(writev, encoding, writev ? data.map(shown) : shown(data));
});
const server = http2.createServer();
server.on('stream', (stream) => stream.resume().respond({ ':status': 204 }, { endStream: true }));
server.listen(0, '127.0.0.1', async () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  for (const chunks of [['a'], [Buffer.from('b')], [Buffer.from('c'), Buffer.from('d')], [Buffer.from('e'), 'f']]) {
    const stream = client.request({ ':method': 'POST' });
    stream.cork();
    for (const chunk of chunks) stream.write(chunk);
    stream.end();
    await new Promise((resolve) => stream.resume().on('close', resolve));
  }
  client.close();
  server.close();
});
