'use strict';

// IPC messages between a process and its child. Both ends are alike: a ChildProcess in the parent, `process` in the
// child. This file gives both send(), disconnect(), connected and channel.

const {
  ArrayPrototypePush,
  ArrayPrototypeShift,
  ObjectDefineProperty,
  StringPrototypeStartsWith,
  Symbol,
} = primordials;

const EventEmitter = require('events');
const binding = internalBinding('ipc');
const { bindCallback } = require('internal/async_hooks');
const {
  codes: {
    ERR_INVALID_ARG_TYPE,
    ERR_IPC_CHANNEL_CLOSED,
    ERR_IPC_DISCONNECTED,
    ERR_MISSING_ARGS,
  },
  ErrnoException,
} = require('internal/errors');
const { validateObject } = require('internal/validators');

const kPendingMessages = Symbol('kPendingMessages');
const kLink = Symbol('kLink');

// Bytes that may be queued before send() returns false.
const kHighWater = 65536 * 2;
// A handle for which the receiver had no free descriptor is sent again, at most this often.
const kMostRetransmissions = 3;

// The native channel, and the callbacks of pending writes.
class Link {
  #waiting = [];
  isClosed = false;

  constructor(fd, serialization, onMessages, onEnd) {
    const { Json, advanced } = require('internal/child_process/serialization');
    this.fd = fd;
    this.codec = serialization === 'advanced' ? advanced : new Json();
    this.channel = binding.open(
      fd, serialization === 'advanced',
      bindCallback('PIPEWRAP', (chunk) => {
        if (chunk === undefined) onEnd();
        else onMessages(this.codec.read(chunk));
      }, true),
      bindCallback('PIPEWRAP', (count, status) => this.#onWritten(count, status), true));
  }

  // Returns 0 or a negative errno. Unless it fails, `done` is called later.
  write(message, fd, done) {
    const result = binding.write(this.channel, this.codec.write(message), fd);
    if (result === 1) {
      ArrayPrototypePush(this.#waiting, done);
    } else if (result === 0 && done !== undefined) {
      process.nextTick(done, 0);
    }
    return result < 0 ? result : 0;
  }

  #onWritten(count, status) {
    for (let i = 0; i < count; i++) {
      const done = ArrayPrototypeShift(this.#waiting);
      if (done !== undefined) done(status);
    }
  }

  get queueSize() { return binding.queueSize(this.channel); }
  takeDescriptor() { return binding.takeDescriptor(this.channel); }
  // A channel that could not be opened is a number.
  ref() { this.channel.ref?.(); }
  unref() { this.channel.unref?.(); }

  close() {
    if (this.isClosed) return;
    this.isClosed = true;
    this.channel.close?.();
  }
}

// The public `channel` object of a child or of process.
class Control extends EventEmitter {
  #link;
  #refs = 0;
  #isExplicit = false;
  [kPendingMessages] = [];

  constructor(link) {
    super();
    this.#link = link;
  }

  // Counts listeners that need the channel. The channel is ref'd while there are any, unless ref() or unref() was
  // called.
  refCounted() {
    if (++this.#refs === 1 && !this.#isExplicit) this.#link.ref();
  }

  unrefCounted() {
    if (--this.#refs === 0 && !this.#isExplicit) {
      this.#link.unref();
      this.emit('unref');
    }
  }

  ref() {
    this.#isExplicit = true;
    this.#link.ref();
  }

  unref() {
    this.#isExplicit = true;
    this.#link.unref();
  }

  get fd() {
    return this.#link.isClosed ? undefined : this.#link.fd;
  }
}

// True for messages of the IPC protocol itself, which user code does not see.
function isInternal(message) {
  return message !== null && typeof message === 'object' && typeof message.cmd === 'string' &&
    message.cmd.length > 5 && StringPrototypeStartsWith(message.cmd, 'NODE_');
}

function emitMessage(target, event, message, handle) {
  // Messages without a listener are queued until the first listener is added.
  if (event === 'internalMessage' || target.listenerCount('message') > 0) {
    target.emit(event, message, handle);
  } else if (target.channel) {
    ArrayPrototypePush(target.channel[kPendingMessages], [event, message, handle]);
  }
}

function handleMessage(target, message, handle, internal) {
  if (!target.channel) return;
  process.nextTick(emitMessage, target, internal ? 'internalMessage' : 'message', message, handle);
}

function emitPending(target) {
  if (!target.channel || target.listenerCount('message') === 0) return;
  const pending = target.channel[kPendingMessages];
  target.channel[kPendingMessages] = [];
  for (let i = 0; i < pending.length; i++) target.emit(pending[i][0], pending[i][1], pending[i][2]);
}

function onMessages(target, link, messages) {
  // After disconnect() messages are dropped; descriptors received with them are closed with the link.
  for (let i = 0; i < messages.length && target.channel; i++) {
    const message = messages[i];
    const internal = isInternal(message);
    const hasHandle = internal && message.cmd === 'NODE_HANDLE';
    handleMessage(target, message, hasHandle ? link.takeDescriptor() : undefined, internal);
  }
}

// Called when the other side has closed the channel.
function onEnd(target, link, onClosed) {
  if (target.connected) target.disconnect();
  link.close();
  onClosed(target);
}

function closePending(target) {
  target._pendingMessage.handle.close();
  target._pendingMessage = null;
}

// Called when the other side acknowledged or refused a handle.
function onAcknowledged(target, isTaken) {
  const pending = target._pendingMessage;
  if (pending !== null) {
    if (isTaken) {
      closePending(target);
    } else if (pending.retransmissions++ < kMostRetransmissions) {
      target[kLink].write(pending.message, pending.handle.fd, undefined);
      return;
    } else {
      closePending(target);
      process.emitWarning('Handle did not reach the receiving process correctly', 'SentHandleNotReceivedWarning');
    }
  }
  const queue = target._handleQueue;
  target._handleQueue = null;
  if (queue === null) return;
  for (let i = 0; i < queue.length; i++) {
    const { message, handle, options, callback } = queue[i];
    target._send(message, handle, options, callback);
  }
  // Finish a disconnect() that was waiting for the queue to drain.
  if (!target.connected && target.channel && target._handleQueue === null) target._disconnect();
}

function onInternalMessage(target, message, fd) {
  switch (message.cmd) {
    case 'NODE_HANDLE_ACK':
    case 'NODE_HANDLE_NACK':
      onAcknowledged(target, message.cmd === 'NODE_HANDLE_ACK');
      break;
    case 'NODE_HANDLE': {
      const { receive } = require('internal/child_process/handles');
      if (fd === undefined || fd < 0) {
        // The descriptor was lost, because this process has too many open files.
        target._send({ cmd: 'NODE_HANDLE_NACK' }, null, true);
        break;
      }
      target._send({ cmd: 'NODE_HANDLE_ACK' }, null, true);
      receive(target, message, fd, (handle) => handleMessage(target, message.msg, handle, isInternal(message.msg)));
      break;
    }
    case 'NODE_SOCKET_GET_COUNT':
    case 'NODE_SOCKET_NOTIFY_CLOSE':
      require('internal/child_process/handles').answer(target, message);
      break;
    default:
  }
}

function checkMessage(message) {
  if (message === undefined) throw new ERR_MISSING_ARGS('message');
  const type = typeof message;
  if (type !== 'string' && type !== 'object' && type !== 'number' && type !== 'boolean') {
    throw new ERR_INVALID_ARG_TYPE('message', ['string', 'object', 'number', 'boolean'], message);
  }
}

function fail(target, error, callback) {
  if (typeof callback === 'function') {
    process.nextTick(callback, error);
  } else {
    process.nextTick(() => target.emit('error', error));
  }
}

function send(message, handle, options, callback) {
  if (typeof handle === 'function') {
    callback = handle;
    handle = undefined;
    options = undefined;
  } else if (typeof options === 'function') {
    callback = options;
    options = undefined;
  } else if (options !== undefined) {
    validateObject(options, 'options');
  }
  options = { swallowErrors: false, ...options };
  if (this.connected) return this._send(message, handle, options, callback);
  fail(this, new ERR_IPC_CHANNEL_CLOSED(), callback);
  return false;
}

function isAcknowledgement(message) {
  return message !== null && (message.cmd === 'NODE_HANDLE_ACK' || message.cmd === 'NODE_HANDLE_NACK');
}

function _send(message, handle, options, callback) {
  checkMessage(message);
  if (typeof options === 'boolean') options = { swallowErrors: options };
  let parcel;
  if (handle) {
    const { pack, typeOf } = require('internal/child_process/handles');
    const type = typeOf(handle);
    // Only one handle is in flight: the next is sent when this one is acknowledged.
    if (this._handleQueue) return enqueue(this, message, handle, options, callback);
    parcel = pack(this, handle, type, options);
    if (parcel !== undefined) message = { cmd: 'NODE_HANDLE', type, msg: message, key: parcel.key };
  } else if (this._handleQueue && !isAcknowledgement(message)) {
    // Queue behind pending handles to keep the order of messages.
    return enqueue(this, message, null, options, callback);
  }

  const link = this[kLink];
  const done = typeof callback !== 'function' ? undefined : (status) => {
    callback(status === 0 ? null : new ErrnoException(status, 'write'));
  };
  const result = link.write(message, parcel === undefined ? -1 : parcel.fd, done);
  if (result === 0) {
    if (parcel !== undefined) {
      this._handleQueue ??= [];
      if (parcel.closes) this._pendingMessage = { callback, message, handle: parcel, options, retransmissions: 0 };
    }
  } else if (!options.swallowErrors) {
    fail(this, new ErrnoException(result, 'write'), callback);
  }
  return link.queueSize < kHighWater;
}

function enqueue(target, message, handle, options, callback) {
  ArrayPrototypePush(target._handleQueue, { callback, handle, options, message });
  return target._handleQueue.length === 1;
}

function disconnect() {
  if (!this.connected) {
    this.emit('error', new ERR_IPC_DISCONNECTED());
    return;
  }
  // Messages queued behind a handle are sent first; the channel is disconnected once the handle is acknowledged.
  this.connected = false;
  if (this._handleQueue === null) this._disconnect();
}

function _disconnect() {
  const link = this[kLink];
  this.channel = null;
  this[kLink] = undefined;
  if (this._pendingMessage) closePending(this);
  process.nextTick(() => {
    link.close();
    this.emit('disconnect');
  });
}

// The deprecated name `_channel`.
const channelAlias = {
  __proto__: null,
  get() { return this.channel; },
  set(value) { this.channel = value; },
  enumerable: false,
  configurable: true,
};

// Makes `target` one end of the channel at the descriptor `fd`, and takes ownership of `fd`.
function openChannel(target, fd, serialization, onClosed) {
  if (fd === undefined) return undefined;
  const link = new Link(
    fd, serialization,
    (messages) => onMessages(target, link, messages),
    () => onEnd(target, link, onClosed));
  const control = new Control(link);
  if (typeof link.channel === 'object') link.channel.owner = control;
  target.channel = control;
  target[kLink] = link;
  target._handleQueue = null;
  target._pendingMessage = null;
  target.on('newListener', () => {
    process.nextTick(emitPending, target);
  });
  target.on('internalMessage', (message, fd) => onInternalMessage(target, message, fd));
  target.send = send;
  target._send = _send;
  target.connected = true;
  ObjectDefineProperty(target, '_channel', channelAlias);
  target.disconnect = disconnect;
  target._disconnect = _disconnect;
  return control;
}

module.exports = { openChannel };
