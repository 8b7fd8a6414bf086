'use strict';
// fetch.cjs server: a server that answers every request with the same bytes; prints its port.
// fetch.cjs PORT WIDTH SECONDS: GETs by fetch(), WIDTH at once. Prints the number, the seconds, and those of the
// processor.
const net = require('node:net');

const kEnd = '\r\n\r\n';
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nKeep-Alive: timeout=5\r\nContent-Length: 13${kEnd}Hello, world!`);

function serve() {
  const server = net.createServer((socket) => {
    let rest = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      rest += chunk.toString('latin1');
      for (let end; (end = rest.indexOf(kEnd)) !== -1; rest = rest.slice(end + kEnd.length)) socket.write(answer);
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

async function run(url, width, seconds) {
  const end = performance.now() + seconds * 1000;
  let count = 0;
  async function worker() {
    while (performance.now() < end) {
      const response = await fetch(url);
      const text = await response.text();
      if (text.length !== 13) throw new Error(`unexpected answer: ${text}`);
      count++;
    }
  }
  await Promise.all(Array.from({ length: width }, worker));
  return count;
}

async function measure(port, width, seconds) {
  const url = `http://127.0.0.1:${port}/`;
  await run(url, width, seconds / 4);
  const before = process.cpuUsage();
  const start = performance.now();
  const count = await run(url, width, seconds);
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  console.log(count, elapsed, (user + system) / 1e6);
  process.exit();
}

if (process.argv[2] === 'server') {
  serve();
} else {
  measure(...process.argv.slice(2).map(Number));
}
