// process._getActiveHandles(), _getActiveRequests() and getActiveResourcesInfo(): what has a ref, by its owner.
'use strict';
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');
const { MessageChannel } = require('worker_threads');

// Standard output is among them where it is a pipe; what it is a program does not decide.
const isOther = (handle) => handle.fd !== 1 && handle.fd !== 2 && handle.fd !== 0;
const handles = () => process._getActiveHandles().filter(isOther);
const names = (list) => list.map((one) => one.constructor.name).sort().join(' ');
const requests = () => names(process._getActiveRequests());
// Pipes may be the standard streams.
const info = () => process.getActiveResourcesInfo().filter((name) => name !== 'PipeWrap').sort().join(' ');
const show = (label) => console.log(`${label}: [${names(handles())}] [${requests()}] [${info()}]`);

// Ended or closed handles disappear a little later: after polls, however late the timer is.
const settle = () => new Promise((resolve) => setTimeout(() => setImmediate(setImmediate, resolve), 20));

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'active-'));
const file = path.join(folder, 'file');
fs.writeFileSync(file, 'x');

function timers() {
  const timer = setTimeout(() => {}, 1e6);
  const interval = setInterval(() => {}, 1e6);
  const unrefd = setTimeout(() => {}, 1e6).unref();
  const immediate = setImmediate(() => {});
  show('timers');
  clearTimeout(timer);
  clearTimeout(unrefd);
  clearInterval(interval);
  clearImmediate(immediate);
  show('cleared');
}

async function files() {
  const read = new Promise((resolve) => fs.readFile(file, resolve));
  const stat = new Promise((resolve) => fs.stat(file, resolve));
  show('two callbacks');
  await read;
  await stat;
  await settle();
  const promise = fs.promises.stat(file);
  show('a promise');
  await promise;
  const handle = await fs.promises.open(file);
  await settle();
  const reading = handle.read(Buffer.alloc(1), 0, 1, 0);
  show('a read of a FileHandle');
  await reading;
  await handle.close();
  await settle();
  fs.statSync(file);
  show('sync');
}

function watchers() {
  const polled = fs.watchFile(file, { interval: 1e6 }, () => {});
  show('watchFile');
  console.log(handles().includes(polled));
  polled.unref();
  show('unref');
  polled.ref();
  show('ref');
  fs.unwatchFile(file);
  show('unwatchFile');
  const watcher = fs.watch(folder);
  show('watch');
  console.log(handles().includes(watcher), watcher.unref() === watcher, handles().includes(watcher));
  watcher.close();
  return settle();
}

async function sockets() {
  const accepted = [];
  const server = net.createServer((socket) => accepted.push(socket));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  show('server');
  const client = net.connect(server.address().port, '127.0.0.1');
  await new Promise((resolve) => client.on('connect', resolve));
  while (accepted.length === 0) await settle();
  await settle();
  show('connected');
  const all = handles();
  console.log(all.includes(server), all.includes(client), all.includes(accepted[0]));
  accepted[0].pause();
  show('paused');
  client.unref();
  console.log(handles().includes(client));
  client.ref();
  client.destroy();
  accepted[0].destroy();
  await new Promise((resolve) => server.close(resolve));
  await settle();
  show('closed');
}

async function children() {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  show('child');
  const all = handles();
  console.log(all.includes(child), all.includes(child.stdin));
  child.unref();
  child.stdin.unref();
  show('unref');
  child.ref();
  child.stdin.end();
  await new Promise((resolve) => child.on('close', resolve));
  await settle();
  show('child closed');
}

async function ports() {
  const { port1, port2 } = new MessageChannel();
  show('ports');
  port1.on('message', () => {});
  show('a port with a listener');
  console.log(handles()[0] === port1);
  port1.unref();
  show('unref');
  port1.close();
  port2.close();
  await settle();
}

(async () => {
  show('start');
  timers();
  await files();
  await watchers();
  await sockets();
  await children();
  await ports();
  fs.rmSync(folder, { recursive: true });
  show('end');
  // The lists cannot be changed from outside.
  process._getActiveHandles().push(1);
  process._getActiveRequests().push(1);
  show('pushed');
  console.log(process._getActiveHandles.length, process.getActiveResourcesInfo.length);
})();
