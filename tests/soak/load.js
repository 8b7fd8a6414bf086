// load.js SEED: rounds of work that is interrupted at random, for soak.py. Between two rounds everything is closed: the
// program prints `quiet ROUND HEAP` and continues when it reads a line.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const readline = require('node:readline');
const { execFile, fork, spawn } = require('node:child_process');
const { once } = require('node:events');
const { setTimeout: sleep } = require('node:timers/promises');
const { Worker } = require('node:worker_threads');

if (process.argv[2] === 'child') {
  process.on('message', (message) => process.send(message));
  process.on('disconnect', () => process.exit());
  return;
}

// Mulberry32: the same rounds for the same seed, as far as the machine allows.
let state = +process.argv[2] >>> 0;
function random(below) {
  state = state + 0x6d2b79f5 >>> 0;
  let value = Math.imul(state ^ state >>> 15, state | 1);
  value ^= value + Math.imul(value ^ value >>> 7, value | 61);
  return ((value ^ value >>> 14) >>> 0) % below;
}

let names = 0;
const scratch = () => path.join(os.tmpdir(), `soak-${names++}`);
const ignore = () => {};

// Settles when the stream, socket, child or worker has ended, for whatever reason.
function gone(emitter, event = 'close') {
  emitter.on('error', ignore);
  return new Promise((resolve) => emitter.once(event, resolve));
}

async function sockets() {
  const isTcp = random(2) === 0;
  const server = net.createServer({ allowHalfOpen: random(2) === 0 }, (socket) => {
    socket.on('error', ignore);
    const isDestroyed = random(4) === 0;
    const isReset = isTcp && random(4) === 0;
    if (isDestroyed) socket.destroy();
    else if (isReset) setTimeout(() => socket.resetAndDestroy(), random(10));
    else socket.pipe(socket);
  });
  server.on('error', ignore);
  server.listen(isTcp ? { port: 0, host: '127.0.0.1' } : { path: `${scratch()}.sock` });
  if (await Promise.race([once(server, 'listening').catch(() => 'failed'),
    gone(server).then(() => 'failed')]) === 'failed') {
    return;
  }
  const address = server.address();
  const clients = [];
  for (let i = random(20); i >= 0; i--) {
    const client = net.connect(typeof address === 'string' ? { path: address } :
      { port: address.port, host: '127.0.0.1' });
    clients.push(gone(client));
    client.resume();
    client.write(Buffer.alloc(1 + random(200_000)));
    if (random(2) === 0) client.end();
    setTimeout(() => client.destroy(), random(50));
  }
  await Promise.all(clients);
  const closed = gone(server);
  server.close();
  await closed;
}

async function files() {
  const file = scratch();
  await fs.promises.writeFile(file, Buffer.alloc(random(300_000)));
  const reader = fs.createReadStream(file, { highWaterMark: 1024 });
  const writer = fs.createWriteStream(`${file}.copy`);
  const ended = [gone(reader), gone(writer)];
  reader.pipe(writer);
  setTimeout(() => {
    reader.destroy();
    writer.destroy();
  }, random(20));
  const controller = new AbortController();
  const aborted = fs.promises.readFile(file, { signal: controller.signal }).catch(ignore);
  if (random(2) === 0) controller.abort();
  await Promise.all([...ended, aborted, fs.promises.readFile(`${file}.missing`).catch(ignore)]);
  const watcher = fs.watch(os.tmpdir()).on('error', ignore);
  try {
    const directory = await fs.promises.opendir(os.tmpdir());
    try {
      await directory.read();
    } finally {
      await directory.close();
    }
  } finally {
    watcher.close();
  }
  await fs.promises.rm(file, { force: true });
  await fs.promises.rm(`${file}.copy`, { force: true });
}

const kWorkers = [
  `require('worker_threads').parentPort.on('message', (m) => require('worker_threads').parentPort.postMessage(m));`,
  `throw new Error('of the soak');`,
  `process.exit(3);`,
  `for (;;);`,
  `require('net').createServer().listen(0, '127.0.0.1'); require('fs').readFile('/proc/self/maps', () => {}); setInterval(() => {}, 1);`,
];

async function workers() {
  const worker = new Worker(kWorkers[random(kWorkers.length)], { eval: true, stdout: true, stderr: true });
  const ended = gone(worker, 'exit');
  worker.postMessage(new ArrayBuffer(random(100_000)));
  setTimeout(() => worker.terminate(), random(100));
  await ended;
}

async function children() {
  const all = [];
  const kill = (child) => setTimeout(() => child.kill(random(2) === 0 ? 'SIGKILL' : 'SIGTERM'), random(60));
  switch (random(4)) {
    case 0: {
      const child = spawn('sleep', ['100']);
      kill(child);
      all.push(gone(child));
      break;
    }
    case 1: {
      const child = spawn('cat');
      child.stdin.on('error', ignore);
      child.stdin.write(Buffer.alloc(random(500_000)));
      child.stdout.resume();
      kill(child);
      all.push(gone(child));
      break;
    }
    case 2: {
      const child = fork(__filename, ['child'], { stdio: 'ignore' });
      child.on('message', () => random(3) === 0 && child.connected && child.disconnect());
      child.send({ some: 'thing' }, ignore);
      kill(child);
      // Without a channel there is no 'close', as in Node; without a process there is no 'exit'.
      all.push(Promise.race([gone(child), gone(child, 'exit')]));
      break;
    }
    default:
      all.push(new Promise((resolve) => execFile('/does/not/exist', resolve)));
      all.push(new Promise((resolve) =>
        execFile('sh', ['-c', 'echo text; sleep 100'], { timeout: 1 + random(50) }, resolve)));
  }
  await Promise.all(all);
}

async function timers() {
  const all = [];
  for (let i = 0; i < 1000; i++) {
    all.push(random(2) === 0 ? setTimeout(ignore, random(1000)) : setInterval(ignore, 1 + random(1000)));
  }
  for (let i = 0; i < 100; i++) clearImmediate(setImmediate(ignore));
  await sleep(random(20));
  for (const timer of all) clearTimeout(timer);
}

// Takes all free descriptors for a moment: everything else gets EMFILE.
async function noDescriptors() {
  const taken = [];
  try {
    for (;;) taken.push(fs.openSync('/dev/null'));
  } catch {
    await sleep(random(10));
  }
  for (const fd of taken) fs.closeSync(fd);
}

const kinds = [sockets, files, workers, children, timers];

async function round(number) {
  const tasks = [];
  // The first round has each kind, so that shared descriptors are open from then on.
  const run = (task) => tasks.push(task().catch((error) => {
    // Without descriptors anything may fail; nothing may be leaked.
    if (!['EMFILE', 'ENFILE'].includes(error.code) && error.code !== 'ERR_WORKER_INIT_FAILED') throw error;
  }));
  if (number === 0) for (const kind of kinds) for (let i = 0; i < 3; i++) run(kind);
  for (let i = 5 + random(10); i > 0; i--) run(kinds[random(kinds.length)]);
  if (number > 0 && random(3) === 0) run(noDescriptors);
  await Promise.all(tasks);
  // Files that could not be removed without a descriptor.
  for (const name of fs.readdirSync(os.tmpdir())) {
    fs.rmSync(path.join(os.tmpdir(), name), { recursive: true, force: true });
  }
}

(async () => {
  const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let number = 0; ; number++) {
    await round(number);
    gc();
    console.log(`quiet ${number} ${process.memoryUsage().heapUsed}`);
    if ((await lines.next()).done) break;
  }
})();
