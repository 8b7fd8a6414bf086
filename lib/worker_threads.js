'use strict';

// node:worker_threads.
const { ObjectDefineProperty } = primordials;

const { isOpen, isUntransferable, markUncloneable, markUntransferable } = internalBinding('messaging');
const { limits, threadId } = internalBinding('worker');
const { codedTypeError, codes: { ERR_CLOSED_MESSAGE_PORT, ERR_METHOD_NOT_IMPLEMENTED } } = require('internal/errors');
const { isPort } = require('internal/structured_clone');
const { BroadcastChannel } = require('internal/worker/broadcast_channel');
const { enter, postMessageToThread } = require('internal/worker/direct');
const { getEnvironmentData, setEnvironmentData } = require('internal/worker/environment_data');
const { MessageChannel, MessagePort, receiveMessageOnPort } = require('internal/worker/port');
const { SHARE_ENV, Worker, limitsFrom } = require('internal/worker/worker');

const id = threadId();
const isMainThread = id === 0;
if (isMainThread) enter();
const { name: threadName, parentPort, workerData } = isMainThread ?
  { name: '', parentPort: null, workerData: null } : require('internal/worker/thread').state;

function markAsUntransferable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
  markUntransferable(object);
}

function markAsUncloneable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return;
  markUncloneable(object);
}

function isMarkedAsUntransferable(object) {
  if ((typeof object !== 'object' && typeof object !== 'function') || object === null) return false;
  return isUntransferable(object);
}

function moveMessagePortToContext(port) {
  if (!isPort(port)) throw codedTypeError('ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
  if (!isOpen(port)) throw new ERR_CLOSED_MESSAGE_PORT();
  throw new ERR_METHOD_NOT_IMPLEMENTED('moveMessagePortToContext()');
}

// `locks` is loaded on first use, because few programs need locks.
function defineLocks(descriptor) {
  ObjectDefineProperty(module.exports, 'locks',
    { __proto__: null, configurable: true, enumerable: true, ...descriptor });
}

module.exports = {
  isInternalThread: false,
  isMainThread,
  MessagePort,
  MessageChannel,
  markAsUncloneable,
  markAsUntransferable,
  isMarkedAsUntransferable,
  moveMessagePortToContext,
  receiveMessageOnPort,
  resourceLimits: isMainThread ? {} : limitsFrom(limits()),
  postMessageToThread,
  threadId: id,
  threadName,
  SHARE_ENV,
  Worker,
  parentPort,
  workerData,
  BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
};
defineLocks({
  get() {
    const { locks } = require('internal/locks');
    defineLocks({ writable: true, value: locks });
    return locks;
  },
  set(value) { defineLocks({ writable: true, value }); },
});
