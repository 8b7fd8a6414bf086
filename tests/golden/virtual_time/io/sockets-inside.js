'use strict';
// Both ends are here: what travels between them takes no time, and hours in which nothing does pass at once.
const net = require('net');
const os = require('os');
const fs = require('fs');

async function exchange(name, address) {
  const start = Date.now();
  const log = (...what) => console.log(name, Date.now() - start, ...what);
  const server = net.createServer((socket) => {
    socket.on('data', (text) => {
      if (String(text) === 'later') setTimeout(() => socket.write('now'), 3600000);
      else socket.write(text);
    });
    socket.on('end', () => log('server end'));
  });
  await new Promise((resolve) => { server.listen(address, resolve); });
  const client = net.connect(server.address().port ?? address.path);
  for (let i = 0; i < 50; i++) {
    client.write(`${i}`);
    await new Promise((resolve) => { client.once('data', resolve); });
  }
  log('after fifty exchanges');
  client.write('later');
  await new Promise((resolve) => { client.once('data', (text) => resolve(log(String(text)))); });
  client.setTimeout(5000, () => {
    log('timeout');
    client.end('bye');
  });
  client.resume();
  await new Promise((resolve) => { client.once('close', resolve); });
  log('client closed');
  const big = net.connect(server.address().port ?? address.path);
  const body = Buffer.alloc(3 << 20, 'x');
  let size = 0;
  big.on('data', (chunk) => {
    size += chunk.length;
    if (size === body.length) big.destroy();
  });
  big.write(body);
  await new Promise((resolve) => { big.once('close', resolve); });
  log('big', size);
  // A reader that pauses for an hour, with more under way than the kernel holds.
  const slow = net.connect(server.address().port ?? address.path);
  slow.write(body);
  slow.pause();
  setTimeout(() => slow.resume(), 3600000);
  size = 0;
  slow.on('data', (chunk) => {
    size += chunk.length;
    if (size === body.length) slow.end();
  });
  await new Promise((resolve) => { slow.once('close', resolve); });
  log('slow', size);
  server.close();
  await new Promise((resolve) => { server.once('close', resolve); });
}

(async () => {
  const folder = fs.mkdtempSync(`${os.tmpdir()}/golden-`);
  await exchange('tcp4', { port: 0, host: '127.0.0.1' });
  await exchange('any', { port: 0 });
  await exchange('unix', { path: `${folder}/socket` });
  fs.rmSync(folder, { recursive: true });
})();
