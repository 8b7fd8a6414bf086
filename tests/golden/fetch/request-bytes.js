// The bytes of requests, and the options that change them.
const net = require('node:net');

const requests = [];
let answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const server = net.createServer((socket) => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) return;
    const length = /content-length: (\d+)/i.exec(text);
    if (/transfer-encoding: chunked/i.test(text) ? !text.endsWith('0\r\n\r\n') :
      text.length < end + 4 + +(length?.[1] ?? 0)) return;
    requests.push(text);
    text = '';
    socket.write(answer);
  });
});

async function show(title, path, init) {
  const url = `http://127.0.0.1:${server.address().port}`;
  let result;
  try {
    const response = await fetch(url + path, init);
    result = `${response.status} ${await response.text()}`;
  } catch (error) {
    result = `${error.name}: ${error.message} (${error.cause?.code ?? error.cause?.message})`;
  }
  console.log(`--- ${title}: ${result}`);
  for (const text of requests.splice(0)) {
    console.log(text.replaceAll(String(server.address().port), 'PORT').replace(/boundary=\S+|----\S+/g, 'BOUNDARY')
      .replaceAll('\r', '\\r'));
  }
}

server.listen(0, '127.0.0.1', async () => {
  await show('plain', '/a/b?c=d#e');
  await show('no path', '');
  await show('question mark', '/a?');
  await show('question mark and fragment', '/a?#b');
  await show('escapes', '/ä b?ö=%20"<>');
  await show('own fields', '/', { headers: { 'X-One': '1', 'x-two': 'two words', 'X-Three': '\xe9' } });
  await show('own values of defaults', '/', {
    headers: { 'Accept': 'text/html', 'accept-language': 'de', 'User-Agent': 'me', 'accept-encoding': 'identity' },
  });
  await show('text', '/', { method: 'POST', body: 'hello' });
  await show('text with type', '/', { method: 'PUT', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } });
  await show('text beyond ASCII', '/', { method: 'POST', body: 'h\u00e9llo \u{1f600} \ud800' });
  await show('bytes', '/', { method: 'PATCH', body: new Uint8Array([104, 105]) });
  await show('a part of a buffer', '/', { method: 'POST', body: Buffer.from('abcdef').subarray(2, 4) });
  await show('ArrayBuffer', '/', { method: 'POST', body: new Uint8Array([104, 105]).buffer });
  await show('empty text', '/', { method: 'POST', body: '' });
  await show('no body', '/', { method: 'POST' });
  await show('DELETE', '/', { method: 'DELETE' });
  await show('DELETE with body', '/', { method: 'DELETE', body: 'x' });
  await show('lower-case method', '/', { method: 'post', body: 'x' });
  await show('OPTIONS', '/', { method: 'OPTIONS' });
  await show('URLSearchParams', '/', { method: 'POST', body: new URLSearchParams({ a: '1 2', b: '&' }) });
  await show('Blob', '/', { method: 'POST', body: new Blob(['blob'], { type: 'text/x' }) });
  const form = new FormData();
  form.append('a', '1');
  form.append('file', new File(['content'], 'n"ame.txt', { type: 'text/plain' }));
  await show('form', '/', { method: 'POST', body: form });
  async function* generate() {
    yield Buffer.from('one');
    yield Buffer.from('two');
  }
  await show('stream', '/', { method: 'POST', body: ReadableStream.from(generate()), duplex: 'half' });
  await show('iterable', '/', { method: 'POST', body: generate(), duplex: 'half' });
  await show('Headers', '/', { headers: new Headers([['a', '1'], ['A', '2']]) });
  await show('pairs', '/', { headers: [['a', '1'], ['b', '2'], ['a', '3']] });
  await show('white space', '/', { headers: { a: '  x  ', b: '' } });
  await show('two cases', '/', { headers: { a: '1', A: '2' } });
  await show('conditional', '/', { headers: { 'if-none-match': '"x"' } });
  await show('range', '/', { headers: { range: 'bytes=0-1' } });
  await show('cookie', '/', { headers: { cookie: 'a=b' } });
  await show('connection', '/', { headers: { connection: 'close' } });
  await show('upgrade', '/', { headers: { upgrade: 'x' } });
  await show('expect', '/', { headers: { expect: '100-continue' } });
  await show('cache', '/', { cache: 'no-cache' });
  await show('referrer', '/', { referrer: 'http://127.0.0.1/x' });
  await show('mode', '/', { mode: 'no-cors' });
  await show('keepalive', '/', { keepalive: true });
  await show('Request', '/', new Request('http://127.0.0.1/', { headers: { a: 'b' } }));
  await show('bad field', '/', { headers: { 'a b': '1' } });
  await show('bad value', '/', { headers: { a: '1\n2' } });
  await show('value of another type', '/', { headers: { a: 1 } });
  await show('bad method', '/', { method: 'TRACE' });
  await show('GET with body', '/', { body: 'x' });
  await show('getters', '/', { get method() { return 'PUT'; }, get body() { return 'got'; } });
  server.close();
  process.exit();
});
