'use strict';
// Objects backed by the kernel: sockets, files, threads, processes.
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { Worker } = require('node:worker_threads');

const kInFlight = 32; // File operations at a time.

const once = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

const makeFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'rondo-growth-'));
const removeFolder = (folder) => fs.rmSync(folder, { recursive: true, force: true });

// A folder with `count` entries made by `fill(folder, index)`.
function filled(fill) {
  return (count) => {
    const folder = makeFolder();
    for (let i = 0; i < count; i++) fill(path.join(folder, `entry${i}`));
    return folder;
  };
}

// run(index) for each index, some at a time.
async function inFlight(count, run) {
  let next = 0;
  const lane = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: kInFlight }, lane));
}

async function listen(onConnection) {
  const server = net.createServer(onConnection).listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
  await once(server, 'listening');
  return server;
}

const connect = (server) => net.connect(server.address().port, '127.0.0.1');

module.exports = {
  'connections, one after the other': {
    count: 250,
    async run(count) {
      const server = await listen((socket) => socket.end('x'));
      for (let i = 0; i < count; i++) await once(connect(server).resume(), 'close');
      server.close();
    },
  },
  'connections, all open': {
    count: 100,
    async run(count) {
      const server = await listen((socket) => socket.resume());
      const sockets = Array.from({ length: count }, () => connect(server).resume());
      await Promise.all(sockets.map((socket) => once(socket, 'connect')));
      for (const socket of sockets) socket.end();
      await Promise.all(sockets.map((socket) => once(socket, 'close')));
      server.close();
    },
  },
  'servers': {
    count: 200,
    async run(count) {
      const servers = [];
      for (let i = 0; i < count; i++) servers.push(await listen(() => {}));
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  },
  'socket, small writes': {
    count: 10_000,
    async run(count) {
      const server = await listen((socket) => socket.resume());
      const socket = connect(server);
      await once(socket, 'connect');
      for (let i = 0; i < count; i++) socket.write('small');
      socket.end();
      await once(socket, 'close');
      server.close();
    },
  },
  'files, written and read': {
    count: 500,
    prepare: makeFolder,
    release: removeFolder,
    run(count, folder) {
      return inFlight(count, async (index) => {
        const file = path.join(folder, `file${index}`);
        await fs.promises.writeFile(file, 'text');
        await fs.promises.readFile(file);
      });
    },
  },
  'stat': {
    count: 5_000,
    run(count) {
      return inFlight(count, () => fs.promises.stat(__filename));
    },
  },
  'directory, read with types': {
    count: 2_000,
    prepare: filled((name) => fs.writeFileSync(name, '')),
    release: removeFolder,
    async run(count, folder) {
      for (let i = 0; i < 5; i++) await fs.promises.readdir(folder, { withFileTypes: true });
    },
  },
  'directory, iterated': {
    count: 2_000,
    prepare: filled((name) => fs.writeFileSync(name, '')),
    release: removeFolder,
    async run(count, folder) {
      for await (const entry of await fs.promises.opendir(folder)) entry.isFile();
    },
  },
  'directory, removed': {
    count: 1_000,
    prepare: filled((name) => fs.writeFileSync(name, '')),
    release: removeFolder,
    run: (count, folder) => fs.promises.rm(folder, { recursive: true }),
  },
  'write stream, small writes': {
    count: 10_000,
    prepare: makeFolder,
    release: removeFolder,
    async run(count, folder) {
      const stream = fs.createWriteStream(path.join(folder, 'file'));
      for (let i = 0; i < count; i++) stream.write('small');
      stream.end();
      await once(stream, 'close');
    },
  },
  'write streams': {
    count: 500,
    prepare: makeFolder,
    release: removeFolder,
    run(count, folder) {
      return inFlight(count, (index) => {
        const stream = fs.createWriteStream(path.join(folder, `file${index}`));
        stream.end('text');
        return once(stream, 'close');
      });
    },
  },
  'read stream, chunks': {
    count: 500,
    prepare(count) {
      const folder = makeFolder();
      fs.writeFileSync(path.join(folder, 'file'), Buffer.alloc(count * 65_536));
      return folder;
    },
    release: removeFolder,
    run(count, folder) {
      return once(fs.createReadStream(path.join(folder, 'file')).resume(), 'close');
    },
  },
  'modules, required': {
    count: 250,
    prepare: filled((name) => fs.writeFileSync(`${name}.cjs`, 'exports.value = 1;')),
    release: removeFolder,
    run(count, folder) {
      for (let i = 0; i < count; i++) require(path.join(folder, `entry${i}.cjs`));
    },
  },
  'modules, imported by one': {
    count: 250,
    prepare(count) {
      const folder = filled((name) => fs.writeFileSync(`${name}.mjs`, 'export const value = 1;'))(count);
      const names = Array.from({ length: count }, (_, i) => `import './entry${i}.mjs';`);
      fs.writeFileSync(path.join(folder, 'main.mjs'), names.join('\n'));
      return folder;
    },
    release: removeFolder,
    run: (count, folder) => import(`file://${folder}/main.mjs`),
  },
  'modules, a chain of imports': {
    count: 125,
    prepare(count) {
      const folder = makeFolder();
      for (let i = 0; i < count; i++) {
        fs.writeFileSync(path.join(folder, `chain${i}.mjs`), i + 1 < count ? `import './chain${i + 1}.mjs';` : '');
      }
      return folder;
    },
    release: removeFolder,
    run: (count, folder) => import(`file://${folder}/chain0.mjs`),
  },
  'watchers': {
    count: 100,
    prepare: filled((name) => fs.mkdirSync(name)),
    release: removeFolder,
    async run(count, folder) {
      const watchers = [];
      for (let i = 0; i < count; i++) watchers.push(fs.watch(path.join(folder, `entry${i}`), () => {}));
      await Promise.all(watchers.map((watcher) => new Promise((resolve) => {
        watcher.once('close', resolve);
        watcher.close();
      })));
    },
  },
  'workers, one after the other': {
    count: 4,
    isClock: true,
    async run(count) {
      for (let i = 0; i < count; i++) await once(new Worker('', { eval: true }), 'exit');
    },
  },
  'children, one after the other': {
    count: 10,
    isClock: true,
    async run(count) {
      for (let i = 0; i < count; i++) await once(spawn('true', { stdio: 'ignore' }), 'exit');
    },
  },
  'children, all at once': {
    count: 10,
    isClock: true,
    run(count) {
      return Promise.all(Array.from({ length: count }, () => once(spawn('true'), 'close')));
    },
  },
};
