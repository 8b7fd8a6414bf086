// AbortSignal at every stage of a request, and the errors of connections.
const http = require('node:http');
const net = require('node:net');

async function attempt(title, fn) {
  try {
    console.log(title, await fn());
  } catch (error) {
    const cause = error.cause;
    console.log(title, `${error.name}: ${error.message}`, error.code,
      cause && [cause.name, cause.message.replace(/:\d+/g, ':PORT'), cause.code]);
  }
}

const held = [];
const server = http.createServer((request, response) => {
  if (request.url === '/never') {
    held.push(response);
  } else if (request.url === '/half') {
    response.write('half');
  } else {
    request.resume();
    request.on('end', () => response.end('done'));
  }
});

// Answers with raw bytes, and then ends or resets the connection.
const answers = {
  '/end': [''],
  '/garbage': ['hello\r\n\r\n'],
  '/status': ['HTTP/1.1 2000 OK\r\n\r\n'],
  '/version': ['HTTP/3.7 200 OK\r\n\r\n'],
  '/field': ['HTTP/1.1 200 OK\r\nbad field\r\n\r\n'],
  '/large-field': [`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`],
  '/short': ['HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort'],
  '/chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n'],
  '/half-chunk': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe'],
  '/half-head': ['HTTP/1.1 200 OK\r\nA: '],
  '/continue': ['HTTP/1.1 100 Continue\r\n\r\n'],
  '/upgrade': ['HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  '/two-lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  '/both': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
};
const raw = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (chunk) => {
    const path = chunk.toString().split(' ')[1];
    if (path === '/reset') {
      socket.resetAndDestroy();
    } else {
      socket.end(...answers[path]);
    }
  });
});

async function main() {
  const base = `http://127.0.0.1:${server.address().port}`;
  const rawBase = `http://127.0.0.1:${raw.address().port}`;
  await attempt('aborted before', () => fetch(base, { signal: AbortSignal.abort() }));
  await attempt('own reason', () => fetch(base, { signal: AbortSignal.abort(new RangeError('mine')) }));
  await attempt('at once', () => {
    const controller = new AbortController();
    const promise = fetch(`${base}/never`, { signal: controller.signal });
    controller.abort();
    return promise;
  });
  await attempt('while waiting', () => {
    const controller = new AbortController();
    const promise = fetch(`${base}/never`, { signal: controller.signal });
    server.once('request', () => controller.abort('text'));
    return promise.catch((reason) => { throw new Error(`reason ${reason}`); });
  });
  await attempt('in the body', async () => {
    const controller = new AbortController();
    const response = await fetch(`${base}/half`, { signal: controller.signal });
    const text = response.text();
    controller.abort();
    return text;
  });
  await attempt('in the stream', async () => {
    const controller = new AbortController();
    const response = await fetch(`${base}/half`, { signal: controller.signal });
    const reader = response.body.getReader();
    console.log(Buffer.from((await reader.read()).value).toString());
    controller.abort();
    return reader.read();
  });
  await attempt('after the end', async () => {
    const controller = new AbortController();
    const response = await fetch(base, { signal: controller.signal });
    const text = await response.text();
    controller.abort();
    return text;
  });
  await attempt('timeout', () => fetch(`${base}/never`, { signal: AbortSignal.timeout(20) }));
  await attempt('any', () => fetch(`${base}/never`, { signal: AbortSignal.any([AbortSignal.timeout(20)]) }));
  await attempt('of the Request', () => {
    const controller = new AbortController();
    const request = new Request(`${base}/never`, { signal: controller.signal });
    setImmediate(() => controller.abort());
    return fetch(request);
  });
  await attempt('cancel the body', async () => {
    const response = await fetch(`${base}/half`);
    await response.body.cancel('enough');
    return response.bodyUsed;
  });
  for (const path of [...Object.keys(answers), '/reset']) {
    await attempt(path, async () => {
      const response = await fetch(rawBase + path);
      return [response.status, await response.text()];
    });
    await attempt(`${path} through undici`, async () => {
      const response = await fetch(rawBase + path, { signal: new AbortController().signal });
      return [response.status, await response.text()];
    });
  }
  const closed = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => { closed.once('listening', resolve); });
  const { port } = closed.address();
  await new Promise((resolve) => { closed.close(resolve); });
  await attempt('refused', () => fetch(`http://127.0.0.1:${port}`));
  await attempt('no such host', () => fetch('http://name.invalid/'));
  await attempt('bad port', () => fetch('http://127.0.0.1:22/'));
  await attempt('no URL', () => fetch('not a url'));
  await attempt('no argument', () => fetch());
  await attempt('credentials', () => fetch('http://a:b@127.0.0.1/'));
  await attempt('scheme', () => fetch('foo:bar'));
  await attempt('about', () => fetch('about:blank'));
  await attempt('file', () => fetch('file:///etc/hosts'));
  await attempt('data', async () => (await fetch('data:text/plain;base64,aGk=')).text());
  await attempt('blob', async () => (await fetch(URL.createObjectURL(new Blob(['blob'])))).text());
  await attempt('symbol', () => fetch(Symbol('x')));
  await attempt('init', () => fetch(base, 1));
  await attempt('body twice', async () => {
    const request = new Request(base, { method: 'POST', body: 'x' });
    await (await fetch(request)).text();
    return fetch(request);
  });
  raw.close();
  server.close();
  server.closeAllConnections();
}

server.listen(0, '127.0.0.1', () => raw.listen(0, '127.0.0.1', main));
