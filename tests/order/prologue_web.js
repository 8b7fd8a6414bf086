const dgram = require('dgram');
const http = require('http');
const http2 = require('http2');
const tls = require('tls');
const zlib = require('zlib');

const pem = (name) => fs.readFileSync(path.join(path.dirname(IDLE), '../tls/fixtures', `${name}.pem`));
const identity = { key: pem('server-key'), cert: pem('server') };
const trusting = { ca: pem('ca'), checkServerIdentity() {} };

function datagrams(n, ready) {
  const pair = held[n] = { one: dgram.createSocket('udp4'), two: dgram.createSocket('udp4'), portOf: {} };
  const bound = (name) => {
    pair.portOf[name] = pair[name].address().port;
    if (pair.portOf.one && pair.portOf.two) ready();
  };
  for (const name of ['one', 'two']) pair[name].bind(0, '127.0.0.1', () => bound(name));
}

// Sends from one socket of a pair to the other.
function post(pair, from, text, name, react) {
  try {
    pair[from].send(text, pair.portOf[from === 'one' ? 'two' : 'one'], '127.0.0.1', name && ((error) => {
      log(`${name} ${describe(error)}`.trimEnd());
      react?.();
    }));
  } catch (error) {
    log(`not sent ${describe(error)}`);
  }
}

// An HTTP server; `style` is how it answers requests whose path says nothing else.
function web(n, style, ready) {
  const agent = new http.Agent({ keepAlive: true });
  const server = held[n] = http.createServer((request, response) => {
    request.on('error', () => {});
    answer(request.url.slice(1) || style, request, response);
  });
  server.on('upgrade', (_, socket) => {
    socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nhi');
  });
  server.agent = agent;
  server.narrow = new http.Agent({ keepAlive: true, maxSockets: 1 });
  server.close = (...args) => {
    http.Server.prototype.close.apply(server, args);
    if (!isFinished) return;
    server.closeAllConnections();
    agent.destroy();
    server.narrow.destroy();
  };
  server.listen(0, '127.0.0.1', ready);
}

// The address of a server; once it is closed, a port without a listener.
function where(server) {
  return server.listening ? address(server) : { port: 1, host: '127.0.0.1' };
}

function answer(style, request, response) {
  switch (style) {
    case 'late': setTimeout(() => response.end('late'), UNIT); break;
    case 'parts': response.write('one'); setImmediate(() => { response.write('two'); response.end('three'); }); break;
    case 'immediate': setImmediate(() => response.end('immediate')); break;
    case 'tick': process.nextTick(() => response.end('tick')); break;
    case 'head': response.writeHead(204); response.flushHeaders?.(); response.end(); break;
    case 'echo': request.pipe(response); break;
    case 'large': response.end(Buffer.alloc(200000)); break;
    default: response.end('end');
  }
}

// A request to a server, whose events and those of its response are logged.
function ask(name, server, options, body, reactions) {
  const request = http.request({ ...where(server), agent: server.agent, ...options });
  held[name] = request;
  hear(name, request, 'socket response continue upgrade finish error close', reactions);
  request.on('upgrade', (_, socket) => socket.destroy());
  request.on('response', (response) => {
    hear(`${name} response`, response, 'data end error close', { end: reactions.end });
  });
  request.end(body);
  return request;
}

// Both ends of a TLS connection, and the server.
function secured(n, options, ready) {
  const made = held[n] = {};
  const both = () => { if (made.client && made.server) setTimeout(ready, 2 * UNIT); };
  made.listener = tls.createServer({ ...identity, ...options }, (socket) => {
    if (made.server) {
      const name = `${n} accepted`;
      held[name] = hear(name, socket, 'data end error close');
      return;
    }
    made.server = socket;
    both();
  }).listen(0, '127.0.0.1', () => {
    const client = tls.connect({ ...address(made.listener), ...trusting, ...options }, () => {
      made.client = client;
      both();
    });
  });
}

// Both ends of an HTTP/2 session.
function session(n, isSecure, ready) {
  const made = held[n] = {};
  const both = () => { if (made.client && made.server) setTimeout(ready, 2 * UNIT); };
  made.listener = isSecure ? http2.createSecureServer(identity) : http2.createServer();
  made.listener.on('session', (one) => { made.server = one; both(); });
  made.listener.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    if (headers[':path'] === '/echo') {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
      return;
    }
    answer(headers[':path'].slice(1), stream, { end: (data) => respond(stream, data), write() {} });
  });
  made.listener.listen(0, '127.0.0.1', () => {
    const client = http2.connect(`${isSecure ? 'https' : 'http'}://127.0.0.1:${made.listener.address().port}`, trusting);
    client.on('connect', () => { made.client = client; both(); });
  });
}

function respond(stream, data) {
  if (stream.destroyed) return;
  if (stream.headersSent) return void stream.end();
  stream.respond({ ':status': 200 });
  stream.end(data);
}
