'use strict';
// Windows, back-pressure and limits of sessions.
const http2 = require('http2');

const kSize = 400_000;
const server = http2.createServer({ settings: { maxConcurrentStreams: 2 } });
server.on('stream', (stream, headers) => {
  switch (headers[':path']) {
    case '/slow':
      // Nothing is read until the client has filled the window.
      stream.respond();
      setTimeout(() => {
        const { localWindowSize } = stream.state;
        console.log('window', localWindowSize, stream.readableLength > 0);
        let size = 0;
        stream.on('data', (data) => { size += data.length; });
        stream.on('end', () => stream.end(`${size}`));
      }, 100);
      break;
    case '/big':
      stream.respond();
      console.log('write', stream.write(Buffer.alloc(kSize)), stream.bufferSize >= kSize);
      stream.on('drain', () => console.log('drain'));
      stream.end();
      break;
    default:
      stream.respond();
      stream.end('ok');
  }
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.once('remoteSettings', async () => {
    await new Promise((resolve) => {
      const request = client.request({ ':path': '/slow', ':method': 'POST' });
      console.log('client write', request.write(Buffer.alloc(kSize)));
      request.end();
      request.on('data', (data) => console.log('server has read', `${data}`));
      request.on('close', resolve);
    });
    await new Promise((resolve) => {
      const request = client.request({ ':path': '/big' });
      let size = 0;
      request.on('response', () => {
        setTimeout(() => {
          request.on('data', (data) => { size += data.length; });
        }, 50);
      });
      request.on('end', () => console.log('client has read', size));
      request.on('close', resolve);
    });
    // More requests than the server allows at once wait for their turn.
    const order = [];
    await Promise.all(Array.from({ length: 7 }, (_, i) => new Promise((resolve) => {
      const request = client.request({ ':path': `/${i}` });
      request.resume();
      request.on('close', () => {
        order.push(request.id - 5);
        resolve();
      });
    })));
    console.log(order.join(' '));
    client.close();
    server.close();
  });
});
