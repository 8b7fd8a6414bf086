// Entries of the types 'net' and 'dns'.
'use strict';
const dns = require('dns');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { PerformanceObserver, performance } = require('perf_hooks');

let port;
const seen = [];
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const detail = JSON.stringify(entry.detail).replace(`:${port}}`, ':PORT}');
    const isTimed = entry.startTime > 0 && entry.duration > 0 && entry.startTime + entry.duration <= performance.now();
    seen.push(`${entry.entryType} ${entry.name} ${entry.constructor.name} ${isTimed} ${detail}`);
  }
});
const flush = async (label) => {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
  console.log(label, seen.splice(0).sort());
};
const connect = (...options) => new Promise((resolve) => {
  const socket = net.connect(...options);
  socket.on('error', (error) => console.log(error.code)).on('close', resolve).resume();
});
const call = (fn, ...args) => new Promise((resolve) => fn(...args, resolve));
const one = (host, options, callback) => process.nextTick(callback, null, [{ address: '127.0.0.1', family: 4 }]);

(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'perf-'));
  const server = net.createServer((socket) => socket.end());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = server.address().port;
  await connect(port, '127.0.0.1');
  await flush('nobody watches');

  observer.observe({ entryTypes: ['net', 'dns'] });
  await connect(port, '127.0.0.1');
  await flush('connect');
  await connect({ port, host: 'example.test', lookup: one });
  await flush('a look-up of its own');
  await connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1' });
  await flush('from an address');
  await connect({ port: 1, host: '127.0.0.1' });
  await flush('refused');
  const unix = net.createServer((socket) => socket.end());
  await new Promise((resolve) => unix.listen(path.join(folder, 'socket'), resolve));
  await connect(path.join(folder, 'socket'));
  await flush('a path');
  unix.close();

  await call(dns.lookup, 'localhost', { family: 4 });
  await flush('lookup');
  await call(dns.lookup, 'localhost', { family: 4, all: true, hints: dns.ADDRCONFIG, order: 'ipv4first' });
  await flush('all');
  await dns.promises.lookup('localhost', { family: 4 });
  await dns.promises.lookup('localhost', { family: 4, all: true });
  await flush('promises');
  await call(dns.lookup, '127.0.0.1', {});
  await flush('an address');
  await call(dns.lookup, 'no.such.name.invalid', {});
  await flush('unknown');
  await call(dns.lookupService, '127.0.0.1', 59999);
  await dns.promises.lookupService('127.0.0.1', 59999);
  await flush('service');

  observer.observe({ entryTypes: ['dns'] });
  await connect(port, '127.0.0.1');
  await dns.promises.lookup('localhost', { family: 4 });
  await flush('dns alone');
  observer.disconnect();
  await connect(port, '127.0.0.1');
  await dns.promises.lookup('localhost', { family: 4 });
  await flush('disconnected');
  console.log(observer.takeRecords(), performance.getEntriesByType('net'));
  server.close();
  fs.rmSync(folder, { recursive: true });
})();
