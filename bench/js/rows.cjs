'use strict';
// rows.cjs ROW [SCALE]: runs one row and prints its figures, a line of JSON: { figure: value }. All are nanoseconds per
// operation unless the name says otherwise. SCALE below 1 makes a row shorter.
const { EventEmitter } = require('node:events');

const row = process.argv[2];
const scale = +(process.argv[3] ?? 1);
const sized = (count) => Math.max(10, Math.round(count * scale));
const now = () => Number(process.hrtime.bigint());
// The first rounds are a warm-up. The fastest counts: other load on the machine makes the others slower.
const rounds = scale < 1 ? 2 : 7;

// Measures `run(count, done)` several times, each in a new turn.
function repeat(count, run) {
  const took = [];
  return new Promise((resolve) => {
    (function next() {
      const start = now();
      run(count, () => {
        took.push((now() - start) / count);
        if (took.length < rounds) setTimeout(next, 1);
        else resolve(Math.min(...took));
      });
    })();
  });
}

function repeatNow(count, run) {
  const took = [];
  for (let i = 0; i < rounds; i++) {
    const start = now();
    run(count);
    took.push((now() - start) / count);
  }
  return Math.min(...took);
}

// A callback that calls `done` at its `count`-th call.
function counter(count, done) {
  let left = count;
  return () => { if (--left === 0) done(); };
}

function immediateChain(count, done) {
  let left = count;
  setImmediate(function next() {
    if (--left === 0) done();
    else setImmediate(next);
  });
}

function immediateBatch(count, done) {
  const callback = counter(count, done);
  for (let i = 0; i < count; i++) setImmediate(callback);
}

function tickChain(count, done) {
  let left = count;
  process.nextTick(function next() {
    if (--left === 0) done();
    else process.nextTick(next);
  });
}

function tickBatch(count, done) {
  const callback = counter(count, done);
  for (let i = 0; i < count; i++) process.nextTick(callback);
}

function microtaskBatch(count, done) {
  const callback = counter(count, done);
  for (let i = 0; i < count; i++) queueMicrotask(callback);
}

async function awaitChain(count, done) {
  for (let i = 0; i < count; i++) await undefined;
  done();
}

function mixed(count, done) {
  let left = count;
  (function next() {
    if (--left <= 0) {
      done();
    } else if (left % 2 === 0) {
      process.nextTick(next);
    } else {
      Promise.resolve().then(next);
    }
  })();
}

function timerChurn(count) {
  const alive = [];
  for (let i = 0; i < 10000; i++) alive.push(setTimeout(() => {}, 60000 + i % 50));
  const cost = repeatNow(count, (n) => {
    for (let i = 0; i < n; i++) clearTimeout(setTimeout(() => {}, 1000 + i % 8));
  });
  for (const timer of alive) clearTimeout(timer);
  return cost;
}

// Starts a new timer for each cleared one, with 60,000 different delays.
function mixedTimerChurn(count) {
  const delayOf = (i) => 1000 + (Math.imul(i, 40503) >>> 0) % 60000;
  const alive = [];
  for (let i = 0; i < 10000; i++) alive.push(setTimeout(() => {}, delayOf(i)));
  let next = alive.length;
  const cost = repeatNow(count, (n) => {
    for (let i = 0; i < n; i++, next++) {
      const place = next % alive.length;
      clearTimeout(alive[place]);
      alive[place] = setTimeout(() => {}, delayOf(next));
    }
  });
  for (const timer of alive) clearTimeout(timer);
  return cost;
}

// A loop that sleeps most of the time: a thousand timers of 1 to 100 ms, each started again when it fires, some 20 due
// in each millisecond.
function sparseTimers(count, done) {
  const late = new Float64Array(count);
  let before;
  let left = count;
  let seed = 1;
  const start = () => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const delay = 1 + (seed >> 8) % 100;
    const due = now() / 1e6 + delay;
    setTimeout(() => {
      if (left === 0) return;
      late[--left] = now() / 1e6 - due;
      if (left > 0) {
        start();
        return;
      }
      const used = process.cpuUsage(before);
      late.sort();
      done({
        'CPU': (used.user + used.system) * 1000 / count,
        'lateness p50, ms': Math.max(0, late[count >> 1]),
        'lateness p99, ms': Math.max(0, late[Math.floor(count * 0.99)]),
      });
    }, delay);
  };
  // Start measuring after the start-up of the program.
  setTimeout(() => {
    before = process.cpuUsage();
    for (let i = 0; i < 1000; i++) start();
  }, 100);
}

// Timers over a second: their cost, and how late they are.
function timersFired(count, done) {
  const late = new Float64Array(count);
  const before = process.cpuUsage();
  let left = count;
  let seed = 1;
  for (let i = 0; i < count; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const delay = 1 + seed % Math.max(10, Math.round(1000 * Math.min(1, scale)));
    const due = now() / 1e6 + delay;
    setTimeout(() => {
      late[--left] = now() / 1e6 - due;
      if (left > 0) return;
      const used = process.cpuUsage(before);
      late.sort();
      done({
        'CPU': (used.user + used.system) * 1000 / count,
        'lateness p50, ms': Math.max(0, late[count >> 1]),
        'lateness p99, ms': Math.max(0, late[Math.floor(count * 0.99)]),
      });
    }, delay);
  }
}

function emit(argumentCount, listenerCount) {
  const emitter = new EventEmitter();
  let sum = 0; // eslint-disable-line no-unused-vars -- Listeners need something to do.
  for (let i = 0; i < listenerCount; i++) emitter.on('event', (a, b, c) => { sum += a === undefined ? 1 : a; });
  return repeatNow(sized(1e6), (n) => {
    if (argumentCount === 0) for (let i = 0; i < n; i++) emitter.emit('event');
    else if (argumentCount === 1) for (let i = 0; i < n; i++) emitter.emit('event', i);
    else for (let i = 0; i < n; i++) emitter.emit('event', i, 2, 3);
  });
}

// Encoding or decoding of one KiB.
function encoding(name, isFrom) {
  const bytes = Buffer.alloc(1024, 'The quick brown fox jumps over the lazy dog. ');
  const text = bytes.toString(name);
  let sum = 0;
  const cost = repeatNow(sized(100000), (n) => {
    if (isFrom) for (let i = 0; i < n; i++) sum += Buffer.from(text, name).length;
    else for (let i = 0; i < n; i++) sum += bytes.toString(name).length;
  });
  if (sum === 0) throw new Error('nothing was done');
  return cost;
}

// From `new Worker()` to its 'exit', one after the other.
function workerStarts(count, done) {
  const { Worker } = require('node:worker_threads');
  let left = count;
  (function next() {
    new Worker('', { eval: true }).on('exit', () => {
      if (--left === 0) done();
      else next();
    });
  })();
}

// Messages between two ports or two threads: one at a time, there and back.
function portTrips(count, done) {
  const { MessageChannel } = require('node:worker_threads');
  const { port1, port2 } = new MessageChannel();
  let left = count;
  port2.on('message', (message) => port2.postMessage(message));
  port1.on('message', (message) => {
    if (--left > 0) {
      port1.postMessage(message);
      return;
    }
    port1.close();
    done();
  });
  port1.postMessage({ a: 1 });
}

async function workerTrips(count) {
  const { Worker } = require('node:worker_threads');
  const worker =
    new Worker('const { parentPort: p } = require("worker_threads"); p.on("message", (m) => p.postMessage(m))',
      { eval: true });
  let left;
  let done;
  worker.on('message', (message) => {
    if (--left > 0) worker.postMessage(message);
    else done();
  });
  const cost = await repeat(count, (n, then) => {
    left = n;
    done = then;
    worker.postMessage({ a: 1 });
  });
  await worker.terminate();
  return cost;
}

const rows = {
  'immediate chain': () => repeat(sized(200000), immediateChain),
  'immediate batch': () => repeat(sized(200000), immediateBatch),
  'nextTick chain': () => repeat(sized(500000), tickChain),
  'nextTick batch': () => repeat(sized(200000), tickBatch),
  'queueMicrotask batch': () => repeat(sized(200000), microtaskBatch),
  'await chain': () => repeat(sized(500000), awaitChain),
  'ticks and promises in turn': () => repeat(sized(300000), mixed),
  'setTimeout and clearTimeout, 10,000 alive': () => timerChurn(sized(200000)),
  'timers of 60,000 delays cleared and started, 10,000 alive': () => mixedTimerChurn(sized(200000)),
  'timers, 20 due in each ms': () => new Promise((resolve) => { sparseTimers(sized(10000), resolve); }),
  '100,000 timers fired': () => new Promise((resolve) => { timersFired(sized(100000), resolve); }),
  'emit, 0 arguments, 1 listener': () => emit(0, 1),
  'emit, 1 argument, 1 listener': () => emit(1, 1),
  'emit, 3 arguments, 1 listener': () => emit(3, 1),
  'emit, 0 arguments, 5 listeners': () => emit(0, 5),
  'emit, 3 arguments, 5 listeners': () => emit(3, 5),
  'Buffer to utf8, 1 KiB': () => encoding('utf8', false),
  'Buffer to hex, 1 KiB': () => encoding('hex', false),
  'Buffer to base64, 1 KiB': () => encoding('base64', false),
  'Buffer from utf8, 1 KiB': () => encoding('utf8', true),
  'Buffer from hex, 1 KiB': () => encoding('hex', true),
  'Buffer from base64, 1 KiB': () => encoding('base64', true),
  'worker, from start to exit': () => repeat(sized(20), workerStarts),
  'message to a port and back': () => repeat(sized(20000), portTrips),
  'message to a worker and back': () => workerTrips(sized(10000)),
};

(async () => {
  if (row === '--list') {
    process.stdout.write(`${Object.keys(rows).join('\n')}\n`);
    return;
  }
  if (!Object.hasOwn(rows, row)) throw new Error(`no row '${row}'`);
  const result = await rows[row]();
  process.stdout.write(`${JSON.stringify(typeof result === 'number' ? { '': result } : result)}\n`);
})();
