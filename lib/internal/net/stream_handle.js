'use strict';
// A connected byte stream as the rest of lib uses it: TCP, Unix sockets, the ends of pipe(2) and of socketpair(2), and
// terminals. net.Socket is a Duplex around one of these; child_process opens its pipes with them.
//
//   const handle = new StreamHandle(kPipe);
//   handle.open(fd);                                  // 0, or a negative errno, as everywhere here
//   handle.onread = (handle, size, chunk) => {};      // size < 0: a negative errno, or kEOF at the end
//   handle.readStart();
//   handle.write('text', 'utf8', (status) => {});     // 0: it is out, and there is no callback; 1: the callback comes
//   handle.close(() => {});                           // from the closing phase
//
// Callbacks never come from inside a call. What is read is a part of a larger ArrayBuffer, as of Buffer.from().

const { ArrayPrototypePush, ArrayPrototypeShift } = primordials;

const binding = internalBinding('streams');
const servers = internalBinding('stream_servers');
const writes = internalBinding('stream_writes');
const { FastBuffer } = require('internal/buffer/fast');
const asyncHooks = require('internal/async_hooks');
const { emit, hooks, getFrame, bindCallback } = asyncHooks;
const { shared, kHasEnded } = require('internal/shared');
const { kClose, kConnection, kData, kEnd } = require('internal/trace/events');

const { kPipe, kTcp, kTty } = binding;
const { UV_EOF: kEOF } = internalBinding('uv');

const kindNames = [];
kindNames[kTcp] = 'TCPWRAP';
kindNames[kPipe] = 'PIPEWRAP';
kindNames[kTty] = 'TTYWRAP';
const connectNames = [];
connectNames[kTcp] = 'TCPCONNECTWRAP';
connectNames[kPipe] = 'PIPECONNECTWRAP';
connectNames[kTty] = 'TTYWRAP';

// Runs `fn(a, b, c)` for an event of `handle`, in the handle's async context. If it throws, the code that reports the
// exception resets the context.
function runAs(handle, event, fn, a, b, c) {
  if (hooks.onlyTraced && !hooks.usesFrames) {
    emit.handleBegins(handle, event);
    fn(a, b, c);
    shared[kHasEnded] = 1;
    return;
  }
  asyncHooks.setFrame(handle.frame);
  asyncHooks.emitBefore(handle.asyncId, handle.triggerId, handle, event);
  fn(a, b, c);
  asyncHooks.setFrame(undefined);
  asyncHooks.emitAfter(handle.asyncId);
}

function isPlain(handle) {
  return handle.frame === undefined && !hooks.tracksIds;
}

// Native code calls these; `this` is the object of the handle.
function onRead(size, buffer, offset) {
  const handle = this.owner;
  let chunk;
  if (size > 0) {
    if (buffer !== undefined) chunk = new FastBuffer(buffer, offset, size);
  } else if (size === 0) {
    size = kEOF;
  }
  if (isPlain(handle)) {
    handle.onread(handle, size, chunk);
  } else {
    runAs(handle, size > 0 ? kData : kEnd, handle.onread, handle, size, chunk);
  }
}

function onWritten(status) {
  const handle = this.owner;
  const callback = handle.writeCallback;
  handle.writeCallback = handle.moreCallbacks === null || handle.moreCallbacks.length === 0 ?
    undefined : ArrayPrototypeShift(handle.moreCallbacks);
  if (callback !== undefined) callback(status);
}

function onConnected(status) {
  const handle = this.owner;
  const callback = handle.connectCallback;
  handle.connectCallback = undefined;
  callback(status);
}

function onShutDown(status) {
  const handle = this.owner;
  const callback = handle.shutdownCallback;
  handle.shutdownCallback = undefined;
  callback(status);
}

// Returns whether there was a callback: as in Node, ticks and microtasks run only after one.
function onClosed() {
  const handle = this.owner;
  const callback = handle.closeCallback;
  handle.closeCallback = undefined;
  handle.wrap = null;
  if (callback !== undefined) {
    if (isPlain(handle)) {
      callback();
    } else {
      runAs(handle, kClose, callback);
    }
  }
  if (hooks.active) asyncHooks.emitDestroy(handle.asyncId);
  return callback !== undefined;
}

function onConnection(status, wrap) {
  const server = this.owner;
  if (isPlain(server)) {
    server.deliver(server, status, wrap);
  } else {
    runAs(server, kConnection, server.deliver, server, status, wrap);
  }
}

let isReady = false;
function setUp() {
  if (isReady) return;
  isReady = true;
  binding.setHooks({ __proto__: null, onRead, onWritten, onConnected, onShutDown, onClosed, onConnection });
}

function nothing() {}

class StreamHandle {
  // `wrap` is the native object of an accepted connection.
  constructor(kind, wrap = undefined) {
    setUp();
    if (wrap === undefined) wrap = binding.create(kind);
    this.wrap = wrap; // Null once it is closed.
    wrap.owner = this;
    this.kind = kind;
    this.owner = null; // Free for the user of the handle.
    this.onread = nothing;
    this.connectCallback = undefined;
    this.writeCallback = undefined;
    this.moreCallbacks = null;
    this.shutdownCallback = undefined;
    this.closeCallback = undefined;
    this.isClosing = false;
    this.hasReference = true;
    this.reading = false;
    this.asyncId = asyncHooks.newAsyncId();
    this.triggerId = asyncHooks.defaultTriggerAsyncId();
    this.frame = getFrame();
    if (hooks.active) asyncHooks.emitInit(this.asyncId, kindNames[kind], this.triggerId, this);
  }

  // Takes the descriptor over; if it fails, it stays the caller's.
  open(fd) {
    return binding.open(this.wrap, fd);
  }

  // callback(status). A positive answer is the errno of binding the local address.
  connect(host, port, localAddress, localPort, callback) {
    const status = binding.connect(this.wrap, host, port, localAddress, localPort);
    if (status === 0) this.connectCallback = bindCallback(connectNames[this.kind], callback);
    return status;
  }

  connectPath(path, callback) {
    return this.connect(path, undefined, undefined, undefined, callback);
  }

  readStart() {
    this.reading = true;
    return binding.readStart(this.wrap);
  }

  readStop() {
    this.reading = false;
    binding.readStop(this.wrap);
    return 0;
  }

  // Data is read into `view` from now on, and onread() gets no chunk.
  readInto(view) {
    binding.readInto(this.wrap, view);
  }

  // `data` is a view of bytes or a string. 0: all of it is out, and the callback will not be called. 1: it will be.
  write(data, encoding, callback) {
    let status;
    if (typeof data !== 'string') {
      status = writes.write(this.wrap, data);
    } else if (encoding === 'utf8' || encoding === 'utf-8' || encoding === undefined) {
      status = writes.writeUtf8(this.wrap, data);
    } else if (encoding === 'latin1' || encoding === 'binary') {
      status = writes.writeLatin1(this.wrap, data);
    } else {
      status = writes.write(this.wrap, require('buffer').Buffer.from(data, encoding));
    }
    if (status === 1) this.#awaitWrite(callback);
    return status;
  }

  // `chunks` are [{ chunk, encoding }...], as _writev() gets them; with `allBuffers` no chunk is a string.
  writev(chunks, allBuffers, callback) {
    const list = [];
    for (let i = 0; i < chunks.length; i++) {
      let { chunk } = chunks[i];
      let isLatin1 = false;
      if (!allBuffers && typeof chunk === 'string') {
        const { encoding } = chunks[i];
        isLatin1 = encoding === 'latin1' || encoding === 'binary';
        if (!isLatin1 && encoding !== 'utf8' && encoding !== 'utf-8') {
          chunk = require('buffer').Buffer.from(chunk, encoding);
        }
      }
      list[2 * i] = chunk;
      list[2 * i + 1] = isLatin1;
    }
    const status = writes.writev(this.wrap, list);
    if (status === 1) this.#awaitWrite(callback);
    return status;
  }

  #awaitWrite(callback) {
    if (callback !== undefined) callback = bindCallback('WRITEWRAP', callback);
    if (this.writeCallback === undefined) {
      // Without a callback there is still one to wait for.
      this.writeCallback = callback ?? nothing;
    } else {
      this.moreCallbacks ??= [];
      ArrayPrototypePush(this.moreCallbacks, callback ?? nothing);
    }
  }

  // Ends our side when all that was written is out.
  shutdown(callback) {
    const status = binding.shutdown(this.wrap);
    if (status === 0) this.shutdownCallback = bindCallback('SHUTDOWNWRAP', callback);
    return status;
  }

  close(callback) {
    this.closeBy(binding.close, callback);
  }

  // The peer gets ECONNRESET.
  closeReset(callback) {
    this.closeBy(binding.closeReset, callback);
  }

  closeBy(operation, callback) {
    if (this.isClosing) return;
    this.isClosing = true;
    this.reading = false;
    this.closeCallback = callback;
    if (hooks.active && callback !== undefined) asyncHooks.emitClosing(this.asyncId, kindNames[this.kind]);
    operation(this.wrap);
  }

  // Takes the descriptor out, for another thread, and closes the handle.
  release() {
    const fd = servers.releaseStream(this.wrap);
    this.close();
    return fd;
  }

  ref() {
    this.hasReference = true;
    binding.setRef(this.wrap, true);
  }

  unref() {
    this.hasReference = false;
    binding.setRef(this.wrap, false);
  }

  hasRef() {
    return this.hasReference && !this.isClosing;
  }

  get fd() {
    return binding.fd(this.wrap);
  }

  get bytesRead() {
    return binding.bytesRead(this.wrap);
  }

  // All bytes passed to write(), sent or still queued.
  get bytesWritten() {
    return binding.bytesWritten(this.wrap) + binding.queuedBytes(this.wrap);
  }

  get writeQueueSize() {
    return binding.queuedBytes(this.wrap);
  }

  setNoDelay(enable) {
    return binding.setNoDelay(this.wrap, enable);
  }

  setKeepAlive(enable, seconds, interval = 0, count = 0) {
    return binding.setKeepAlive(this.wrap, enable, seconds, interval, count);
  }

  setTypeOfService(value) {
    return binding.setTypeOfService(this.wrap, value);
  }

  getTypeOfService() {
    return binding.getTypeOfService(this.wrap);
  }

  setBlocking() {
    return 0;
  }

  // { address, family, port }, a path, or undefined.
  localAddress() {
    return binding.localAddress(this.wrap);
  }

  peerAddress() {
    return binding.peerAddress(this.wrap);
  }

  getAsyncId() {
    return this.asyncId;
  }
}

// Sends as much of a view, or of a string in UTF-8 or latin1, as possible without blocking. Returns 0 if all was sent,
// a negative errno, or 1 + the number of bytes sent; the rest is not queued.
function tryWrite(handle, data, isLatin1) {
  if (typeof data !== 'string') return writes.tryWrite(handle.wrap, data);
  return isLatin1 ? writes.tryWriteLatin1(handle.wrap, data) : writes.tryWriteUtf8(handle.wrap, data);
}

module.exports = { StreamHandle, guessHandleType: binding.guessHandleType, kEOF, kPipe, kTcp, kTty, setUp, tryWrite };
