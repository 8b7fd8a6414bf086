// WebAssembly.compileStreaming() and instantiateStreaming().
const http = require('node:http');

// (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
const bytes = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1,
  7, 0, 32, 0, 32, 1, 106, 11,
]);
const headers = { 'Content-Type': 'application/wasm' };

async function attempt(title, fn) {
  try {
    console.log(title, await fn());
  } catch (error) {
    console.log(title, error.name, error.code, error.message);
  }
}

const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/wasm');
  if (request.url === '/missing') response.statusCode = 404;
  if (request.url === '/parts') {
    response.write(bytes.subarray(0, 10));
    setImmediate(() => response.end(bytes.subarray(10)));
  } else {
    response.end(bytes);
  }
});

server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const add = ({ instance }) => instance.exports.add(2, 3);
  console.log(WebAssembly.compileStreaming.length, WebAssembly.instantiateStreaming.name);
  console.log(Object.getOwnPropertyDescriptor(WebAssembly, 'compileStreaming').enumerable);
  await attempt('fetched', async () => add(await WebAssembly.instantiateStreaming(fetch(base))));
  await attempt('in parts', async () => add(await WebAssembly.instantiateStreaming(fetch(`${base}/parts`))));
  await attempt('status', () => WebAssembly.compileStreaming(fetch(`${base}/missing`)));
  await attempt('compiled', async () => WebAssembly.Module.exports(
    await WebAssembly.compileStreaming(new Response(bytes, { headers }))));
  await attempt('type', () => WebAssembly.compileStreaming(new Response(bytes)));
  await attempt('type with parameter', () => WebAssembly.compileStreaming(
    new Response(bytes, { headers: { 'Content-Type': 'application/wasm; x=y' } })));
  await attempt('used', async () => {
    const response = new Response(bytes, { headers });
    await response.text();
    return WebAssembly.compileStreaming(response);
  });
  await attempt('no body', () => WebAssembly.compileStreaming(new Response(null, { headers })));
  await attempt('damaged', () => WebAssembly.compileStreaming(new Response(bytes.subarray(0, 20), { headers })));
  await attempt('not a response', () => WebAssembly.compileStreaming({}));
  await attempt('nothing', () => WebAssembly.compileStreaming());
  await attempt('rejected', () => WebAssembly.compileStreaming(Promise.reject(new RangeError('mine'))));
  await attempt('failing stream', () => WebAssembly.compileStreaming(new Response(new ReadableStream({
    pull(controller) { controller.error(new RangeError('stream')); },
  }), { headers })));
  await attempt('chunks of text', () => WebAssembly.compileStreaming(new Response(new ReadableStream({
    start(controller) {
      controller.enqueue('text');
      controller.close();
    },
  }), { headers })));
  await attempt('missing import', async () => add(await WebAssembly.instantiateStreaming(new Response(bytes, { headers }), 1)));
  server.close();
  server.closeAllConnections();
});
