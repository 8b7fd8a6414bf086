// Responses of all kinds, and their bodies.
const net = require('node:net');

const responses = {
  'length': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello',
  'chunked': 'HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n',
  'until close': 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello',
  'HTTP/1.0': 'HTTP/1.0 200 OK\r\n\r\nhello',
  'no reason': 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n',
  'repeated fields': 'HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\na: 3\r\nSet-Cookie: x=1\r\nSet-Cookie: y=2\r\nContent-Length: 0\r\n\r\n',
  'latin1': 'HTTP/1.1 200 \xe9\r\nA: \xfc\r\nContent-Length: 3\r\n\r\n\xef\xbb\xbf',
  'byte order mark': 'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\xef\xbb\xbfabc',
  'bad UTF-8': 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\xff\xc3b',
  'JSON': 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nContent-Type: application/json\r\n\r\n{"a":[1]}',
  '204': 'HTTP/1.1 204 No Content\r\n\r\n',
  '205': 'HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n',
  '206': 'HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\nab',
  '304': 'HTTP/1.1 304 Not Modified\r\n\r\n',
  '300': 'HTTP/1.1 300 Choices\r\nContent-Length: 2\r\n\r\nab',
  '302 without location': 'HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nab',
  '401': 'HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\nContent-Length: 2\r\n\r\nab',
  '404': 'HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nab',
  '407': 'HTTP/1.1 407 No\r\nContent-Length: 2\r\n\r\nab',
  '421': 'HTTP/1.1 421 No\r\nContent-Length: 2\r\n\r\nab',
  '500': 'HTTP/1.1 500 Oops\r\nContent-Length: 2\r\n\r\nab',
  '599': 'HTTP/1.1 599 Oops\r\nContent-Length: 2\r\n\r\nab',
  '102 and 103 first': 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na',
  'trailers': 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: T\r\n\r\n1\r\na\r\n0\r\nT: 1\r\n\r\n',
  'unknown encoding': 'HTTP/1.1 200 OK\r\nContent-Encoding: what\r\nContent-Length: 2\r\n\r\nab',
  'identity': 'HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 2\r\n\r\nab',
  'too many encodings': 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip,gzip,gzip,gzip,gzip,gzip\r\nContent-Length: 2\r\n\r\nab',
};

const sockets = new Set();
const server = net.createServer((socket) => {
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    const name = decodeURIComponent(chunk.toString('latin1').split(' ')[1].slice(1));
    const text = responses[name];
    socket.write(text, 'latin1');
    if (name === 'until close' || name === 'HTTP/1.0') socket.end();
  });
});

function describe(response) {
  return {
    status: response.status, statusText: response.statusText, ok: response.ok, type: response.type,
    redirected: response.redirected, headers: [...response.headers], cookies: response.headers.getSetCookie(),
    bodyUsed: response.bodyUsed, body: response.body === null ? null : response.body.constructor.name,
  };
}

async function attempt(fn) {
  try {
    return await fn();
  } catch (error) {
    return `${error.name}: ${error.message} ${error.cause?.code ?? error.cause?.message ?? ''}`;
  }
}

server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}/`;
  for (const name of Object.keys(responses)) {
    const url = base + encodeURIComponent(name);
    console.log('---', name);
    console.log(await attempt(async () => describe(await fetch(url))));
    for (const method of ['text', 'json', 'bytes', 'arrayBuffer', 'blob', 'formData']) {
      console.log(method, await attempt(async () => (await fetch(url))[method]()));
    }
    console.log('HEAD', await attempt(async () => {
      const response = await fetch(url, { method: 'HEAD' });
      return [response.status, response.body, await response.text()];
    }));
    console.log('stream', await attempt(async () => {
      const response = await fetch(url);
      const parts = [];
      if (response.body !== null) for await (const part of response.body) parts.push(part);
      return [Buffer.concat(parts).toString(), parts.every((part) => part.constructor === Uint8Array),
        response.bodyUsed, response.body?.locked];
    }));
    console.log('clone', await attempt(async () => {
      const response = await fetch(url);
      const clone = response.clone();
      return [await clone.text(), await response.text(), clone.status, clone.url === response.url, clone.type];
    }));
  }
  server.close();
  for (const socket of sockets) socket.destroy();
});
