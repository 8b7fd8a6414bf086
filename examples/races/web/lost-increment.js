// Read, modify, write over two requests: each client reads the counter with GET and writes the next value with PUT.
const http = require('node:http');

let counter = 0;
const server = http.createServer((request, response) => {
  if (request.method === 'PUT') counter = Number(request.url.slice(1));
  response.end(String(counter));
});

function send(method, path, callback) {
  const { port } = server.address();
  http.request({ port, host: '127.0.0.1', method, path, agent: false }, (response) => {
    response.setEncoding('utf8').on('data', (text) => callback(Number(text)));
  }).end();
}

let open = 2;
function increment() {
  send('GET', '/', (value) => {
    send('PUT', `/${value + 1}`, () => {
      if (--open !== 0) return;
      server.close();
      if (counter !== 2) throw new Error(`2 increments, and the counter is ${counter}`);
    });
  });
}
server.listen(0, '127.0.0.1', () => {
  increment();
  setTimeout(increment, 200);
});
