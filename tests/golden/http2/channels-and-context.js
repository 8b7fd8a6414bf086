'use strict';
// Diagnostics channels, AsyncLocalStorage, performance entries, and rejections of async listeners.
const { AsyncLocalStorage } = require('async_hooks');
const diagnostics = require('diagnostics_channel');
require('events').captureRejections = true;
const http2 = require('http2');
const { PerformanceObserver } = require('perf_hooks');

for (const side of ['client', 'server']) {
  for (const name of ['created', 'start', 'error', 'finish', 'close', 'bodyChunkSent', 'bodySent']) {
    diagnostics.subscribe(`http2.${side}.stream.${name}`, (message) => {
      console.log(side, name, Object.keys(message), message.stream.constructor.name, message.headers?.[':path'] ?? message.headers?.[':status']);
    });
  }
}
const kinds = [];
const observer = new PerformanceObserver((list) => {
  for (const { name, entryType, detail, duration } of list.getEntries()) {
    kinds.push(`${name} ${entryType} ${typeof duration} ${detail.type ?? detail.id} ${Object.keys(detail).sort().join(' ')}`);
  }
});
observer.observe({ type: 'http2' });
const storage = new AsyncLocalStorage();
const server = http2.createServer();
server.on('stream', async (stream, headers) => {
  console.log('server store', storage.getStore());
  if (headers[':path'] === '/rejects') throw new Error('rejected');
  stream.respond({ ':status': 200 });
  stream.end('text');
});
server.listen(0, '127.0.0.1', () => {
  const client = storage.run('session', () => http2.connect(`http://127.0.0.1:${server.address().port}`));
  const ask = (path) => new Promise((resolve) => storage.run(path, () => {
    const request = client.request({ ':path': path, ':method': 'POST' });
    for (const event of ['response', 'data', 'end', 'close']) {
      request.on(event, () => console.log(path, event, storage.getStore()));
    }
    request.on('close', resolve);
    request.end('x');
  }));
  (async () => {
    await ask('/one');
    await ask('/rejects');
    client.close();
    server.close(() => {
      setTimeout(() => {
        observer.disconnect();
        console.log(kinds.sort());
      }, 50);
    });
  })();
});
