// Streams in both directions, keep-alive, forms of both sides, connections that the server closes.
const http = require('node:http');
const net = require('node:net');

const sockets = new Set();
const server = http.createServer((request, response) => {
  sockets.add(request.socket);
  if (request.url === '/echo') {
    response.setHeader('content-type', request.headers['content-type'] ?? 'none');
    request.pipe(response);
  } else if (request.url === '/close') {
    response.setHeader('connection', 'close');
    response.end('answer');
  } else if (request.url === '/destroy') {
    response.end('answer', () => request.socket.destroy());
  } else if (request.url === '/early') {
    response.end('early');
  } else {
    response.end('answer');
  }
});

async function* count(limit) {
  for (let i = 0; i < limit; i++) {
    yield new TextEncoder().encode(`${i} `);
    await new Promise(setImmediate);
  }
}

async function attempt(title, fn) {
  try {
    console.log(title, await fn());
  } catch (error) {
    console.log(title, error.name, error.message, error.cause?.name, error.cause?.message, error.cause?.code);
  }
}

server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const post = (path, body, init) => fetch(base + path, { method: 'POST', body, ...init });
  for (let i = 0; i < 3; i++) await attempt('sequence', async () => (await fetch(base)).text());
  await attempt('closed by header', async () => (await fetch(`${base}/close`)).text());
  await attempt('then', async () => (await fetch(base)).text());
  await attempt('closed after response', async () => (await fetch(`${base}/destroy`)).text());
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  await attempt('then', async () => (await fetch(base)).text());
  await attempt('three at once', async () => new Set(await Promise.all(
    Array.from({ length: 3 }, async () => (await fetch(base)).text()))).size);
  await attempt('echo of a stream', async () => (await post('/echo', ReadableStream.from(count(5)), { duplex: 'half' })).text());
  await attempt('no duplex', () => post('/echo', ReadableStream.from(count(5))));
  await attempt('failing stream', () => post('/echo', new ReadableStream({
    pull(controller) { controller.error(new RangeError('mine')); },
  }), { duplex: 'half' }));
  await attempt('stream of text', async () =>
    (await (await post('/echo', ReadableStream.from(['text']), { duplex: 'half' })).text()));
  await attempt('used stream', async () => {
    const stream = new Blob(['x']).stream();
    await new Response(stream).text();
    return post('/echo', stream, { duplex: 'half' });
  });
  await attempt('large body', async () => {
    const body = Buffer.alloc(3_000_000, 'abc');
    return Buffer.compare(Buffer.from(await (await post('/echo', body)).arrayBuffer()), body);
  });
  await attempt('large text', async () => {
    const body = '\u00e4'.repeat(500_000);
    return (await (await post('/echo', body)).text()) === body;
  });
  await attempt('answer before the end of the request', async () => (await post('/early', 'x'.repeat(100))).text());
  await attempt('form', async () => {
    const form = new FormData();
    form.append('a', '1');
    form.append('a', '2\n3');
    form.append('\u00e4"', 'x');
    form.append('file', new File(['con', 'tent'], '\u00fc.txt', { type: 'text/x', lastModified: 5 }));
    form.append('blob', new Blob(['b']));
    const result = await (await post('/echo', form)).formData();
    const parts = [];
    for (const [name, value] of result) {
      parts.push([name, typeof value === 'string' ? value : [value.name, value.type, await value.text()]]);
    }
    return parts;
  });
  await attempt('urlencoded', async () => [...await (await post('/echo', new URLSearchParams('a=1&b=%20'))).formData()]);
  await attempt('slow reader', async () => {
    const response = await post('/echo', Buffer.alloc(1_000_000, 'x'));
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      await new Promise(setImmediate);
    }
    return size;
  });
  await attempt('reader of own buffers', async () => {
    const response = await post('/echo', 'x'.repeat(100));
    const reader = response.body.getReader({ mode: 'byob' });
    let size = 0;
    for (;;) {
      const { value, done } = await reader.read(new Uint8Array(64));
      if (done) return size;
      size += value.length;
    }
  });
  await attempt('unread bodies', async () => {
    const responses = await Promise.all([fetch(base), post('/echo', Buffer.alloc(500_000)), fetch(base)]);
    return responses.map(({ status, bodyUsed }) => [status, bodyUsed]);
  });
  console.log('connections are reused', sockets.size < 15);
  // Bytes on an idle connection are no response.
  const poisoned = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood');
      setImmediate(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad'));
    });
  });
  await new Promise((resolve) => { poisoned.listen(0, '127.0.0.1', resolve); });
  for (let i = 0; i < 3; i++) {
    await attempt('idle connection', async () => (await fetch(`http://127.0.0.1:${poisoned.address().port}`)).text());
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  poisoned.close();
  const { length } = performance.getEntriesByType('resource');
  const entry = performance.getEntriesByType('resource')[0];
  console.log(length > 20, entry.initiatorType, entry.name === `${base}/`, entry.responseStatus, entry.encodedBodySize,
    entry.startTime <= entry.requestStart, entry.requestStart <= entry.responseStart,
    entry.responseStart <= entry.responseEnd, entry.nextHopProtocol, entry.deliveryType);
  server.close();
  server.closeAllConnections();
});
