// server.cjs KIND [FOLDER]: an HTTP server on a free port, which it prints. FOLDER has the packages that the kinds
// express, fastify and ws need, or the certificate of the kind https. get.cjs is the program that measures clients.
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const kinds = {
  hello(request, response) {
    response.setHeader('Content-Type', 'text/plain');
    response.end('Hello, world!');
  },
  json(request, response) {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const value = JSON.parse(Buffer.concat(parts));
      value.seen = true;
      const text = JSON.stringify(value);
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
      response.end(text);
    });
  },
  fields(request, response) {
    const { cookie, host } = request.headers;
    response.setHeader('Content-Type', 'text/plain');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Host', host);
    response.setHeader('Set-Cookie', `${cookie.split('; ')[1]}; Path=/`);
    response.setHeader('Content-Length', 2);
    response.end('ok');
  },
  file(request, response) {
    response.setHeader('Content-Length', size);
    fs.createReadStream(name).pipe(response);
  },
};

const size = 64 * 1024;
const name = path.join(os.tmpdir(), `rondo-bench-${process.pid}`);
const [, , kind, folder] = process.argv;
const address = { port: 0, host: '127.0.0.1', backlog: 8192 };

// Requires a package of FOLDER.
function load(name) {
  return require('node:module').createRequire(path.join(folder, 'index.js'))(name);
}

const servers = {
  express() {
    const app = load('express')();
    app.get('/', (request, response) => response.type('text/plain').send('Hello, world!'));
    return http.createServer(app);
  },
  https() {
    const read = (name) => fs.readFileSync(path.join(folder, name));
    return require('node:https').createServer({ key: read('server-key.pem'), cert: read('server.pem') }, kinds.hello);
  },
  ws() {
    const server = http.createServer();
    const { WebSocketServer } = load('ws');
    new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    });
    return server;
  },
};

function listen(server) {
  server.keepAliveTimeout = 600_000;
  server.listen(address, () => console.log(server.address().port));
}

if (kind === 'fastify') {
  const app = load('fastify')({ keepAliveTimeout: 600_000 });
  app.get('/', (request, reply) => reply.type('text/plain').send('Hello, world!'));
  app.listen(address).then(() => console.log(app.server.address().port));
} else {
  if (kind === 'file') fs.writeFileSync(name, Buffer.alloc(size, 'x'));
  listen(servers[kind]?.() ?? http.createServer(kinds[kind]));
}
