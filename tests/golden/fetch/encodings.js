// Compressed responses.
const http = require('node:http');
const zlib = require('node:zlib');

const text = 'some text '.repeat(1000);
const encoders = {
  'gzip': zlib.gzipSync, 'x-gzip': zlib.gzipSync, 'deflate': zlib.deflateSync, 'raw deflate': zlib.deflateRawSync,
  'br': zlib.brotliCompressSync, 'zstd': zlib.zstdCompressSync,
};
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(request.url.slice(1));
  if (name === 'two') {
    response.setHeader('content-encoding', 'deflate, gzip');
    response.end(zlib.gzipSync(zlib.deflateSync(text)));
  } else if (name === 'damaged') {
    response.setHeader('content-encoding', 'gzip');
    response.end('this is no gzip');
  } else if (name === 'empty') {
    response.setHeader('content-encoding', 'gzip');
    response.end();
  } else if (name === 'truncated') {
    response.setHeader('content-encoding', 'gzip');
    response.end(zlib.gzipSync(text).subarray(0, 40));
  } else {
    response.setHeader('content-encoding', name === 'raw deflate' ? 'deflate' : name);
    response.end(encoders[name](text));
  }
});

server.listen(0, '127.0.0.1', async () => {
  for (const name of [...Object.keys(encoders), 'two', 'damaged', 'empty', 'truncated']) {
    for (const method of ['GET', 'POST', 'HEAD']) {
      try {
        const response = await fetch(`http://127.0.0.1:${server.address().port}/${encodeURIComponent(name)}`,
          { method, body: method === 'POST' ? 'x' : undefined });
        const body = await response.text();
        console.log(name, method, response.headers.get('content-encoding'), body.length, body === text);
      } catch (error) {
        console.log(name, method, error.name, error.message, error.cause?.code, error.cause?.message);
      }
    }
  }
  server.close();
  server.closeAllConnections();
});
