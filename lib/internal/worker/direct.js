'use strict';

// postMessageToThread(): sends a message to any thread of the process by its id. It is delivered as the event
// 'workerMessage' of that thread's process object; the result is returned on a separate channel.

const { ArrayPrototypePush, Promise } = primordials;

const binding = internalBinding('messaging');
const { threadId } = internalBinding('worker');
const {
  codes: {
    ERR_WORKER_MESSAGING_ERRORED,
    ERR_WORKER_MESSAGING_FAILED,
    ERR_WORKER_MESSAGING_SAME_THREAD,
    ERR_WORKER_MESSAGING_TIMEOUT,
  },
} = require('internal/errors');
const { validateNumber } = require('internal/validators');
const { prepare, readPostOptions } = require('internal/structured_clone');
const { MessageChannel } = require('internal/worker/port');

const kDelivered = 0;
const kNoListeners = 1;
const kErrored = 2;

function onMessage({ value, source, answer }) {
  let result = kNoListeners;
  try {
    if (process.emit('workerMessage', value, source)) result = kDelivered;
  } catch {
    result = kErrored;
  }
  answer.postMessage(result);
  answer.close();
}

// Makes this thread reachable, without keeping it alive.
function enter() {
  prepare();
  const port = binding.enterThread();
  port.on('message', onMessage);
  port.unref();
}

function waitForAnswer(port, timeout) {
  return new Promise((resolve, reject) => {
    let timer;
    if (timeout !== undefined) {
      timer = require('timers').setTimeout(() => {
        port.close();
        reject(new ERR_WORKER_MESSAGING_TIMEOUT());
      }, timeout);
    }
    const end = (result) => {
      require('timers').clearTimeout(timer);
      port.close();
      if (result === kDelivered) resolve();
      else if (result === kErrored) reject(new ERR_WORKER_MESSAGING_ERRORED());
      else reject(new ERR_WORKER_MESSAGING_FAILED());
    };
    port.on('message', end);
    // The thread has ended without handling the message.
    port.on('close', () => end(kNoListeners));
  });
}

async function postMessageToThread(id, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) {
    timeout = transferList;
    transferList = undefined;
  }
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  const source = threadId();
  if (id === source) throw new ERR_WORKER_MESSAGING_SAME_THREAD();
  const list = readPostOptions(transferList, undefined) ?? [];
  const { port1, port2 } = new MessageChannel();
  ArrayPrototypePush(list, port2);
  let isSent = false;
  try {
    isSent = id === id >>> 0 && binding.postToThread(id, { value, source, answer: port2 }, list);
  } finally {
    if (!isSent) {
      port1.close();
      port2.close();
    }
  }
  if (!isSent) throw new ERR_WORKER_MESSAGING_FAILED();
  return waitForAnswer(port1, timeout);
}

module.exports = { enter, postMessageToThread };
