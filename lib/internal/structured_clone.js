'use strict';

// structuredClone(), and serialization of messages for ports. Native code reads and writes the format; it delegates
// objects that it does not support to this file.

const {
  ArrayPrototypePush,
  Error,
  ObjectPrototype,
  ObjectSetPrototypeOf,
  SafeSet,
  StringPrototypeLastIndexOf,
  StringPrototypeSlice,
  Symbol,
  SymbolIterator,
} = primordials;

const binding = internalBinding('messaging');
const { codedTypeError, codes: { ERR_MISSING_ARGS } } = require('internal/errors');
const { isArrayBuffer } = require('internal/util/types');
const { DOMException, cloneOf } = require('internal/domexception');

// Clones a built-in object that extends HostObject: object[kClone]() returns { id, data }, and readClone(data) of the
// module `id` creates the clone. The data are cloned, too, and may contain further such objects.
const kClone = Symbol('messaging_clone_symbol');
// Transfers such an object: object[kTransfer]() returns { id, data, ports, fd }, of which the last two are optional,
// and readClone(data, fd) creates the object in the receiver.
const kTransfer = Symbol('messaging_transfer_symbol');
// For classes that do not extend HostObject and whose objects can only be transferred: object[kCheckTransfer]() throws
// if a transfer is not possible now. registerMovable() registers their prototypes.
const kCheckTransfer = Symbol('kCheckTransfer');
// Methods of every port. Native code calls them when a message has arrived and when the port has closed.
const kOnMessage = Symbol('kOnMessage');
const kOnClose = Symbol('kOnClose');

function makeDataCloneError(message) {
  return new DOMException(message, 'DataCloneError');
}

// ---- Functions that native code calls

function makeMissingPortError() {
  return makeDataCloneError('Object that needs transfer was found in message but not listed in transferList');
}

// `deserializeInfo` replaces `id` if a program overrides the clone methods, as Node's tests do.
function specOf({ id, deserializeInfo }) {
  return typeof id === 'string' ? id : `${deserializeInfo}`;
}

function writeObject(object) {
  if (typeof object[kClone] === 'function') {
    const written = object[kClone]();
    return [specOf(written), written.data];
  }
  const data = cloneOf(object);
  if (data !== undefined) return ['internal/domexception', data];
  if (typeof object[kTransfer] === 'function') throw makeMissingPortError();
  return undefined;
}

function moveObject(object) {
  const moved = object[kTransfer]();
  return [[specOf(moved), moved.data], moved.ports, moved.fd];
}

// The modules that export readClone().
const readers = new SafeSet([
  'internal/abort_controller', 'internal/blob', 'internal/crypto/web_key', 'internal/crypto/keys',
  'internal/crypto/x509', 'internal/domexception', 'internal/file', 'internal/fs/file_handle', 'internal/histogram',
  'internal/net/blocklist',
  'internal/net/socket_address', 'internal/net/transfer', 'internal/webstreams/transfer',
]);

function readObject(id, data, fd) {
  if (!readers.has(id)) {
    const module = StringPrototypeSlice(id, 0, StringPrototypeLastIndexOf(id, ':'));
    const { isBuiltin } = require('internal/modules/builtins');
    throw new Error(isBuiltin(module) ? `Unknown deserialize spec ${id}` : `Missing internal module '${module}'`);
  }
  return require(id).readClone(data, fd);
}

// Prototypes of transferable classes that do not extend HostObject.
const movablePrototypes = [];
function registerMovable(prototype) {
  if (isReady) binding.addSpecialPrototypes([prototype]);
  else ArrayPrototypePush(movablePrototypes, prototype);
}

// Web streams are recognised by their private state, because a program can create an object with their prototype. Their
// module is loaded on demand.
let isStream = () => false;
function registerStreams(prototypes, isOne) {
  isStream = isOne;
  for (let i = 0; i < prototypes.length; i++) registerMovable(prototypes[i]);
}

function isMovable(object) {
  return typeof object[kCheckTransfer] === 'function' || isStream(object);
}

// Returns true if an object with one of the special prototypes also has the private state of its class.
function isSpecial(object) {
  return isMovable(object) || cloneOf(object) !== undefined || require('internal/url').isURLObject(object) ||
    require('internal/url/search_params').isParams(object);
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

// Runs before the first use in a program, because a snapshot does not contain this native state.
let isReady = false;
function prepare() {
  if (isReady) return;
  isReady = true;
  const { URL, URLSearchParams } = require('internal/url');
  binding.setHooks({
    __proto__: null,
    makeDataCloneError,
    makeMissingPortError,
    writeObject,
    moveObject,
    readObject,
    isSpecial,
    preparePort,
    emitMessage,
    emitClose,
  });
  binding.addSpecialPrototypes([DOMException.prototype, URL.prototype, URLSearchParams.prototype]);
  binding.addSpecialPrototypes(movablePrototypes);
}

// Base of classes whose state V8 cannot clone: native code delegates their objects to this file.
function HostObject() {
  return makeHostObject(new.target.prototype);
}
HostObject.prototype = ObjectPrototype;

// Creates a host object for a class with another base; the constructor of that class initializes it.
function makeHostObject(prototype) {
  return ObjectSetPrototypeOf(binding.makeHostObject(), prototype);
}

// ---- Transfer lists

function isPort(value) {
  return typeof value === 'object' && value !== null && value[kOnMessage] !== undefined;
}

// Returns true if a transfer list may contain the value: an instance of a transferable built-in class. Throws if such
// an instance cannot be transferred in its current state.
function isTransferable(value) {
  if (typeof value !== 'object' || value === null || typeof value[kTransfer] !== 'function') return false;
  if (typeof value[kCheckTransfer] !== 'function') return isStream(value) || binding.isHostObject(value);
  value[kCheckTransfer]();
  return true;
}

// Iterates by hand, because an invalid iterator must cause a specific error.
function itemsOf(iterable, message) {
  const iterator = iterable[SymbolIterator]();
  if (typeof iterator !== 'object' || iterator === null || typeof iterator.next !== 'function') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', message);
  }
  const items = [];
  for (;;) {
    const result = iterator.next();
    if (typeof result !== 'object' || result === null) throw codedTypeError('ERR_INVALID_ARG_TYPE', message);
    if (result.done) return items;
    ArrayPrototypePush(items, result.value);
  }
}

// Reads and checks a transfer list. `source` is the port through which the message is sent.
function readTransferList(transfer, source, message = 'Optional transferList argument must be an iterable') {
  const seen = new SafeSet();
  const list = [];
  const items = itemsOf(transfer, message);
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const isBuffer = isArrayBuffer(item);
    const isOurs = !isBuffer && !isPort(item);
    if (isOurs && !isTransferable(item)) throw makeDataCloneError('Found invalid value in transferList.');
    // Memory that other buffers share cannot be detached, for example.
    if (binding.isUntransferable(item) || (isBuffer && !binding.canDetach(item))) {
      throw makeDataCloneError('Cannot transfer object of unsupported type.');
    }
    if (seen.has(item)) {
      const name = isBuffer ? 'ArrayBuffer' : isOurs ? item.constructor.name : 'MessagePort';
      throw makeDataCloneError(`Transfer list contains duplicate ${name}`);
    }
    seen.add(item);
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

// Reads the second argument of postMessage(): a list, or { transfer: list }.
function readPostOptions(options, source) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', 'Optional transferList argument must be an iterable');
  }
  if (isIterable(options)) return readTransferList(options, source);
  const { transfer } = options;
  if (transfer === undefined) return undefined;
  const message = 'Optional options.transfer argument must be an iterable';
  if (!isIterable(transfer)) throw codedTypeError('ERR_INVALID_ARG_TYPE', message);
  return readTransferList(transfer, source, message);
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// Reads the option `transfer` of structuredClone() as an array of objects.
function readTransferOption(options) {
  const failed = "Failed to execute 'structuredClone'";
  if (options === undefined || options === null) return undefined;
  if (!isObject(options)) {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', `${failed}: Options cannot be converted to a dictionary`);
  }
  const { transfer } = options;
  if (transfer === undefined) return undefined;
  if (!isObject(transfer) || typeof transfer[SymbolIterator] !== 'function') {
    throw codedTypeError('ERR_INVALID_ARG_TYPE', `${failed}: transfer in Options cannot be converted to sequence.`);
  }
  const list = [];
  for (const item of transfer) {
    if (!isObject(item)) {
      throw codedTypeError('ERR_INVALID_ARG_TYPE', `${failed}: transfer in Options[${list.length}] is not an object.`);
    }
    ArrayPrototypePush(list, item);
  }
  return readTransferList(list, undefined);
}

function structuredClone(value, options) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('The value argument must be specified');
  // process.env is a proxy, which V8 cannot clone.
  if (value !== undefined && value === process.env) value = { ...value };
  const list = readTransferOption(options);
  const type = typeof value;
  if (list === undefined && (value === null || (type !== 'object' && type !== 'function' && type !== 'symbol'))) {
    return value;
  }
  prepare();
  return binding.structuredClone(value, list);
}

module.exports = {
  HostObject,
  isPort,
  kCheckTransfer,
  kClone,
  kOnClose,
  kOnMessage,
  kTransfer,
  makeDataCloneError,
  makeHostObject,
  prepare,
  readPostOptions,
  registerMovable,
  registerStreams,
  structuredClone,
};
