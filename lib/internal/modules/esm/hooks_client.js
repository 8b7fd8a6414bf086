'use strict';

// Requests to the thread of the hooks (esm/hooks_thread), asynchronous and blocking.

const {
  AtomicsLoad,
  AtomicsWait,
  Int32Array,
  Promise,
  SafeMap,
  globalThis,
} = primordials;

const { codes: { ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED } } = require('internal/errors');
const { deserializeError } = require('internal/worker/errors');
const { MessageChannel, receiveMessageOnPort } = require('internal/worker/port');
const { Worker, kRuntimeProgram } = require('internal/worker/worker');

let port;
let lock;
let lastId = 0;
const open = new SafeMap(); // Request id => { resolve, reject }

function startThread() {
  const { port1, port2 } = new MessageChannel();
  port = port1;
  lock = new Int32Array(new globalThis.SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const worker = new Worker('internal/modules/esm/hooks_thread', {
    [kRuntimeProgram]: true,
    trackUnmanagedFds: false,
    transferList: [port2],
    workerData: { port: port2, lock },
  });
  worker.unref();
  worker.on('error', () => {}); // The thread has already reported the error.
  worker.on('exit', (code) => process.exit(code));
  port.on('message', receive);
  port.unref();
}

function receive({ id, value, error, isLost, exitCode }) {
  if (exitCode !== undefined) process.exit(exitCode);
  const { resolve, reject } = open.get(id);
  open.delete(id);
  if (open.size === 0) port.unref();
  if (isLost) return; // The promise stays pending.
  if (error === undefined) resolve(value);
  else reject(deserializeError(error));
}

function post(method, args, transferList) {
  if (port === undefined) startThread();
  port.postMessage({ id: ++lastId, method, args }, transferList);
  return lastId;
}

// Returns a promise of the response. The program stays alive until it arrives.
function request(method, args) {
  const id = post(method, args);
  return new Promise((resolve, reject) => {
    open.set(id, { resolve, reject });
    port.ref();
  });
}

function requestSync(method, args, transferList) {
  const id = post(method, args, transferList);
  for (;;) {
    const seen = AtomicsLoad(lock, 0); // Read before the port: a later message changes it.
    const received = receiveMessageOnPort(port);
    if (received === undefined) {
      AtomicsWait(lock, 0, seen);
      continue;
    }
    const { message } = received;
    if (message.id !== id) {
      receive(message);
      continue;
    }
    if (message.isLost) throw new ERR_ASYNC_LOADER_REQUEST_NEVER_SETTLED();
    if (message.error !== undefined) throw deserializeError(message.error);
    return message.value;
  }
}

module.exports = { request, requestSync };
