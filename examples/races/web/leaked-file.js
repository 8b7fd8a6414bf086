// An abort while piping: the client gives up after 100 ms. pipe() does not close the file when the response is closed.
const fs = require('node:fs');
const http = require('node:http');

let files = 0;
const server = http.createServer((request, response) => {
  const file = fs.createReadStream(__filename, { highWaterMark: 200 });
  file.on('open', () => files++);
  file.on('close', () => files--);
  file.pipe(response);
});
server.listen(0, '127.0.0.1', () => {
  const request = http.get({ port: server.address().port, host: '127.0.0.1', agent: false });
  const timer = setTimeout(() => request.destroy(), 100);
  request.on('response', (response) => response.resume().on('end', () => clearTimeout(timer)));
  request.on('error', () => {});
  request.on('close', () => server.close());
});
server.on('close', () => {
  setTimeout(() => {
    if (files !== 0) throw new Error(`the server has closed, and ${files} file is open`);
  }, 5000);
});
