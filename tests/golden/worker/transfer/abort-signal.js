// Signals of util.transferableAbortController() and -Signal() go to another thread, and abort there when they do here.
'use strict';
const util = require('util');
const { MessageChannel, Worker, receiveMessageOnPort } = require('worker_threads');

function attempt(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

function post(value, list) {
  const { port1, port2 } = new MessageChannel();
  try {
    port1.postMessage(value, list);
    return receiveMessageOnPort(port2).message;
  } finally {
    port1.close();
  }
}

// Others are objects like any other.
const plain = new AbortController();
attempt('plain', () => post(plain.signal));
attempt('plain, listed', () => post(plain.signal, [plain.signal]));
attempt('controller, listed', () => post(plain, [plain]));

const controller = util.transferableAbortController();
console.log(controller, controller instanceof AbortController, controller.signal instanceof AbortSignal,
            controller.signal === controller.signal, Object.getPrototypeOf(controller.signal) === AbortSignal.prototype,
            Object.keys(controller.signal));
attempt('not listed', () => post(controller.signal));
attempt('not listed, inside', () => post({ a: [controller.signal] }));
attempt('twice', () => post(controller.signal, [controller.signal, controller.signal]));
const there = post({ signal: controller.signal }, [controller.signal]).signal;
console.log(there, there !== controller.signal, there instanceof AbortSignal);
const further = post(there, [there]);
const clone = structuredClone(controller.signal, { transfer: [controller.signal] });
// Their order is not specified.
const heard = [];
for (const [name, signal] of Object.entries({ there, further, clone })) {
  signal.addEventListener('abort', (event) => heard.push([name, event.isTrusted, signal.aborted, signal.reason.why].join()));
}
there.onabort = () => heard.push('there.onabort');

for (const value of [undefined, null, 1, 'a', {}, new EventTarget(), plain]) {
  attempt('argument', () => util.transferableAbortSignal(value));
}
const aborted = util.transferableAbortSignal(AbortSignal.abort('early'));
attempt('aborted', () => {
  const signal = post(aborted, [aborted]);
  return [signal.aborted, signal.reason];
});
const transferable = util.transferableAbortSignal(plain.signal);
console.log(transferable, transferable instanceof AbortSignal, transferable === plain.signal);
attempt('signal', () => post(transferable, [transferable]));

const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  parentPort.once('message', ({ signal }) => {
    const alive = setInterval(() => {}, 1000);
    signal.addEventListener('abort', () => {
      console.log('worker', signal.aborted, signal.reason instanceof RangeError, signal.reason.message);
      try { signal.throwIfAborted(); } catch (error) { console.log(error === signal.reason); }
      clearInterval(alive);
    });
    parentPort.postMessage('ready');
  });`, { eval: true });
const toWorker = util.transferableAbortController();
worker.postMessage({ signal: toWorker.signal }, [toWorker.signal]);
worker.on('message', () => toWorker.abort(new RangeError('over')));
worker.on('exit', (code) => {
  console.log('exit', code);
  controller.abort({ why: 'because' });
  console.log(controller.signal.aborted, there.aborted);
  const end = setInterval(() => {
    if (!further.aborted || !clone.aborted) return;
    clearInterval(end);
    console.log(heard.sort());
  }, 1);
});
