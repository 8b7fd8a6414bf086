'use strict';
// The events of a piped stdin, for each way to read it.
const { spawn } = require('child_process');

const ways = {
  data(stdin) { stdin.on('data', (chunk) => console.log('data', `${chunk}`)); },
  resume(stdin) { stdin.resume(); },
  async iterate(stdin) {
    for await (const chunk of stdin) console.log('chunk', `${chunk}`);
    console.log('done');
  },
  async breakOut(stdin) {
    stdin.on('error', () => {});
    for await (const chunk of stdin) {
      console.log('chunk', `${chunk}`);
      break;
    }
    console.log('done');
  },
  readline(stdin) {
    const lines = require('readline').createInterface({ input: stdin });
    lines.on('line', (line) => console.log('line', line)).on('close', () => console.log('readline close'));
  },
  destroy(stdin) {
    stdin.on('data', (chunk) => {
      console.log('data', `${chunk}`);
      stdin.destroy();
    });
  },
  pauseInData(stdin) {
    stdin.on('data', (chunk) => {
      console.log('data', `${chunk}`);
      stdin.pause();
    });
  },
  unread(stdin) { stdin.pause(); },
};

function child(way) {
  const { stdin } = process;
  console.log(stdin.constructor.name, stdin.fd, stdin.writable, stdin.bytesRead);
  for (const event of ['end', 'close', 'pause']) {
    stdin.on(event, () => {
      console.log(event, stdin.destroyed);
      process.nextTick(() => console.log('tick of', event));
      if (event !== 'pause') setImmediate(() => console.log('immediate of', event));
    });
  }
  process.on('exit', () => console.log('exit', stdin.destroyed, stdin.readableEnded));
  // By then what the parent wrote has arrived.
  setTimeout(() => setImmediate(() => ways[way](stdin)), 100);
}

async function parent() {
  for (const way of Object.keys(ways)) {
    const { stdin, stdout } = spawn(process.execPath, [__filename, way], { stdio: ['pipe', 'pipe', 'inherit'] });
    stdin.on('error', () => {});
    stdin.write('one\ntwo\n');
    if (way !== 'unread') stdin.end();
    let text = '';
    for await (const chunk of stdout.setEncoding('utf8')) text += chunk;
    console.log(`${way}:\n${text}`);
    stdin.destroy();
  }
}

if (process.argv[2]) child(process.argv[2]);
else parent();
