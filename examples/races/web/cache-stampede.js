// A cache stampede: requests that come while the value is read find no value in the cache, and read it again.
const fs = require('node:fs');
const http = require('node:http');

let cached;
let reads = 0;
const server = http.createServer((request, response) => {
  if (cached !== undefined) return response.end(cached);
  reads++;
  fs.readFile(__filename, (error, bytes) => {
    cached = bytes;
    response.end(cached);
  });
});

let open = 3;
function get() {
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (response) => {
    response.resume().on('end', () => {
      if (--open !== 0) return;
      server.close();
      if (reads !== 1) throw new Error(`the value was read ${reads} times`);
    });
  });
}
server.listen(0, '127.0.0.1', () => {
  get();
  setTimeout(get, 100);
  setTimeout(get, 100);
});
