// Everything that runs on one host: some processes of service.mjs and of worker.mjs, which are started again when
// they die. SIGTERM shuts the host down without losing a request:
//   1. the services answer the proxy's health checks with 404, and serve on;
//   2. when the proxy has seen that, it sends nothing more: the services close, and finish what they have begun;
//   3. the workers finish their jobs and take no others.
//   rondo examples/scale/host.mjs         docs/SCALING.md describes the rest
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { settings } from './settings.mjs';
import { openDatabase, prepareSchema } from './stores.mjs';

const kFirstPauseMs = 50;
const kLongestPauseMs = 5_000;

const children = new Set();
let isStopping = false;
let notReady = settings.services + settings.workers;
let checksSeen = 0;
let onChecked = () => {};

function hear(message, child) {
  if (message.isReady) {
    child.pauseMs = kFirstPauseMs;
    if (--notReady === 0) console.log(`${settings.host} is ready: version ${settings.version}`);
  }
  if (message.sawDraining && ++checksSeen >= settings.drainChecks) onChecked();
}

// `pauseMs`: a process that dies at once each time must not keep the machine busy.
function start(name, pauseMs = kFirstPauseMs) {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)));
  Object.assign(child, { script: name, pauseMs: Math.min(pauseMs * 2, kLongestPauseMs) });
  children.add(child);
  child.on('message', (message) => hear(message, child));
  child.on('error', () => {}); // Sending to a child that has just died; 'exit' follows.
  child.on('exit', (code, signal) => {
    children.delete(child);
    if (isStopping) return;
    console.error(`${name} ${child.pid} ended with ${signal ?? code}; starting another one`);
    setTimeout(() => { if (!isStopping) start(name, child.pauseMs); }, child.pauseMs);
  });
}

function tell(name, message) {
  for (const child of children) {
    if (child.script === name && child.connected) child.send(message, () => {});
  }
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  tell('worker.mjs', 'stop');
  tell('service.mjs', 'drain');
  const isDrained = await new Promise((resolve) => {
    onChecked = () => resolve(true);
    setTimeout(resolve, settings.drainMs, false).unref();
  });
  console.log(`${settings.host} ${isDrained ? 'is drained' : 'stops, although no proxy has asked for its health'}`);
  tell('service.mjs', 'stop');
  setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
    process.exitCode = 1;
  }, settings.stopMs).unref();
}

const pool = openDatabase();
await prepareSchema(pool);
await pool.end();
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
for (let i = 0; i < settings.services; i++) start('service.mjs');
for (let i = 0; i < settings.workers; i++) start('worker.mjs');
