// get.cjs PORT SECONDS: requests with http.get, 64 at once, each after the response to another one. Prints their number
// and the seconds that they took, with the processor time.
const http = require('node:http');

const port = +process.argv[2];
const seconds = +process.argv[3];
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
let count = 0;
let start = 0;
let before;

function ask() {
  http.get({ agent, port, host: '127.0.0.1', path: '/' }, (response) => {
    response.resume();
    response.on('end', () => {
      count++;
      const passed = (performance.now() - start) / 1000;
      if (before !== undefined && passed >= seconds) {
        const { user, system } = process.cpuUsage(before);
        console.log(count, passed, (user + system) / 1e6);
        process.exit();
      }
      ask();
    });
  });
}

for (let i = 0; i < 64; i++) ask();
setTimeout(() => {
  count = 0;
  start = performance.now();
  before = process.cpuUsage();
}, seconds * 200);
