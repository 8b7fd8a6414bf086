'use strict';
// All of the loop's work in a worker: files, sockets, names, children, the pool. And ended in the middle of it.
const { Worker } = require('worker_threads');
const first = new Worker(`
  const { parentPort } = require('worker_threads');
  const fs = require('fs');
  const net = require('net');
  fs.readFile(process.execPath, { flag: 'r' }, (e, d) => parentPort.postMessage(['readFile', e === null, d.length > 0]));
  fs.promises.stat('.').then((s) => parentPort.postMessage(['stat', s.isDirectory()]));
  require('dns').lookup('localhost', (e) => parentPort.postMessage(['lookup', e === null]));
  const server = net.createServer((c) => c.end('x')).listen(0, '127.0.0.1', () => {
    net.connect(server.address().port, '127.0.0.1').on('data', (d) => { parentPort.postMessage(['net', String(d)]); server.close(); });
  });
  require('child_process').execFile('echo', ['hi'], (e, out) => parentPort.postMessage(['execFile', out]));
  require('crypto').pbkdf2('a', 'b', 1000, 8, 'sha1', (e, b) => parentPort.postMessage(['pbkdf2', b.toString('hex')]));
  setTimeout(() => parentPort.postMessage(['timer']), 2);
`, { eval: true });
const got = [];
first.on('message', (m) => got.push(JSON.stringify(m)));
first.on('exit', (code) => {
  console.log(code, got.sort());
  let left = 6;
  for (let i = 0; i < 6; i++) {
    const worker = new Worker(`
      const fs = require('fs');
      const net = require('net');
      (function read() { fs.readFile('/etc/passwd', read); })();
      const server = net.createServer((c) => { c.on('error', () => {}); c.pipe(c); }).listen(0, '127.0.0.1', () => {
        const c = net.connect(server.address().port, '127.0.0.1');
        c.on('error', () => {});
        c.on('data', () => c.write('y'.repeat(1000)));
        c.write('x');
      });
      require('dns').lookup('localhost', () => {});
      require('crypto').pbkdf2('a', 'b', 50000, 8, 'sha1', () => {});
      require('child_process').spawn('true');
      fs.watch('.', () => {});
    `, { eval: true });
    worker.on('error', (e) => console.log(e.message));
    worker.on('exit', () => { if (--left === 0) console.log('all ended'); });
    worker.on('online', () => setTimeout(() => worker.terminate(), i * 10));
  }
});
