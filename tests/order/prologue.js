const fs = require('fs');
const net = require('net');
const crypto = require('crypto');
const dns = require('dns');
const os = require('os');
const path = require('path');
const stream = require('stream');
const timers = require('timers/promises');
const EventEmitter = require('events');
const childProcess = require('child_process');
const { Worker, receiveMessageOnPort } = require('worker_threads');
const { sleep, waitUntilIdle } = require(IDLE);
const fsp = fs.promises;

const folders = fs.mkdtempSync(path.join(os.tmpdir(), 'order-'));
let folder;

// Makes a folder with some files, and goes there.
function enterFolder(name) {
  folder = path.join(folders, name);
  fs.mkdirSync(path.join(folder, 'tree/a/b'), { recursive: true });
  process.chdir(folder);
  for (const file of ['small', 'tree/1', 'tree/2', 'tree/a/3', 'tree/a/b/4']) fs.writeFileSync(file, 'x'.repeat(100));
  fs.writeFileSync('big', Buffer.alloc(200000));
  fs.writeFileSync('module.mjs', 'await null;\nexport default 1;\n');
  fs.writeFileSync('thrower.mjs', 'throw new Error("module");\n');
}

// Each line of `out` is one event. The limits end programs that would go on forever.
const out = [];
let start = 0;
let guard;
let activity = 0; // Counts events and naps.
function log(line) {
  activity++;
  out.push(line);
  if (out.length - start >= 400) process.exit(0);
}
process.on('exit', (code) => {
  log(`exit ${code}`);
  fs.rmSync(folders, { recursive: true, force: true });
  fs.writeSync(1, out.join('\n') + '\n');
});
process.on('uncaughtException', (error) => log(`uncaught ${describe(error)}`));
process.on('unhandledRejection', (reason) => log(`unhandled ${describe(reason)}`));
process.on('rejectionHandled', () => log('handled'));

function describe(value) {
  if (value instanceof Error) return value.code ?? value.message;
  if (ArrayBuffer.isView(value) || value?.length > 20) return value.length;
  return value === undefined || Object(value) === value ? '' : String(value);
}

// Blocks the thread for at least the given time, and until all other threads and all children wait or have ended.
function nap(units = 1) {
  activity++;
  sleep(units * UNIT);
  waitUntilIdle();
}

// Naps after the ticks and microtasks that are queued now and those that they queue: some operations start in a tick.
function settle(rounds = 4) {
  process.nextTick(() => queueMicrotask(() => { if (rounds > 1) settle(rounds - 1); else nap(); }));
}

// Naps once per turn of the loop: operations that take several trips make one trip per turn.
function pace(turns) {
  nap();
  if (turns > 1) setImmediate(pace, turns - 1);
}

// Logs events of an emitter. `reactions` has functions to call at the first event of a name.
function hear(name, emitter, events, reactions = {}) {
  for (const event of events.split(' ')) {
    emitter.on(event, (value) => {
      log(`${name} ${event} ${event === 'open' ? '' : describe(value)}`.trimEnd());
      const react = reactions[event];
      reactions[event] = undefined;
      react?.(value);
    });
  }
  return emitter;
}
const SOCKET_EVENTS = 'connect data end finish drain timeout error close';

// Objects of the current program: statement number -> object, or object of objects. finish() closes all of them.
let held = {};
let emitter = new EventEmitter();
let isFinished = false;

function finish() {
  isFinished = true;
  for (const one of Object.values(held)) {
    for (const part of one?.constructor === Object ? Object.values(one) : [one]) end(part);
  }
  nap(3);
}

function end(thing) {
  if (!thing || typeof thing !== 'object') return;
  if (thing instanceof net.Server) thing.close();
  else if (thing instanceof Worker) thing.terminate();
  else if (thing.spawnfile) thing.kill('SIGKILL');
  else if (typeof thing.destroy === 'function') thing.destroy();
  else if (thing.constructor.name === 'Timeout') clearTimeout(thing);
  else if (thing.constructor.name === 'Immediate') clearImmediate(thing);
  else if (typeof thing.close === 'function') {
    try {
      thing.close();
    } catch {} // A datagram socket that was closed before.
  }
}

// Calls finish() once no event has been logged for longer than any timer of a program takes.
function finishWhenQuiet() {
  const before = activity;
  setTimeout(() => {
    if (isFinished) return;
    if (activity === before) finish(); else finishWhenQuiet();
  }, 6 * UNIT).unref();
}

const STAGES = {
  main: (run) => run(),
  tick: process.nextTick,
  microtask: queueMicrotask,
  immediate: setImmediate,
  timer: (run) => setTimeout(run, 1),
  pool: (run) => fs.stat('.', () => run()),
  message: (run) => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', () => { port1.close(); run(); });
    port2.postMessage(0);
  },
};

// Several programs share one process: each starts when the one before it has ended.
const programs = [];
function program(name, stage, resources, body) {
  programs.push(() => {
    start = out.length;
    clearTimeout(guard);
    guard = setTimeout(() => { log('guard'); process.exit(99); }, 5000 + 100 * UNIT).unref();
    log(`-- ${name}`);
    isFinished = false;
    held = {};
    emitter = new EventEmitter();
    enterFolder(String(name));
    for (const signal of SIGNALS) process.removeAllListeners(signal);
    const prepare = (i) => {
      if (i < resources.length) return resources[i](() => prepare(i + 1));
      if (resources.length === 0) return STAGES[stage](body);
      setTimeout(() => STAGES[stage](() => { finishWhenQuiet(); body(); }), 2 * UNIT);
    };
    prepare(0);
  });
}
const SIGNALS = ['SIGUSR2', 'SIGHUP', 'SIGTERM', 'SIGWINCH', 'SIGCHLD', 'SIGCONT'];

function run() {
  process.on('beforeExit', () => {
    if (!isFinished) setImmediate(finish);
    else if (programs.length > 0) setTimeout(programs.shift(), 3 * UNIT); // Remaining unref'd timers come before.
  });
  programs.shift()();
}

// Resources. Each calls `ready` when it can be used.
function address(server) {
  const where = server.address();
  return typeof where === 'string' ? { path: where } : { port: where.port, host: '127.0.0.1' };
}

function place(kind, n) {
  return kind === 'unix' ? { path: `${n}.sock` } : { port: 0, host: '127.0.0.1' };
}

function connected(n, kind, options, ready) {
  const made = held[n] = {};
  const both = () => { if (made.client && made.server) ready(); };
  const server = net.createServer(options, (socket) => {
    made.server = socket;
    server.close();
    both();
  });
  server.listen(place(kind, n), () => {
    const client = net.connect({ ...address(server), ...options }, () => { made.client = client; both(); });
  });
}

function listening(n, kind, options, ready) {
  held[n] = net.createServer(options).listen(place(kind, n), ready);
}

// Logs the connections of a server and the events of each; `react` is called with the first two.
function accept(n, react) {
  let count = 0;
  held[n].on('connection', (socket) => {
    log(`${n} connection ${++count}`);
    held[`${n}.${count}`] = hear(`${n}.${count}`, socket, SOCKET_EVENTS);
    if (count <= 2) react(socket);
  });
}

function channel(n, ready) {
  const { port1, port2 } = new MessageChannel();
  held[n] = { port1, port2 };
  ready();
}

function broadcast(n, ready) {
  held[n] = { one: new BroadcastChannel(`b${n}`), two: new BroadcastChannel(`b${n}`) };
  for (const part of Object.keys(held[n])) held[n][part].onmessage = () => log(`${n}.${part} message`);
  ready();
}

// A worker that answers messages; 'exit' makes it end, 'throw' makes it fail.
function worker(n, ready) {
  const code = `const { parentPort } = require('worker_threads');
    parentPort.on('message', (m) => {
      if (m === 'exit') process.exit(3);
      if (m === 'throw') throw new Error('thrown');
      if (m === 'close') parentPort.close();
      parentPort.postMessage(m);
    });
    parentPort.postMessage('ready');`;
  held[n] = new Worker(code, { eval: true });
  held[n].once('message', () => setTimeout(ready, 2 * UNIT));
}

// A child that copies its input to its output.
function cat(n, ready) {
  const child = childProcess.spawn('cat');
  held[n] = { child, stdin: child.stdin, stdout: child.stdout };
  child.stdout.once('data', () => { child.stdout.pause(); ready(); });
  child.stdin.write('ready');
}

function signals(n, ready) {
  held[n] = {};
  ready();
}

function watcher(n, ready) {
  fs.mkdirSync(`watched-${n}`);
  held[n] = fs.watch(`watched-${n}`);
  ready();
}
