// EventSource: events, fields, reconnection, failures.
const http = require('node:http');

let count = 0;
const server = http.createServer((request, response) => {
  const { url, headers } = request;
  if (url === '/type') {
    response.setHeader('content-type', 'text/plain');
    response.end('data: no\n\n');
    return;
  }
  if (url === '/status') {
    response.statusCode = 404;
    response.end();
    return;
  }
  count++;
  console.log('request', count, headers.accept, headers['cache-control'], headers['last-event-id']);
  if (count === 3) {
    response.statusCode = 204;
    response.end();
    return;
  }
  response.setHeader('content-type', 'text/event-stream; charset=utf-8');
  if (count === 1) {
    response.write('\ufeffretry: 10\n: a comment\n\ndata: one\n\ndata: two\ndata: lines\nid: 7\n\n');
    response.write('event: own\r\ndata:no space\r\n\r\ndata\n\ndata:\ndata:\n\nunknown: x\ndata: after\rid\r\r');
    response.write('event: without data\n\ndata: \u00e4\u{1f600}\n\nid: a\0b\ndata: bad id\n\nid: 8\ndata: last\n\ndata: lost');
  } else {
    response.write('data: again\n\n');
  }
  response.end();
});

server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const source = new EventSource(`${base}/`);
  console.log(source.readyState, source.withCredentials, source.url === `${base}/`, EventSource.OPEN);
  source.onopen = (event) => console.log('open', event.constructor.name, source.readyState);
  const onMessage = (event) => console.log(event.type, JSON.stringify(event.data), event.lastEventId,
    event.origin === base, event instanceof MessageEvent);
  source.onmessage = onMessage;
  source.addEventListener('own', onMessage);
  source.onerror = (event) => {
    console.log('error', event.constructor.name, source.readyState);
    if (source.readyState === EventSource.CLOSED) next();
  };
  function next() {
    const others = [new EventSource(`${base}/type`), new EventSource(`${base}/status`)];
    let ended = 0;
    for (const other of others) {
      other.onerror = () => {
        console.log('failed', other.readyState);
        if (++ended === others.length) finish();
      };
    }
  }
  function finish() {
    try {
      new EventSource('http://%');
    } catch (error) {
      console.log(error.name, error.message);
    }
    server.close();
    server.closeAllConnections();
  }
});
