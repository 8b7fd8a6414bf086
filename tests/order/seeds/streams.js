'use strict';
// Files through streams, sockets and pipelines, all at once.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { pipeline } = require('stream/promises');
const { Transform } = require('stream');
const order = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'seeds-'));
const upper = (name) => new Transform({
  transform(chunk, encoding, callback) {
    order.push(`chunk ${name}`);
    callback(null, String(chunk).toUpperCase());
  },
});
const copy = (name) => pipeline(fs.createReadStream(__filename, { highWaterMark: 256 }), upper(name),
  fs.createWriteStream(path.join(folder, name))).then(() => order.push(`copied ${name}`));
const server = net.createServer((socket) => {
  fs.createReadStream(__filename, { highWaterMark: 512 }).pipe(socket);
});
const fetched = new Promise((resolve) => {
  server.listen(path.join(folder, 'socket'), () => {
    net.connect(path.join(folder, 'socket')).on('data', () => order.push('received')).on('close', resolve).resume();
  });
});
Promise.all([copy('a'), copy('b'), fetched.then(() => server.close())]).then(() =>
  fs.rmSync(folder, { recursive: true }));
process.on('exit', () => console.log(order.join(', ')));
