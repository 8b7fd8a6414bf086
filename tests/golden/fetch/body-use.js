// The rules about using a body once, in all orders, before and after it has arrived.
const http = require('node:http');

const server = http.createServer((request, response) => {
  if (request.url === '/late') {
    response.write('one ');
    setImmediate(() => setImmediate(() => response.end('two')));
  } else if (request.url === '/large') {
    response.end('x'.repeat(300_000));
  } else {
    response.end('body');
  }
});

async function attempt(fn) {
  try {
    const value = await fn();
    return value?.byteLength ?? (value?.length > 50 ? value.length : value);
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

const uses = {
  text: (response) => response.text(),
  json: (response) => response.json(),
  bytes: (response) => response.bytes(),
  blob: async (response) => (await response.blob()).size,
  clone: (response) => response.clone().text(),
  reader: async (response) => {
    const reader = response.body.getReader();
    const { done } = await reader.read();
    reader.releaseLock();
    return done;
  },
  byob: async (response) => {
    const reader = response.body.getReader({ mode: 'byob' });
    const { value, done } = await reader.read(new Uint8Array(3));
    reader.releaseLock();
    return [Buffer.from(value).toString(), done];
  },
  cancel: (response) => response.body.cancel(),
  look: (response) => [response.bodyUsed, response.body.locked],
  tee: async (response) => {
    const [a, b] = response.body.tee();
    return [await new Response(a).text(), await new Response(b).text()].map((text) => text.length);
  },
  pipe: (response) => new Response(response.body.pipeThrough(new TransformStream())).text(),
};

server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  for (const path of ['/', '/late', '/large']) {
    for (const first of Object.keys(uses)) {
      const results = [];
      for (const second of Object.keys(uses)) {
        const response = await fetch(base + path);
        results.push([await attempt(() => uses[first](response)), second, await attempt(() => uses[second](response)),
          response.bodyUsed, response.body.locked]);
      }
      console.log(path, first, results);
    }
    const both = await fetch(base + path);
    console.log(await Promise.all([attempt(() => both.text()), attempt(() => both.text()), both.bodyUsed]));
    let streamed = '';
    for await (const part of (await fetch(base + path)).textStream()) streamed += part;
    console.log(streamed.length);
    const used = await fetch(base + path);
    const text = used.text();
    console.log(used.bodyUsed, used.body.locked, await attempt(() => used.clone()), (await text).length);
    console.log(await attempt(() => Response.prototype.text.call({})), Response.prototype.text.length,
      Object.getOwnPropertyDescriptor(Response.prototype, 'json').enumerable, Response.prototype.json.name);
  }
  server.close();
  server.closeAllConnections();
});
