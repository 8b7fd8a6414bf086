'use strict';
// A connected byte stream as the rest of lib uses it: TCP, Unix sockets, the ends of pipe(2) and of socketpair(2), and
// terminals. net.Socket is a Duplex around one of these; child_process opens its pipes with them.
//
//   const handle = new StreamHandle(kPipe);
//   handle.open(fd);                                  // 0, or a negative errno, as everywhere here
//   handle.onread = (handle, size, chunk) => {};      // size < 0: a negative errno, or kEOF at the end
//   handle.readStart();
//   handle.write('text', 'utf8', (status) => {});     // kSent: no callback follows; kQueued: it does
//   handle.close(() => {});                           // from the closing phase
//
// The handle is the native object itself (src/bindings/net/stream_handle.h): native code creates it as a clone of a
// pattern, which has the prototype and the fields that are set here. Callbacks never come from inside a call. What is
// read is a part of a larger ArrayBuffer, as of Buffer.from().

const { ArrayPrototypePush, ArrayPrototypeShift, ObjectAssign, ObjectDefineProperty } = primordials;

const binding = internalBinding('streams');
const { kQueued, kSent, send } = internalBinding('stream_writes');
const { FastBuffer } = require('internal/buffer/fast');
const asyncHooks = require('internal/async_hooks');
const { emit, hooks, getFrame, bindCallback } = asyncHooks;
const { shared, kHasEnded } = require('internal/shared');
const { kClose, kConnection, kData, kEnd } = require('internal/trace/events');

const { create, guessHandleType, kPipe, kTcp, kTty } = binding;
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

// Native code calls these; `this` is the handle.
function onRead(size, buffer, offset) {
  let chunk;
  if (size > 0) {
    if (buffer !== undefined) chunk = new FastBuffer(buffer, offset, size);
  } else if (size === 0) {
    size = kEOF;
  }
  if (isPlain(this)) {
    this.onread(this, size, chunk);
  } else {
    runAs(this, size > 0 ? kData : kEnd, this.onread, this, size, chunk);
  }
}

// `reason` is OpenSSL's, of a TLSSocket.
function onWritten(status, reason) {
  const callback = this.writeCallback;
  this.writeCallback = this.moreCallbacks === null || this.moreCallbacks.length === 0 ?
    undefined : ArrayPrototypeShift(this.moreCallbacks);
  if (callback !== undefined) callback(status, reason);
}

function onConnected(status) {
  const callback = this.connectCallback;
  this.connectCallback = undefined;
  callback(status);
}

function onShutDown(status) {
  const callback = this.shutdownCallback;
  this.shutdownCallback = undefined;
  callback(status);
}

// Returns whether there was a callback: as in Node, ticks and microtasks run only after one.
function onClosed() {
  const callback = this.closeCallback;
  this.closeCallback = undefined;
  if (callback !== undefined) {
    if (isPlain(this)) {
      callback();
    } else {
      runAs(this, kClose, callback);
    }
  }
  if (hooks.active) asyncHooks.emitDestroy(this.asyncId);
  return callback !== undefined;
}

function onConnection(status, handle) {
  if (isPlain(this)) {
    this.deliver(this, status, handle);
  } else {
    runAs(this, kConnection, this.deliver, this, status, handle);
  }
}

let isReady = false;
function setUp() {
  if (isReady) return;
  isReady = true;
  binding.setHooks({ __proto__: null, onRead, onWritten, onConnected, onShutDown, onClosed, onConnection });
  const pattern = binding.makePattern(StreamHandle.prototype);
  setFields(pattern);
  pattern.kind = kTcp;
  pattern.onread = nothing;
  pattern.connectCallback = undefined;
  pattern.writeCallback = undefined;
  pattern.moreCallbacks = null;
  pattern.shutdownCallback = undefined;
  pattern.held = null;
}

function nothing() {}

// The fields of the pattern of a stream or server.
function setFields(pattern) {
  pattern.owner = null; // Free for the user of the handle.
  pattern.closeCallback = undefined;
  pattern.asyncId = 0;
  pattern.triggerId = 0;
  pattern.frame = undefined;
}

// Makes a new handle an asynchronous resource.
function begin(handle) {
  handle.asyncId = asyncHooks.newAsyncId();
  handle.triggerId = asyncHooks.defaultTriggerAsyncId();
  handle.frame = getFrame();
  if (hooks.active) asyncHooks.emitInit(handle.asyncId, handle.typeName, handle.triggerId, handle);
  return handle;
}

// Methods of streams and servers. Native code adds ref(), unref(), hasRef(), startClose() and takeDescriptor() to the
// classes, and the getter `fd`.
class SocketHandle {
  close(callback) {
    this.closeBy(false, callback);
  }

  closeBy(isReset, callback) {
    if (!this.startClose(isReset)) return;
    this.closeCallback = callback;
    if (hooks.active && callback !== undefined) asyncHooks.emitClosing(this.asyncId, this.typeName);
  }

  // Takes the descriptor out, for another thread, and closes the handle.
  release() {
    const fd = this.takeDescriptor();
    this.close();
    return fd;
  }

  getAsyncId() {
    return this.asyncId;
  }
}

// The stream of a connection that native code has accepted. A connection has no cause in the program, so it does not
// inherit the server's AsyncLocalStorage values.
function adopt(handle, kind) {
  handle.kind = kind;
  begin(handle);
  handle.frame = undefined;
  return handle;
}

class StreamHandle extends SocketHandle {
  constructor(kind) {
    setUp();
    const handle = create(kind);
    handle.kind = kind;
    return begin(handle);
  }

  get typeName() {
    return kindNames[this.kind];
  }

  // callback(status). A positive answer is the errno of binding the local address.
  connect(host, port, localAddress, localPort, callback) {
    return this.awaitConnect(this.startConnect(host, port, localAddress, localPort), callback);
  }

  awaitConnect(status, callback) {
    if (status === 0) this.connectCallback = bindCallback(connectNames[this.kind], callback);
    return status;
  }

  // `data` is a view of bytes or a string. Returns kSent, kQueued, or a negative errno. The callback is called later,
  // and only for kQueued.
  write(data, encoding, callback) {
    if (typeof data === 'string' && mustConvert(encoding)) data = convert(data, encoding);
    if (this.held) return hold(this, [data, isLatin1(encoding)], callback);
    return this.awaitWrite(this.send(data, isLatin1(encoding)), callback);
  }

  // `chunks` are [{ chunk, encoding }...], as _writev() gets them; with `allBuffers` no chunk is a string.
  writev(chunks, allBuffers, callback) {
    const list = [];
    for (let i = 0; i < chunks.length; i++) {
      const { chunk, encoding } = chunks[i];
      const isText = !allBuffers && typeof chunk === 'string';
      list[2 * i] = isText && mustConvert(encoding) ? convert(chunk, encoding) : chunk;
      list[2 * i + 1] = isText && isLatin1(encoding);
    }
    if (this.held) return hold(this, list, callback);
    return this.awaitWrite(this.send(list), callback);
  }

  // Keeps the following writes, which count as sent, until sendHeld(). The caller must call it before the loop goes on.
  holdWrites() {
    this.held ??= [];
  }

  // Returns the status of the whole.
  sendHeld() {
    const { held } = this;
    this.held = null;
    if (held === null || held.length === 0) return kSent;
    return this.awaitWrite(this.send(held), undefined);
  }

  // Completes a write for which send() returned `status`.
  awaitWrite(status, callback) {
    if (status !== kQueued) return status;
    // Queue a function even without a callback, because native code reports the end of each queued write.
    callback = callback === undefined ? nothing : bindCallback('WRITEWRAP', callback);
    if (this.writeCallback === undefined) {
      this.writeCallback = callback;
    } else {
      this.moreCallbacks ??= [];
      ArrayPrototypePush(this.moreCallbacks, callback);
    }
    return status;
  }

  // Ends the writable side when all writes have been sent.
  shutdown(callback) {
    if (this.held) this.sendHeld();
    const status = this.startShutdown();
    if (status === 0) this.shutdownCallback = bindCallback('SHUTDOWNWRAP', callback);
    return status;
  }

  closeBy(isReset, callback) {
    if (this.held && !isReset) this.sendHeld();
    super.closeBy(isReset, callback);
  }

  // The peer gets ECONNRESET.
  closeReset(callback) {
    this.closeBy(true, callback);
  }

  setBlocking() {
    return 0;
  }
}

// A write beyond this many pieces is sent with those before it.
const kMostHeld = 256;

// Adds pieces to the held ones. They are in pairs, as in the argument of send().
function hold(handle, pieces, callback) {
  const { held } = handle;
  for (let i = 0; i < pieces.length; i++) ArrayPrototypePush(held, pieces[i]);
  if (held.length < kMostHeld) return kSent;
  handle.held = null;
  return handle.awaitWrite(handle.send(held), callback);
}

function isLatin1(encoding) {
  return encoding === 'latin1' || encoding === 'binary';
}

// send() encodes texts itself in UTF-8 and latin1.
function mustConvert(encoding) {
  return encoding !== 'utf8' && encoding !== undefined && encoding !== 'utf-8' && !isLatin1(encoding);
}

function convert(text, encoding) {
  return require('buffer').Buffer.from(text, encoding);
}

function addGetters(prototype, getters) {
  for (const name in getters) {
    ObjectDefineProperty(prototype, name, { __proto__: null, configurable: true, get: getters[name] });
  }
}

ObjectAssign(StreamHandle.prototype, {
  getTypeOfService: binding.getTypeOfService,
  hasRef: binding.hasRef,
  localAddress: binding.localAddress, // { address, family, port }, a path, or undefined.
  open: binding.open, // Takes the descriptor over; if it fails, it stays the caller's.
  peerAddress: binding.peerAddress,
  readInto: binding.readInto, // Data is read into a view from now on, and onread() gets no chunk.
  readStart: binding.readStart,
  readStop: binding.readStop,
  ref: binding.ref,
  send, // (view), (text, isLatin1) or ([chunk, isLatin1, ...]): kSent, kQueued or a negative errno.
  setKeepAlive: binding.setKeepAlive,
  setNoDelay: binding.setNoDelay,
  setRawMode: binding.setRawMode,
  setTypeOfService: binding.setTypeOfService,
  startClose: binding.startClose,
  startConnect: binding.startConnect,
  startShutdown: binding.startShutdown,
  takeDescriptor: binding.takeDescriptor,
  unref: binding.unref,
});
addGetters(StreamHandle.prototype, {
  __proto__: null,
  bytesRead: binding.bytesRead,
  bytesWritten: binding.bytesWritten,
  fd: binding.fd,
  reading: binding.reading,
  writeQueueSize: binding.queuedBytes,
});

module.exports = {
  SocketHandle,
  StreamHandle,
  addGetters,
  adopt,
  begin,
  guessHandleType,
  isPlain,
  kEOF,
  kPipe,
  kQueued,
  kSent,
  kTcp,
  kTty,
  runAs,
  setFields,
  setUp,
};
