'use strict';

// Structured clones: structuredClone(), and what ports need to write a message and to read it. Native code writes and
// reads; what it does not know it asks here.

const {
  ArrayPrototypePush,
  ObjectPrototype,
  ObjectSetPrototypeOf,
  SafeSet,
  Symbol,
  SymbolIterator,
  TypeError,
} = primordials;

const binding = internalBinding('messaging');
const { isArrayBuffer } = require('internal/util/types');
const { DOMException } = require('internal/domexception');

// How an object of ours is cloned, if HostObject is its base: object[kClone]() gives { id, data }, and the module of that
// id makes a new one in readClone(data). The data are cloned, too, and may hold further such objects.
const kClone = Symbol('kClone');
// How one is moved that stands in a transfer list: object[kTransfer]() gives { id, data, ports, fd }, of which the last two may
// be absent, and readClone(data, fd) makes the one that arrives. With only kClone it is cloned all the same.
const kTransfer = Symbol('kTransfer');
// Every port has these two: what native code calls when a message has come, and when the port has closed.
const kOnMessage = Symbol('kOnMessage');
const kOnClose = Symbol('kOnClose');

function fail(code, message) {
  const error = new TypeError(message);
  error.code = code;
  throw error;
}

function makeDataCloneError(message) {
  return new DOMException(message, 'DataCloneError');
}

// ---- What native code calls

function makeMissingPortError() {
  const error = new TypeError('Object that needs transfer was found in message but not listed in transferList');
  error.code = 'ERR_MISSING_TRANSFERABLE_IN_TRANSFER_LIST';
  return error;
}

function writeObject(object) {
  if (typeof object[kClone] === 'function') {
    const { id, data } = object[kClone]();
    return [id, data];
  }
  if (typeof object[kTransfer] === 'function') throw makeMissingPortError();
  return undefined;
}

function moveObject(object) {
  if (typeof object[kTransfer] !== 'function') return [writeObject(object), undefined, undefined];
  const { id, data, ports, fd } = object[kTransfer]();
  return [[id, data], ports, fd];
}

function readObject(id, data, fd) {
  return require(id).readClone(data, fd);
}

function preparePort(port) {
  require('internal/worker/port').preparePort(port);
}

function emitMessage(data, ports, type) {
  this[kOnMessage](data, ports, type);
}

function emitClose() {
  this[kOnClose]();
}

// Before the first use in a program: native code cannot have them from the snapshot.
let isReady = false;
function prepare() {
  if (isReady) return;
  isReady = true;
  // In the order of MessageHook in src/runtime/message.h.
  binding.setHooks([
    makeDataCloneError, makeMissingPortError, writeObject, moveObject, readObject, preparePort, emitMessage, emitClose,
  ]);
}

// The base of classes whose state V8 cannot see: it asks about their objects wherever they stand in a value.
function HostObject() {
  return makeHostObject(new.target.prototype);
}
HostObject.prototype = ObjectPrototype;

// The same for a class with another base, whose constructor does the rest.
function makeHostObject(prototype) {
  return ObjectSetPrototypeOf(binding.makeHostObject(), prototype);
}

// ---- Transfer lists

function isPort(value) {
  return typeof value === 'object' && value !== null && value[kOnMessage] !== undefined;
}

// Whether a transfer list may hold it: an object of a class of ours.
function isTransferable(value) {
  return typeof value === 'object' && value !== null && binding.isHostObject(value) &&
    (typeof value[kTransfer] === 'function' || typeof value[kClone] === 'function');
}

// What to move instead of copying, `source` being the port through which it goes.
function readTransferList(transfer, source) {
  const seen = new SafeSet();
  const list = [];
  for (const item of transfer) {
    const isBuffer = isArrayBuffer(item);
    const isOurs = !isBuffer && !isPort(item);
    if (isOurs && !isTransferable(item)) fail('ERR_INVALID_TRANSFER_OBJECT', 'Found invalid object in transferList');
    if (seen.has(item)) {
      const name = isBuffer ? 'ArrayBuffer' : isOurs ? item.constructor.name : 'MessagePort';
      throw makeDataCloneError(`Transfer list contains duplicate ${name}`);
    }
    seen.add(item);
    // Memory that other buffers share stays where it is.
    if (binding.isUntransferable(item)) continue;
    if (!isBuffer && !isOurs) {
      if (item === source) throw makeDataCloneError('Transfer list contains source port');
      if (!binding.isOpen(item)) throw makeDataCloneError('MessagePort in transfer list is already detached');
    }
    ArrayPrototypePush(list, item);
  }
  return list;
}

function isIterable(value) {
  return typeof value === 'object' && value !== null && typeof value[SymbolIterator] === 'function';
}

// The second argument of postMessage(): a list, or { transfer: list }.
function readPostOptions(options, source) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object' && typeof options !== 'function') {
    fail('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
  }
  if (isIterable(options)) return readTransferList(options, source);
  const { transfer } = options;
  if (transfer === undefined) return undefined;
  if (!isIterable(transfer)) fail('ERR_INVALID_ARG_TYPE', 'Optional options.transfer argument must be an iterable');
  return readTransferList(transfer, source);
}

// The names of the parameters are not part of its shape: it says that it takes none.
function structuredClone(...args) {
  if (args.length === 0) fail('ERR_MISSING_ARGS', 'The value argument must be specified');
  const { 1: options } = args;
  // A proxy, which V8 does not clone.
  const value = args[0] !== undefined && args[0] === process.env ? { ...args[0] } : args[0];
  let list;
  if (options !== undefined && options !== null) {
    if (typeof options !== 'object' && typeof options !== 'function') {
      fail('ERR_INVALID_ARG_TYPE', 'The options argument must be either an object or undefined');
    }
    const { transfer } = options;
    if (transfer !== undefined && transfer !== null) {
      if (!isIterable(transfer)) fail('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
      list = readTransferList(transfer, undefined);
    }
  }
  const type = typeof value;
  if (list === undefined && (value === null || (type !== 'object' && type !== 'function' && type !== 'symbol'))) {
    return value;
  }
  prepare();
  return binding.structuredClone(value, list);
}

module.exports = {
  HostObject,
  fail,
  isPort,
  kClone,
  kOnClose,
  kOnMessage,
  kTransfer,
  makeDataCloneError,
  makeHostObject,
  prepare,
  readPostOptions,
  structuredClone,
};
